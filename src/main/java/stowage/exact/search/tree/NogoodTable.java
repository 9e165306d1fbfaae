package stowage.exact.search.tree;

/**
 * A bounded set of 128-bit keys of sub-problems that are known to have no solution.
 *
 * <p>Open addressing over a power of two of slots; the table grows with its content up to its
 * bound, and then a new key takes the place of an old one. Forgetting a key only costs time.
 *
 * <p>Keys are not compared with the states they encode, so an exhausted search rests on two
 * different sub-problems having different keys. By {@link StateHash} they meet with a probability
 * of about 2^-128 a pair (2^-108 where all their offsets differ by multiples of 2^10), so that 10^9
 * questions to a full table of 2^20 keys go wrong with a probability below 2^-58.
 */
final class NogoodTable {
  private static final int PROBES = 8;

  private final int bound;
  private long[] slots;
  private int used;
  private long hits;

  /** A table of so many keys at most, a power of two of at least 1024. */
  NogoodTable(int bound) {
    this.bound = bound;
    this.slots = new long[2 * 1024];
  }

  /** Whether the key has been added and not been forgotten. */
  boolean contains(long high, long low) {
    int mask = slots.length / 2 - 1;
    int slot = home(high, mask);
    for (int probe = 0; probe < PROBES; probe++) {
      long foundHigh = slots[2 * slot];
      long foundLow = slots[2 * slot + 1];
      if (foundHigh == high && foundLow == low) {
        hits++;
        return true;
      }
      if ((foundHigh | foundLow) == 0) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    return false;
  }

  /** How often a key was found. */
  long hits() {
    return hits;
  }

  void add(long high, long low) {
    if (4 * used > slots.length && slots.length < 2 * bound) {
      grow();
    }
    insert(high, low);
  }

  private void insert(long high, long low) {
    int mask = slots.length / 2 - 1;
    int home = home(high, mask);
    int slot = home;
    for (int probe = 0; probe < PROBES; probe++) {
      if ((slots[2 * slot] | slots[2 * slot + 1]) == 0) {
        slots[2 * slot] = high;
        slots[2 * slot + 1] = low;
        used++;
        return;
      }
      slot = (slot + 1) & mask;
    }
    slot = (home + (int) (low & (PROBES - 1))) & mask;
    slots[2 * slot] = high;
    slots[2 * slot + 1] = low;
  }

  /** The top bits of a multilinear hash are its best ones. */
  private static int home(long high, int mask) {
    return (int) (high * 0x9e3779b97f4a7c15L >>> 33) & mask;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[2 * old.length];
    used = 0;
    for (int slot = 0; slot < old.length; slot += 2) {
      if ((old[slot] | old[slot + 1]) != 0) {
        insert(old[slot], old[slot + 1]);
      }
    }
  }
}

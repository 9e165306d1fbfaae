package stowage.exact.search;

/**
 * A bounded set of 128-bit keys of sub-problems that are known to have no solution.
 *
 * <p>Open addressing over a power of two of slots; the table grows with its content up to its
 * bound, and then a new key takes the place of an old one. Forgetting a key only costs time. Two
 * different sub-problems share a key with probability 2^-128 a pair, below 2^-88 for a full table
 * against 10^9 questions, which is why an exhausted search may rest on it.
 */
final class NogoodTable {
  private static final int PROBES = 8;

  private final int bound;
  private long[] slots;
  private int used;

  /**
   * @param bound the largest number of keys kept, a power of two of at least 1024
   */
  NogoodTable(int bound) {
    this.bound = bound;
    this.slots = new long[2 * 1024];
  }

  /** Whether the key has been added and not been forgotten. */
  boolean contains(long high, long low) {
    int mask = slots.length / 2 - 1;
    int slot = (int) high & mask;
    for (int probe = 0; probe < PROBES; probe++) {
      long foundHigh = slots[2 * slot];
      long foundLow = slots[2 * slot + 1];
      if (foundHigh == high && foundLow == low) {
        return true;
      }
      if ((foundHigh | foundLow) == 0) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    return false;
  }

  /** Adds a key. */
  void add(long high, long low) {
    if (4 * used > slots.length && slots.length < 2 * bound) {
      grow();
    }
    insert(high, low);
  }

  private void insert(long high, long low) {
    int mask = slots.length / 2 - 1;
    int home = (int) high & mask;
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

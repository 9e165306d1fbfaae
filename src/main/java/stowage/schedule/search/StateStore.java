package stowage.schedule.search;

import java.util.Arrays;
import stowage.schedule.model.Downset;

/**
 * The downsets that a search has reached, each once: their bits, the least peak on a way there, and
 * that way as the ops since an earlier downset. Flat arrays; about 8 bytes a word of bits and 50
 * more a downset.
 */
final class StateStore {
  private static final int NONE = -1;

  private final int words;
  private long[] bits = {};
  private long[] hash = {};
  private long[] peak = {};
  private long[] live = {};
  private int[] depth = {};
  private int[] parent = {};
  private int[] wayFrom = {};
  private int[] wayLength = {};
  private boolean[] done = {};
  private int[] table = new int[1 << 12];
  private int[] ways = new int[1 << 12];
  private int wayCount;
  private int count;

  StateStore(int words) {
    this.words = words;
    grow(1 << 10);
    Arrays.fill(table, NONE);
  }

  /** The most downsets that fit into so many bytes of memory. */
  static int statesWithin(long bytes, int words) {
    return (int) Math.min(bytes / (8L * words + 60), (Integer.MAX_VALUE - 64) / Math.max(1, words));
  }

  int count() {
    return count;
  }

  void clear() {
    count = 0;
    wayCount = 0;
    Arrays.fill(table, NONE);
  }

  private int find(long[] set, long key) {
    int mask = table.length - 1;
    for (int at = slot(key, mask); table[at] != NONE; at = (at + 1) & mask) {
      int state = table[at];
      if (hash[state] == key
          && Arrays.equals(bits, state * words, (state + 1) * words, set, 0, words)) {
        return state;
      }
    }
    return NONE;
  }

  private static int slot(long key, int mask) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & mask;
  }

  /** The number of a downset, or -1. */
  int find(Downset downset) {
    return find(downset.bits(), downset.hash());
  }

  /** Adds a downset that is not there yet, reached on a way as {@link #reach} notes it. */
  int add(Downset downset, long ofPeak, int from, int[] log, int length) {
    if (count == hash.length) {
      grow((int) Math.min((long) count * 3 / 2, (Integer.MAX_VALUE - 64) / words));
    }
    if (2 * count >= table.length) {
      rehash();
    }
    int state = count++;
    System.arraycopy(downset.bits(), 0, bits, state * words, words);
    hash[state] = downset.hash();
    live[state] = downset.live();
    depth[state] = downset.size();
    done[state] = false;
    insert(state);
    reach(state, from, log, length, ofPeak);
    return state;
  }

  /** Notes on which way a downset is reached, and the peak on it. */
  void reach(int state, int from, int[] log, int length, long ofPeak) {
    if (wayCount + length > ways.length) {
      ways = Arrays.copyOf(ways, Math.max(wayCount + length, ways.length + (ways.length >> 1)));
    }
    System.arraycopy(log, 0, ways, wayCount, length);
    parent[state] = from;
    wayFrom[state] = wayCount;
    wayLength[state] = length;
    wayCount += length;
    peak[state] = ofPeak;
  }

  private void insert(int state) {
    int mask = table.length - 1;
    int at = slot(hash[state], mask);
    while (table[at] != NONE) {
      at = (at + 1) & mask;
    }
    table[at] = state;
  }

  private void grow(int states) {
    bits = Arrays.copyOf(bits, states * words);
    hash = Arrays.copyOf(hash, states);
    peak = Arrays.copyOf(peak, states);
    live = Arrays.copyOf(live, states);
    depth = Arrays.copyOf(depth, states);
    parent = Arrays.copyOf(parent, states);
    wayFrom = Arrays.copyOf(wayFrom, states);
    wayLength = Arrays.copyOf(wayLength, states);
    done = Arrays.copyOf(done, states);
  }

  private void rehash() {
    table = new int[2 * table.length];
    Arrays.fill(table, NONE);
    for (int state = 0; state < count; state++) {
      insert(state);
    }
  }

  long[] bits() {
    return bits;
  }

  int bitsFrom(int state) {
    return state * words;
  }

  long peak(int state) {
    return peak[state];
  }

  long live(int state) {
    return live[state];
  }

  int depth(int state) {
    return depth[state];
  }

  boolean done(int state) {
    return done[state];
  }

  void setDone(int state) {
    done[state] = true;
  }

  /** The ops on the way to a downset from the first one, in their order. */
  int[] way(int state) {
    int length = 0;
    for (int at = state; at != NONE; at = parent[at]) {
      length += wayLength[at];
    }
    int[] way = new int[length];
    for (int at = state; at != NONE; at = parent[at]) {
      length -= wayLength[at];
      System.arraycopy(ways, wayFrom[at], way, length, wayLength[at]);
    }
    return way;
  }
}

package stowage.exact.reuse;

import java.util.Arrays;

/**
 * Items in the order of a key, each with its rank, so that any few of them are sorted by a set of
 * their ranks.
 */
final class RankedItems {
  final long[] keys;
  final int[] items;
  private final int[] rank;
  private final long[] marks;
  private int count;

  RankedItems(int most) {
    keys = new long[most];
    items = new int[most];
    rank = new int[most];
    marks = new long[most / 64 + 1];
  }

  void clear() {
    count = 0;
    Arrays.fill(rank, -1);
  }

  /** Puts an item in, or moves it to a new key. O(ranks between). */
  void put(int item, long key) {
    if (rank[item] < 0) {
      rank[item] = count++;
    }
    int k = rank[item];
    for (; k > 0 && keys[k - 1] > key; k--) {
      set(k, items[k - 1], keys[k - 1]);
    }
    for (; k < count - 1 && keys[k + 1] < key; k++) {
      set(k, items[k + 1], keys[k + 1]);
    }
    set(k, item, key);
  }

  private void set(int k, int item, long key) {
    keys[k] = key;
    items[k] = item;
    rank[item] = k;
  }

  void remove(int item) {
    put(item, Long.MAX_VALUE);
    rank[item] = -1;
    count--;
  }

  /**
   * Sorts the ranks of those of some items that are here. O(items + count / 64).
   *
   * @param mask all ones for an item that is wanted, or 0
   * @param order takes the ranks
   * @return how many there are
   */
  int sort(int[] among, long[] mask, int[] order) {
    for (int item : among) {
      int k = rank[item];
      if (k >= 0) {
        marks[k >> 6] |= mask[item] & 1L << k;
      }
    }
    int found = 0;
    for (int word = 0; word << 6 < count; word++) {
      for (long left = marks[word]; left != 0; left &= left - 1) {
        order[found++] = (word << 6) + Long.numberOfTrailingZeros(left);
      }
      marks[word] = 0;
    }
    return found;
  }
}

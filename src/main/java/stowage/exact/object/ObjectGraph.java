package stowage.exact.object;

import stowage.packing.ObjectProblem;

/**
 * The conflicts of an object problem as rows of bits, one bit an item: O(n²/8) bytes. Item numbers
 * fall with size, so the first {@code m} items are the {@code m} largest.
 */
public final class ObjectGraph {
  /** Up to how many items the rows are made: 2 MB. */
  public static final int LARGEST = 4_096;

  private final int words;
  private final long[][] rows;

  /** The conflicts of a problem. O(n²). */
  public ObjectGraph(ObjectProblem problem) {
    int n = problem.count();
    words = (n + 63) >>> 6;
    rows = new long[n][words];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < a; b++) {
        if (problem.conflict(a, b)) {
          set(rows[a], b);
          set(rows[b], a);
        }
      }
    }
  }

  /** The number of items. */
  public int count() {
    return rows.length;
  }

  /** Words in a row of bits. */
  int words() {
    return words;
  }

  /** The items in conflict with one; not to be changed. */
  long[] row(int item) {
    return rows[item];
  }

  /** Whether two items conflict. */
  public boolean conflict(int one, int other) {
    return (rows[one][other >>> 6] >>> other & 1) != 0;
  }

  static void set(long[] bits, int at) {
    bits[at >>> 6] |= 1L << at;
  }

  static void clear(long[] bits, int at) {
    bits[at >>> 6] &= ~(1L << at);
  }

  static boolean intersects(long[] one, long[] other) {
    for (int w = 0; w < one.length; w++) {
      if ((one[w] & other[w]) != 0) {
        return true;
      }
    }
    return false;
  }

  static int cardinality(long[] bits) {
    int count = 0;
    for (long word : bits) {
      count += Long.bitCount(word);
    }
    return count;
  }
}

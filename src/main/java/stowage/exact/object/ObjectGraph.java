package stowage.exact.object;

import java.util.BitSet;
import stowage.packing.ObjectProblem;

/**
 * The conflicts of an object problem as rows of bits, one bit an item: O(n²/8) bytes. Item numbers
 * fall with size, so the first {@code m} items are the {@code m} largest.
 */
final class ObjectGraph {
  /** Up to how many items the rows are made: 2 MB. */
  static final int LARGEST = 4_096;

  private final BitSet[] rows;

  /** The conflicts of a problem. O(n²). */
  ObjectGraph(ObjectProblem problem) {
    int n = problem.count();
    rows = new BitSet[n];
    for (int a = 0; a < n; a++) {
      rows[a] = new BitSet(n);
      for (int b = 0; b < a; b++) {
        if (problem.conflict(a, b)) {
          rows[a].set(b);
          rows[b].set(a);
        }
      }
    }
  }

  int count() {
    return rows.length;
  }

  /** The items in conflict with one; not to be changed. */
  BitSet row(int item) {
    return rows[item];
  }
}

package stowage.packing;

import java.util.Arrays;

/** Figures in a row: adds to ranges and finds the largest of a range. O(log n) each. */
public final class RangeMaximum {
  private final int leaves;
  private final long[] largest;

  /** What has been added to all leaves below a node, over and above what its children know. */
  private final long[] added;

  public RangeMaximum(long[] figures) {
    this.leaves = Integer.highestOneBit(Math.max(1, 2 * figures.length - 1));
    this.largest = new long[2 * leaves];
    this.added = new long[2 * leaves];
    Arrays.fill(largest, Long.MIN_VALUE / 4);
    System.arraycopy(figures, 0, largest, leaves, figures.length);
    for (int node = leaves - 1; node > 0; node--) {
      largest[node] = Math.max(largest[2 * node], largest[2 * node + 1]);
    }
  }

  /** Takes over all figures of another one of the same length. O(n). */
  public void copyFrom(RangeMaximum other) {
    System.arraycopy(other.largest, 0, largest, 0, largest.length);
    System.arraycopy(other.added, 0, added, 0, added.length);
  }

  /** Adds to every figure in {@code [from, to)}, a range that is not empty. */
  public void add(int from, int to, long amount) {
    int left = from + leaves;
    int right = to + leaves;
    while (left < right) {
      if ((left & 1) == 1) {
        largest[left] += amount;
        added[left++] += amount;
      }
      if ((right & 1) == 1) {
        largest[--right] += amount;
        added[right] += amount;
      }
      left >>= 1;
      right >>= 1;
    }
    refresh(from + leaves);
    refresh(to - 1 + leaves);
  }

  /** The index of the largest figure of {@code [from, to)}. */
  public int argMax(int from, int to) {
    int left = from + leaves;
    int right = to + leaves;
    // The best node of those before left and of those from right on, and what it is there.
    int bestLeft = 0;
    int bestRight = 0;
    long highestLeft = Long.MIN_VALUE / 2;
    long highestRight = Long.MIN_VALUE / 2;
    while (left < right) {
      if ((left & 1) == 1) {
        if (largest[left] > highestLeft) {
          highestLeft = largest[left];
          bestLeft = left;
        }
        left++;
      }
      if ((right & 1) == 1) {
        right--;
        if (largest[right] > highestRight) {
          highestRight = largest[right];
          bestRight = right;
        }
      }
      left >>= 1;
      right >>= 1;
      // All nodes of a side are below one that is next to the rest.
      highestLeft += added[left - 1];
      highestRight += added[right];
    }
    int one = left - 1;
    for (int other = right; one != other; other >>= 1) {
      one >>= 1;
      highestLeft += added[one];
      highestRight += added[other >> 1];
    }
    boolean isLeft =
        highestLeft > highestRight
            || highestLeft == highestRight
                && Integer.numberOfLeadingZeros(bestLeft)
                    <= Integer.numberOfLeadingZeros(bestRight);
    int best = bestRight == 0 || bestLeft != 0 && isLeft ? bestLeft : bestRight;
    while (best < leaves) {
      best = largest[2 * best] >= largest[2 * best + 1] ? 2 * best : 2 * best + 1;
    }
    return best - leaves;
  }

  /** The largest figure of {@code [from, to)}, a range that is not empty. */
  public long max(int from, int to) {
    int leaf = argMax(from, to) + leaves;
    return largest[leaf] + above(leaf);
  }

  /** The figure that is at an index. */
  public long at(int index) {
    return largest[leaves + index] + above(leaves + index);
  }

  private void refresh(int leaf) {
    for (int node = leaf >> 1; node > 0; node >>= 1) {
      largest[node] = Math.max(largest[2 * node], largest[2 * node + 1]) + added[node];
    }
  }

  private long above(int node) {
    long sum = 0;
    for (int parent = node >> 1; parent > 0; parent >>= 1) {
      sum += added[parent];
    }
    return sum;
  }
}

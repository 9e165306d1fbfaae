package stowage.compiler.core;

import java.util.Arrays;

/**
 * Segment tree of the load over time: the largest load over a range of steps, and bytes added to a
 * range, each in O(log n).
 */
public final class LoadEstimate {
  private final int[] moments;
  private final int leaves;
  private final long[] top;
  private final long[] added;

  public LoadEstimate(HullList all) {
    int[] times = new int[2 * all.count()];
    for (int r = 0; r < all.count(); r++) {
      times[2 * r] = all.start[r];
      times[2 * r + 1] = all.end[r];
    }
    moments = Arrays.stream(times).sorted().distinct().toArray();
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, moments.length - 1)) * 2);
    top = new long[2 * leaves];
    added = new long[2 * leaves];
    for (int r = 0; r < all.count(); r++) {
      add(all.start[r], all.end[r], all.size[r]);
    }
  }

  /** The largest load of all. */
  public long largest() {
    return top[1];
  }

  /** Whether bytes may be held over [from, to) too; if so they are added there. */
  public boolean holds(int from, int to, long bytes, long peak) {
    if (from < to && bytes + largest(1, 0, leaves, index(from), index(to)) > peak) {
      return false;
    }
    add(from, to, bytes);
    return true;
  }

  private void add(int from, int to, long bytes) {
    if (from < to) {
      add(1, 0, leaves, index(from), index(to), bytes);
    }
  }

  private int index(int moment) {
    return Arrays.binarySearch(moments, moment);
  }

  private void add(int node, int low, int high, int from, int to, long bytes) {
    if (to <= low || high <= from) {
      return;
    }
    if (from <= low && high <= to) {
      top[node] += bytes;
      added[node] += bytes;
      return;
    }
    int middle = (low + high) >>> 1;
    add(2 * node, low, middle, from, to, bytes);
    add(2 * node + 1, middle, high, from, to, bytes);
    top[node] = added[node] + Math.max(top[2 * node], top[2 * node + 1]);
  }

  private long largest(int node, int low, int high, int from, int to) {
    if (to <= low || high <= from) {
      return 0;
    }
    if (from <= low && high <= to) {
      return top[node];
    }
    int middle = (low + high) >>> 1;
    return added[node]
        + Math.max(
            largest(2 * node, low, middle, from, to),
            largest(2 * node + 1, middle, high, from, to));
  }
}

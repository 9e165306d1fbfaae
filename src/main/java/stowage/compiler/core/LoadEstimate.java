package stowage.compiler.core;

import java.util.Arrays;
import stowage.packing.RangeMaximum;

/**
 * The load over time: the largest load over a range of steps, and bytes added to a range, each in
 * O(log n).
 */
public final class LoadEstimate {
  private final int[] moments;
  private final RangeMaximum loads;

  public LoadEstimate(HullList all) {
    moments = all.moments();
    loads = new RangeMaximum(new long[Math.max(1, moments.length)]);
    for (int r = 0; r < all.count(); r++) {
      add(all.start[r], all.end[r], all.size[r]);
    }
  }

  public long largest() {
    return loads.max(0, Math.max(1, moments.length));
  }

  /** The largest load over [from, to), steps at which a rectangle starts or ends. */
  public long largest(int from, int to) {
    return loads.max(index(from), index(to));
  }

  /** Whether bytes may be held over [from, to) too; if so they are added there. */
  public boolean holds(int from, int to, long bytes, long peak) {
    if (from < to && bytes + largest(from, to) > peak) {
      return false;
    }
    add(from, to, bytes);
    return true;
  }

  private void add(int from, int to, long bytes) {
    if (from < to) {
      loads.add(index(from), index(to), bytes);
    }
  }

  private int index(int moment) {
    return Arrays.binarySearch(moments, moment);
  }
}

package stowage.compiler;

import java.util.Arrays;

/**
 * A set of steps as sorted half-open ranges that neither overlap nor touch; ranges that touch are
 * merged as they are added.
 */
final class RangeSet {
  private int[] starts = new int[2];
  private int[] ends = new int[2];
  private int count;

  /** A set of one range. */
  static RangeSet of(int start, int end) {
    RangeSet set = new RangeSet();
    set.add(start, end);
    return set;
  }

  /** A copy of a set. */
  static RangeSet copyOf(RangeSet other) {
    RangeSet set = new RangeSet();
    set.starts = other.starts.clone();
    set.ends = other.ends.clone();
    set.count = other.count;
    return set;
  }

  /** Adds the steps of a range. O(ranges). */
  void add(int start, int end) {
    int from = firstEndingFrom(start);
    int to = from;
    int low = start;
    int high = end;
    while (to < count && starts[to] <= end) {
      low = Math.min(low, starts[to]);
      high = Math.max(high, ends[to]);
      to++;
    }
    int removed = to - from;
    if (removed == 0) {
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, 2 * count);
        ends = Arrays.copyOf(ends, 2 * count);
      }
      System.arraycopy(starts, from, starts, from + 1, count - from);
      System.arraycopy(ends, from, ends, from + 1, count - from);
    } else if (removed > 1) {
      System.arraycopy(starts, to, starts, from + 1, count - to);
      System.arraycopy(ends, to, ends, from + 1, count - to);
    }
    starts[from] = low;
    ends[from] = high;
    count += 1 - removed;
  }

  /** Adds all steps of another set. */
  void addAll(RangeSet other) {
    for (int k = 0; k < other.count; k++) {
      add(other.starts[k], other.ends[k]);
    }
  }

  /** Whether any step of a range is in the set. O(log ranges). */
  boolean overlaps(int start, int end) {
    int at = firstEndingFrom(start + 1);
    return at < count && starts[at] < end;
  }

  private int firstEndingFrom(int step) {
    int at = Arrays.binarySearch(ends, 0, count, step);
    return at >= 0 ? at : -at - 1;
  }
}

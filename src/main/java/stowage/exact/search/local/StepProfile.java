package stowage.exact.search.local;

import java.util.Arrays;

/**
 * Heights over the sections, kept as the steps between stretches of equal height: a bit a section
 * says where one begins. To put something on top of a range costs O(steps it covers + words), and
 * covered steps vanish, so that stacking n buffers costs O(n * words) however wide they are.
 *
 * <pre>
 *   height  3 3 3 1 1 4 4        steps at 0, 3, 5; highest in [2, 5) is 3
 *   set [2, 5) to 6: 3 3 6 6 6 4 4        steps at 0, 2, 5
 * </pre>
 */
public final class StepProfile {
  private final long[] steps;
  private final long[] height;
  private final int sections;

  public StepProfile(int sections) {
    this.sections = sections;
    this.steps = new long[(sections >> 6) + 1];
    this.height = new long[sections + 1];
    clear();
  }

  /** Sets all heights to 0. */
  public void clear() {
    Arrays.fill(steps, 0);
    steps[0] = 1;
    height[0] = 0;
  }

  /** The greatest height in {@code [from, to)}, which must not be empty. */
  public long highest(int from, int to) {
    int word = from >> 6;
    int last = to - 1 >> 6;
    long inside = steps[word];
    long before = inside & -1L >>> 63 - (from & 63);
    int at = word;
    while (before == 0) {
      before = steps[--at];
    }
    long highest = height[(at << 6) + 63 - Long.numberOfLeadingZeros(before)];
    inside &= -2L << (from & 63);
    while (true) {
      if (word == last) {
        inside &= -1L >>> 63 - (to - 1 & 63);
      }
      while (inside != 0) {
        highest = Math.max(highest, height[(word << 6) + Long.numberOfTrailingZeros(inside)]);
        inside &= inside - 1;
      }
      if (word == last) {
        return highest;
      }
      inside = steps[++word];
    }
  }

  /**
   * Puts something on top of a range, which must not be empty: sets its heights to its highest and
   * so much more, as {@link #highest} and {@link #set} do; gives the highest so far.
   */
  public long pile(int from, int to, long more) {
    int first = from >> 6;
    int last = to - 1 >> 6;
    long before = steps[first] & -1L >>> 63 - (from & 63);
    int at = first;
    while (before == 0) {
      before = steps[--at];
    }
    long end = height[(at << 6) + 63 - Long.numberOfLeadingZeros(before)];
    long highest = end;
    long inside = steps[first] & -2L << (from & 63);
    steps[first] &= ~(-1L << from);
    for (int word = first; word < last; inside = steps[++word]) {
      if (word > first) {
        steps[word] = 0;
      }
      for (; inside != 0; inside &= inside - 1) {
        end = height[(word << 6) + Long.numberOfTrailingZeros(inside)];
        highest = Math.max(highest, end);
      }
    }
    long own = -1L >>> 63 - (to - 1 & 63);
    for (long left = inside & own; left != 0; left &= left - 1) {
      end = height[(last << 6) + Long.numberOfTrailingZeros(left)];
      highest = Math.max(highest, end);
    }
    if (last > first) {
      steps[last] &= ~own;
    } else {
      steps[last] |= inside & ~own;
    }
    steps[first] |= 1L << from;
    height[from] = highest + more;
    if (to < sections && (steps[to >> 6] >>> to & 1) == 0) {
      height[to] = end;
      steps[to >> 6] |= 1L << to;
    }
    return highest;
  }

  /** Sets the heights in {@code [from, to)}, which must not be empty. */
  public void set(int from, int to, long value) {
    if (to < sections && (steps[to >> 6] >>> to & 1) == 0) {
      int at = to >> 6;
      long before = steps[at] & -1L >>> 63 - (to & 63);
      while (before == 0) {
        before = steps[--at];
      }
      height[to] = height[(at << 6) + 63 - Long.numberOfLeadingZeros(before)];
      steps[to >> 6] |= 1L << to;
    }
    int first = from >> 6;
    int last = to - 1 >> 6;
    long kept = ~(-1L << from);
    for (int word = first; word < last; word++) {
      steps[word] &= kept;
      kept = 0;
    }
    steps[last] &= kept | ~(-1L >>> 63 - (to - 1 & 63));
    steps[first] |= 1L << from;
    height[from] = value;
  }
}

package stowage.exact.search.tree;

import stowage.exact.presolve.Component;
import stowage.exact.presolve.ForbiddenDifferences;

/**
 * How two buffers may be to each other: the closed intervals [low, high] that the difference of
 * their offsets, second minus first, may be in. Without windows there are two, above and below; a
 * window can leave room for more in between.
 */
final class PairRelation {
  /** Means no limit; far beyond every difference, far within long. */
  static final long UNLIMITED = Long.MAX_VALUE / 4;

  final int first;
  final int second;

  /** Ends of the intervals in ascending order. */
  final long[] low;

  final long[] high;

  private PairRelation(int first, int second, long[] low, long[] high) {
    this.first = first;
    this.second = second;
    this.low = low;
    this.high = high;
  }

  /** The relation of two buffers, or null where any difference will do. */
  static PairRelation of(Component problem, int first, int second) {
    long[] forbidden = ForbiddenDifferences.of(problem, first, second);
    if (forbidden.length == 0) {
      return null;
    }
    long[] low = new long[forbidden.length / 2 + 1];
    long[] high = new long[low.length];
    low[0] = -UNLIMITED;
    for (int k = 0; k + 1 < low.length; k++) {
      high[k] = forbidden[2 * k];
      low[k + 1] = forbidden[2 * k + 1];
    }
    high[high.length - 1] = UNLIMITED;
    return new PairRelation(first, second, low, high);
  }

  /** Whether the offsets may differ by so much. */
  boolean admits(long difference) {
    for (int interval = 0; interval < low.length; interval++) {
      if (low[interval] <= difference && difference <= high[interval]) {
        return true;
      }
    }
    return false;
  }
}

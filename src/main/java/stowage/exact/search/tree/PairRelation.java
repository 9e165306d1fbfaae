package stowage.exact.search.tree;

import java.util.Arrays;
import stowage.exact.presolve.Component;

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
    int pieces =
        (problem.firstSpans()[first + 1] - problem.firstSpans()[first])
            * (problem.firstSpans()[second + 1] - problem.firstSpans()[second]);
    long[][] forbidden = new long[pieces + 1][];
    int count = 0;
    if (problem.extraConflict(first, second)) {
      forbidden[count++] = new long[] {-problem.sizes()[second], problem.sizes()[first]};
    }
    for (int p = problem.firstSpans()[first]; p < problem.firstSpans()[first + 1]; p++) {
      for (int q = problem.firstSpans()[second]; q < problem.firstSpans()[second + 1]; q++) {
        if (problem.spanStarts()[p] < problem.spanEnds()[q]
            && problem.spanStarts()[q] < problem.spanEnds()[p]) {
          forbidden[count++] =
              new long[] {
                problem.spanLows()[p] - problem.spanHighs()[q],
                problem.spanHighs()[p] - problem.spanLows()[q]
              };
        }
      }
    }
    return count == 0 ? null : around(first, second, Arrays.copyOf(forbidden, count));
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

  /** What open intervals leave. */
  private static PairRelation around(int first, int second, long[][] forbidden) {
    Arrays.sort(forbidden, (one, other) -> Long.compare(one[0], other[0]));
    long[] low = new long[forbidden.length + 1];
    long[] high = new long[forbidden.length + 1];
    int count = 0;
    long reach = -UNLIMITED;
    for (long[] interval : forbidden) {
      if (interval[0] >= reach) {
        low[count] = reach;
        high[count++] = interval[0];
      }
      reach = Math.max(reach, interval[1]);
    }
    low[count] = reach;
    high[count++] = UNLIMITED;
    return new PairRelation(first, second, Arrays.copyOf(low, count), Arrays.copyOf(high, count));
  }
}

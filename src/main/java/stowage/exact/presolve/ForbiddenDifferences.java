package stowage.exact.presolve;

import java.util.Arrays;
import java.util.Comparator;

/** Differences of two buffers' offsets, second minus first, at which they would share bytes. */
public final class ForbiddenDifferences {
  private ForbiddenDifferences() {}

  /**
   * The forbidden differences in units where both buffers are in one memory: pairs (a, b) of which
   * all strictly between are, ascending and disjoint; none where any difference will do. O(spans of
   * the one times spans of the other).
   */
  public static long[] of(Component part, int first, int second) {
    int[] from = part.firstSpans();
    long[][] open =
        new long[(from[first + 1] - from[first]) * (from[second + 1] - from[second]) + 1][];
    int found = 0;
    if (part.extraConflict(first, second)) {
      open[found++] = new long[] {-part.sizes()[second], part.sizes()[first]};
    }
    for (int p = from[first]; p < from[first + 1]; p++) {
      for (int q = from[second]; q < from[second + 1]; q++) {
        if (part.spanStarts()[p] < part.spanEnds()[q]
            && part.spanStarts()[q] < part.spanEnds()[p]) {
          long low = part.spanLows()[p] - part.spanHighs()[q];
          open[found++] = new long[] {low, part.spanHighs()[p] - part.spanLows()[q]};
        }
      }
    }
    Arrays.sort(open, 0, found, Comparator.comparingLong(interval -> interval[0]));
    long[] merged = new long[2 * found];
    int kept = 0;
    for (int k = 0; k < found; k++) {
      if (kept > 0 && open[k][0] < merged[kept - 1]) {
        merged[kept - 1] = Math.max(merged[kept - 1], open[k][1]);
      } else {
        merged[kept++] = open[k][0];
        merged[kept++] = open[k][1];
      }
    }
    return Arrays.copyOf(merged, kept);
  }
}

package stowage.compiler.tflite;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * TensorFlow Lite's arena planner.
 *
 * <p>Source: tensorflow/lite/arena_planner.cc and simple_memory_arena.cc. Order: tensors alive for
 * the whole run first, by index; the others by size descending, then by first step; the order of
 * further ties is the file's (the original leaves it to std::sort). Rule: best fit among the
 * allocations alive at the same time, with the original's comparison: a gap counts as better if
 * what is from its <em>aligned</em> start to its end is less than the best so far, but what is
 * remembered is the gap from its <em>unaligned</em> start: with alignment, a later gap of the same
 * real size can win. The first of equal gaps is kept. Without a gap the buffer goes after the last
 * overlapping allocation.
 *
 * <p>Starts are aligned to the problem's alignment, sizes are not rounded; the original's alignment
 * of 64 is a guess and holds only where the problem asks for it. O(n²).
 *
 * @see <a
 *     href="https://github.com/tensorflow/tensorflow/blob/f885d7ed7f8dcc8a5425f64f539f92d4aa344927/tensorflow/lite/arena_planner.cc">tensorflow/tensorflow@f885d7ed:arena_planner.cc</a>
 */
public final class TfliteArena extends ListRule {
  /** The planner. */
  public TfliteArena() {
    super(
        "tflite",
        "as of 2025",
        "TensorFlow Lite: whole-run tensors, then largest first, tightest gap");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int first = Arrays.stream(all.start).min().orElse(0);
    int last = Arrays.stream(all.end).max().orElse(0);
    IntPredicate whole = r -> all.start[r] == first && all.end[r] == last;
    int[] order =
        all.sorted(
            Comparator.comparing((Integer r) -> !whole.test(r))
                .thenComparingLong(r -> whole.test(r) ? 0 : -all.buffer(r).size())
                .thenComparingInt(r -> all.start[r]));
    return CasePlan.arena(all.placement(place(all, order, control)));
  }

  /** Offsets of all rectangles, placed in an order. */
  static long[] place(HullList all, int[] order, RunControl control) {
    long[] offsets = new long[order.length];
    int[] byOffset = new int[order.length];
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int own = order[k];
      offsets[own] = bestFit(all, own, offsets, byOffset, k);
      int at = k;
      for (; at > 0 && offsets[byOffset[at - 1]] > offsets[own]; at--) {
        byOffset[at] = byOffset[at - 1];
      }
      byOffset[at] = own;
    }
    return offsets;
  }

  /** The offset of a rectangle among the first {@code placed} ones by offset. */
  private static long bestFit(HullList all, int own, long[] offsets, int[] byOffset, int placed) {
    long size = all.buffer(own).size();
    long best = -1;
    long bestFit = Long.MAX_VALUE;
    long current = 0;
    for (int k = 0; k < placed; k++) {
      int other = byOffset[k];
      if (all.overlap(own, other)) {
        long aligned = HullList.roundUp(current, all.alignment());
        if (aligned + size <= offsets[other] && offsets[other] - aligned < bestFit) {
          best = aligned;
          bestFit = offsets[other] - current;
        }
        current = Math.max(current, offsets[other] + all.buffer(other).size());
      }
    }
    return best >= 0 ? best : HullList.roundUp(current, all.alignment());
  }
}

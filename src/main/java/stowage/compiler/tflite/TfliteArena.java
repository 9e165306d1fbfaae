package stowage.compiler.tflite;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import stowage.compiler.core.ArenaGaps;
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
 * further ties is the file's (the original leaves it to std::sort). Rule: best fit with the
 * original's comparison, see {@link ArenaGaps}.
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
    ArenaGaps arena = new ArenaGaps(all, false);
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      arena.place(order[k], all.alignment());
    }
    return CasePlan.arena(all.placement(arena.offsets()));
  }
}

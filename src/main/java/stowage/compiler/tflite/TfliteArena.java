package stowage.compiler.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.heuristic.GapPlacer;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
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
 * of 64 is a guess and holds only where the problem asks for it. Complexity: see {@link GapPlacer}.
 *
 * @see <a
 *     href="https://github.com/tensorflow/tensorflow/blob/f885d7ed7f8dcc8a5425f64f539f92d4aa344927/tensorflow/lite/arena_planner.cc">tensorflow/tensorflow@f885d7ed:arena_planner.cc</a>
 */
public final class TfliteArena extends ListRule {
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
    List<Buffer> plain = new ArrayList<>();
    for (int r = 0; r < all.count(); r++) {
      plain.add(new Buffer(all.buffer(r).id(), all.buffer(r).size(), all.start[r], all.end[r]));
    }
    Memory arena = new Memory(Memory.MAIN, Memory.UNBOUNDED, all.alignment(), 0, 0);
    PackingProblem problem = PackingProblem.of("arena", plain).withMemories(List.of(arena));
    return GapPlacer.inOrder(problem, order, Fit.BEST_ABOVE_ALIGNED, control).offsets();
  }
}

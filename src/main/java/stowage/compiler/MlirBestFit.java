package stowage.compiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.compiler.core.PlannerRules;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * MLIR's static memory planner in its mode best-fit.
 *
 * <p>Order: first step, ties in file order. Rule: of the gaps between the live buffers, from 0 on
 * and each from its aligned start, the smallest that holds the buffer, the lowest of equal ones.
 * The space between the highest live buffer and the end of the arena so far competes with them; a
 * lower gap of the same size wins. Where nothing holds it the buffer goes above the highest live
 * one.
 *
 * <p>Example: the arena has reached 10, [0, 5) and [7, 10) are free: a buffer of 2 bytes goes to 7.
 *
 * <p>Starts are aligned, each buffer's to its own alignment; sizes are as they are. In the original
 * every alloc is an op of its own, so no two start together. Its default mode, trivial, reuses
 * nothing. O(n k log k) for k live buffers.
 *
 * @see <a
 *     href="https://github.com/llvm/llvm-project/blob/ae2d14a610207df50393c6e62d9ca1c61e31fe97/mlir/lib/Dialect/Bufferization/Transforms/StaticMemoryPlanning.cpp">llvm/llvm-project@ae2d14a6:StaticMemoryPlanning.cpp</a>
 */
public final class MlirBestFit extends ListRule {
  public MlirBestFit() {
    super(
        "mlir",
        "since June 2026",
        "MLIR's static memory planner: by start, tightest gap below the arena's end so far");
  }

  /** Each buffer has its own alignment, not a common one. */
  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    return PlannerRules.withoutGaps(planningCase.problem());
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] order = all.sorted(Comparator.comparingInt(r -> all.start[r]));
    long[] offsets = new long[order.length];
    long arena = 0;
    List<Integer> live = new ArrayList<>();
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int own = order[k];
      long size = all.buffer(own).size();
      live.removeIf(r -> all.end[r] <= all.start[own]);
      live.sort(Comparator.comparingLong(r -> offsets[r]));
      long tightest = Long.MAX_VALUE;
      long best = -1;
      long start = 0;
      for (int at = 0; at <= live.size(); at++) {
        long end = at < live.size() ? offsets[live.get(at)] : arena;
        if (end - start >= size && end - start < tightest) {
          tightest = end - start;
          best = start;
        }
        if (at < live.size()) {
          long next = end + all.buffer(live.get(at)).size();
          start = HullList.roundUp(next, all.alignment(own));
        }
      }
      offsets[own] = best < 0 ? start : best;
      arena = Math.max(arena, offsets[own] + size);
      live.add(own);
    }
    return CasePlan.arena(all.placement(offsets));
  }
}

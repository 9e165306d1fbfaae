package stowage.compiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * nntrainer's third planner, by gaps between live buffers.
 *
 * <p>Order: first step, then last step, ties in file order (the original's sort is not stable).
 * Rule: what is over is dropped; the <em>lowest</em> gap between the live buffers that holds the
 * buffer takes it, else it goes above the highest live one.
 *
 * <p>Example: with live buffers at [4, 8) and [10, 12) a buffer of 2 bytes goes to 0, not to the
 * tighter gap at 8. O(n k) for k live buffers.
 *
 * @see <a
 *     href="https://github.com/nnstreamer/nntrainer/blob/65dccdec/nntrainer/tensor/optimized_v3_planner.cpp">nnstreamer/nntrainer@65dccdec:optimized_v3_planner.cpp</a>
 */
public final class NntrainerV3 extends ListRule {
  /** The planner. */
  public NntrainerV3() {
    super(
        "nntrainer-v3",
        "as of December 2025",
        "nntrainer's third planner: by start, lowest gap between live buffers");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] order =
        all.sorted(
            Comparator.comparingInt((Integer r) -> all.start[r]).thenComparingInt(r -> all.end[r]));
    long[] offsets = new long[order.length];
    List<Integer> live = new ArrayList<>();
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int own = order[k];
      live.removeIf(r -> all.end[r] <= all.start[own]);
      int at = 0;
      for (; at < live.size(); at++) {
        if (offsets[live.get(at)] - offsets[own] >= all.size[own]) {
          break;
        }
        offsets[own] = offsets[live.get(at)] + all.size[live.get(at)];
      }
      live.add(at, own);
    }
    return CasePlan.arena(all.placement(offsets));
  }
}

package stowage.compiler;

import java.util.Comparator;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
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
 * tighter gap at 8. Of those placed before, the live ones are those alive with it, so this is first
 * fit in that order. O(n k log k) for k live buffers.
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
    return all.placedInOrder(order, Fit.FIRST, control);
  }
}

package stowage.compiler;

import java.util.stream.IntStream;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * IREE's layout of slices in a transient allocation.
 *
 * <p>Order: as the slices are in the program, here file order; they are not sorted. Rule:
 * TensorFlow Lite's best fit ({@link stowage.compiler.tflite.TfliteArena}), whose comparison is the
 * usual one here, for sizes and offsets are multiples of 16 bytes, the default of a resource's
 * alignments. Sizes known only at run time, which the original bins by equal symbol, do not occur
 * here. O(n log n) and the overlapping pairs, where the original takes O(n²).
 *
 * @see <a
 *     href="https://github.com/iree-org/iree/blob/0781072a/compiler/src/iree/compiler/Dialect/Stream/Transforms/LayoutSlices.cpp">iree-org/iree@0781072a:LayoutSlices.cpp</a>
 */
public final class IreeLayout extends ListRule {
  private static final long GRANULE = 16;

  /** The planner. */
  public IreeLayout() {
    super("iree", "as of February 2025", "IREE: in program order, tightest gap");
  }

  @Override
  protected long granule(boolean network) {
    return GRANULE;
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    return all.placedInOrder(IntStream.range(0, all.count()).toArray(), Fit.BEST, control);
  }
}

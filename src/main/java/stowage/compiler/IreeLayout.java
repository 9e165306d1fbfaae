package stowage.compiler;

import stowage.compiler.core.ArenaGaps;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.CasePlanner;
import stowage.compiler.core.Rectangles;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * IREE's layout of slices in a transient allocation.
 *
 * <p>Source: iree-org/iree, compiler/src/iree/compiler/Dialect/Stream/Transforms/LayoutSlices.cpp.
 * Order: as the slices are in the program, here file order; they are not sorted. Rule: TensorFlow
 * Lite's best fit with its comparison, see {@link ArenaGaps}. Sizes and offsets are multiples of 16
 * bytes, the default of a resource's alignments. Sizes known only at run time, which the original
 * bins by equal symbol, do not occur here. O(n²).
 */
public final class IreeLayout implements CasePlanner {
  private static final long GRANULE = 16;

  @Override
  public String name() {
    return "iree";
  }

  @Override
  public String summary() {
    return "IREE: in program order, tightest gap";
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    Rectangles all = Rectangles.of(name(), planningCase.problem(), GRANULE);
    ArenaGaps arena = new ArenaGaps(all, true);
    for (int rectangle = 0; rectangle < all.count(); rectangle++) {
      NotPlannableException.throwIfStopped(control, rectangle, all.count());
      arena.place(rectangle, all.alignment());
    }
    long[] offsets = arena.offsets();
    long allocated = 0;
    for (int r = 0; r < offsets.length; r++) {
      allocated = Math.max(allocated, offsets[r] + all.size[r]);
    }
    CasePlan plan = CasePlan.arena(all.placement(offsets));
    return allocated == plan.placement().peak(planningCase.problem(), 0)
        ? plan
        : plan.withRemark("allocates " + allocated + " bytes, with sizes rounded up to " + GRANULE);
  }
}

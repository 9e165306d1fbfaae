package stowage.planning;

import java.util.List;
import stowage.exact.engine.EngineOptions;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * Plan of a problem that has none within its capacity: the best that was found without it, and what
 * the capacity cannot hold.
 *
 * @param placement verified except for the capacity of the last memory
 * @param blocking the buffers that cannot be placed together
 */
public record Excess(Placement placement, String finder, BlockingSet blocking) {
  /** Limits of the search for it, which only explains what is proven. */
  private static final double SECONDS = 3;

  private static final long WORK = 2_000_000;

  /** Finds such a plan by the quick planners; null where none is found or nothing is in excess. */
  static Excess of(LoadedProblem planned, Certificate proof, RunControl control) {
    PackingProblem problem = planned.problem();
    int last = problem.memories().size() - 1;
    if (!problem.memories().get(last).isBounded()) {
      return null;
    }
    RunControl share = control.isDeterministic() ? control.withWork(WORK) : control.within(SECONDS);
    LoadedProblem free = planned.withCapacity(Memory.UNBOUNDED);
    Incumbent best = new Incumbent(free.problem());
    List<PlannerCatalogue.Choice> quick = List.of(new PlannerCatalogue.Choice.Quick());
    PlannerRun.of(free.planningCase(), best, share, quick, EngineOptions.defaults());
    return best.placement() == null
        ? null
        : new Excess(best.placement(), best.finder(), BlockingSet.of(problem, proof, share));
  }
}

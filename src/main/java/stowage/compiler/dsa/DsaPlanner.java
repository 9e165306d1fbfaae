package stowage.compiler.dsa;

import stowage.compiler.core.CasePlan;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.SystemPlanner;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/** A method of dsa-solver: it knows relations between buffers, and fails beyond a capacity. */
abstract class DsaPlanner extends SystemPlanner {
  DsaPlanner(String name, String summary) {
    super(name, "as of 2026", summary);
  }

  /** The offset of each node; null where the method finds no placement within the capacities. */
  abstract long[] place(DsaNodes nodes, RunControl control);

  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    return PlannerRules.none(planningCase.problem());
  }

  @Override
  public CasePlan planKnown(PlanningCase planningCase, RunControl control) {
    return plan(planningCase, control);
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    DsaNodes nodes = new DsaNodes(planningCase.problem(), name());
    long[] offsets = place(nodes, control);
    if (offsets == null) {
      throw new NotPlannableException(name() + " found no placement within the capacities");
    }
    return CasePlan.arena(nodes.placement(offsets));
  }
}

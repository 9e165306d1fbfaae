package stowage.compiler.core;

import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * The frame of a planner that is one rule over the buffers of a case in file order: its name, its
 * kind, what it says of itself, and how far it pads sizes. A subclass holds the rule alone.
 */
public abstract class ListRule extends SystemPlanner {
  /** A planner of one arena. */
  protected ListRule(String name, String version, String summary) {
    super(name, version, summary);
  }

  protected ListRule(String name, Planner.Kind kind, String version, String summary) {
    super(name, kind, version, summary);
  }

  /**
   * The bytes whose multiples sizes and offsets are, besides the problem's own alignments; 1 unless
   * a subclass says otherwise. A run-time's own padding counts on networks alone, for a list states
   * sizes as they are.
   *
   * @param network whether the case came from a network
   */
  protected long granule(boolean network) {
    return 1;
  }

  /** The kinds of constraints that the rule knows beyond plain live ranges. */
  protected HullList.ConstraintKind[] known() {
    return new HullList.ConstraintKind[0];
  }

  /**
   * The rule for all buffers with padded sizes, in file order; the case says what a list does not.
   */
  protected abstract CasePlan plan(PlanningCase planningCase, HullList all, RunControl control);

  /** Adds to the rule's plan how much it allocates, where padding makes that more than the peak. */
  @Override
  public final CasePlan plan(PlanningCase planningCase, RunControl control) {
    long granule = granule(planningCase.hasNetwork());
    HullList all = HullList.of(name(), planningCase.problem(), granule, known());
    CasePlan plan = plan(planningCase, all, control);
    long allocated = all.extent(plan.placement());
    return granule == 1 || allocated == plan.placement().peak(planningCase.problem(), 0)
        ? plan
        : plan.withRemark("allocates " + allocated + " bytes, with sizes rounded up to " + granule);
  }

  /** The padding as an alignment, and whole objects where the planner is one of objects. */
  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    long granule = granule(planningCase.hasNetwork());
    PlannerRules rules = PlannerRules.of(planningCase.problem()).aligned(granule);
    return kind() == Planner.Kind.OBJECTS ? rules.inWholeObjects() : rules;
  }
}

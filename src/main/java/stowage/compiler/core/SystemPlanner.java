package stowage.compiler.core;

import java.util.List;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * A planner of a real system: it places the buffers of a planning case as that system would.
 *
 * <p>Implementations are stateless and thread-safe.
 */
public abstract class SystemPlanner {
  private final String name;
  private final Planner.Kind kind;
  private final String version;
  private final String summary;

  protected SystemPlanner(String name, String version, String summary) {
    this(name, Planner.Kind.ARENA, version, summary);
  }

  protected SystemPlanner(String name, Planner.Kind kind, String version, String summary) {
    this.name = name;
    this.kind = kind;
    this.version = version;
    this.summary = summary;
  }

  /** The name by which the command line and results know it: lower case, with hyphens. */
  public final String name() {
    return name;
  }

  /** How it accounts for memory. */
  public final Planner.Kind kind() {
    return kind;
  }

  /**
   * Which state of the system it follows: "since" a month, commit or version that brought the rule,
   * "until" one that changed it, or "as of" one where no change is known.
   */
  public final String version() {
    return version;
  }

  /** One sentence: the system, its order and its rule. */
  public final String summary() {
    return summary;
  }

  /**
   * Places all buffers of a case.
   *
   * @param planningCase the buffers, and the network they came from if there is one
   * @param control when to stop; simple rules end by themselves and ignore it. A system that seeds
   *     its draws keeps its own seed, so that its figures are met; the control's seed is for those
   *     that do not
   * @return the placement, whatever the verifier may find wrong with it
   * @throws NotPlannableException when the system's rules do not admit the case, with the reason
   */
  public abstract CasePlan plan(PlanningCase planningCase, RunControl control);

  /**
   * As {@link #plan}, but refuses a problem that says more than real systems' planners know of:
   * relations between buffers, reserved ranges, buffers that hold their place.
   */
  public CasePlan planKnown(PlanningCase planningCase, RunControl control) {
    if (!planningCase.problem().isPlain()) {
      throw new NotPlannableException(
          name()
              + " knows no reserved ranges and no relations between buffers (together, exclusive,"
              + " other banks, holding a place), as the problem has them");
    }
    return plan(planningCase, control);
  }

  /**
   * How it comes to its plan, for those who want to follow it: its tables, trees or lists as lines
   * of text; empty where it has none to show.
   *
   * @throws NotPlannableException as {@link #plan}
   */
  public List<String> trace(PlanningCase planningCase) {
    return List.of();
  }

  /**
   * The case under the planner's own rules: alignments it insists on, live ranges it lengthens,
   * pairs it keeps apart, objects that it does not split. Whatever {@link #plan} gives satisfies
   * them, except for what a class says its original gets wrong. An exact method that solves them
   * shows what the rules cost, and the planner's distance from that is the planner's own.
   *
   * @throws NotPlannableException as {@link #plan}
   */
  public PlannerRules rules(PlanningCase planningCase) {
    return PlannerRules.of(planningCase.problem());
  }
}

package stowage.heuristic;

import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.PlainForm;
import stowage.packing.RunControl;

/**
 * A method that places all buffers of a packing problem.
 *
 * <p>Implementations are stateless and thread-safe. They respect every constraint of the problem
 * but the capacities: a placement that ends beyond a capacity is still an answer, and whether it
 * fits is judged outside.
 */
public interface Planner {
  /** How planners account for memory. */
  enum Kind {
    /** Gives offsets in one arena. */
    ARENA,
    /** Reuses whole objects; they become offsets by being laid end to end. */
    OBJECTS,
    /** Proves what it finds. */
    EXACT
  }

  /** The name by which the command line and results know it: lower case, with hyphens. */
  String name();

  /** One sentence: order, rule and source. */
  String summary();

  default Kind kind() {
    return Kind.ARENA;
  }

  /**
   * Places all buffers.
   *
   * @param problem the problem, with every constraint kind that a problem can hold
   * @param control when to stop and which seed to use; simple rules end by themselves, but on very
   *     large problems not soon
   * @throws NotPlannableException when the planner's rules do not admit the problem, or when it was
   *     asked to stop before it had placed everything
   */
  Placement plan(PackingProblem problem, RunControl control);

  /**
   * Places all buffers of any problem: of one that is not plain through its {@linkplain PlainForm
   * plain form}, which may be stricter than the problem.
   *
   * @throws NotPlannableException also when the plain form cannot say what the problem asks for
   */
  default Placement planAny(PackingProblem problem, RunControl control) {
    if (problem.isPlain()) {
      return plan(problem, control);
    }
    PlainForm plain = PlainForm.of(problem);
    if (plain.problem() == null) {
      throw new NotPlannableException(
          plain.obstacle() != null
              ? plain.obstacle().sentence()
              : "the problem has " + plain.refusal() + ", which only the planner pairs knows");
    }
    return plain.expand(plan(plain.problem(), control));
  }
}

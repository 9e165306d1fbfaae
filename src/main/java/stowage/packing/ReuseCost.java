package stowage.packing;

import java.util.List;

/**
 * The price of a placement's reuse: the sum of the weights of all {@linkplain Relations.Reuse reuse
 * pairs} that share addresses without being alive at once.
 */
public final class ReuseCost {
  private ReuseCost() {}

  /** {@return the pairs that are paid for, in the problem's order} O(pairs). */
  public static List<Relations.Reuse> paid(PackingProblem problem, Placement placement) {
    return List.of(RelationVerifier.paid(problem, placement));
  }

  /** {@return the sum of the weights of the pairs that are paid for} O(pairs). */
  public static long of(PackingProblem problem, Placement placement) {
    return RelationVerifier.sum(RelationVerifier.paid(problem, placement));
  }
}

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
    return problem.relations().reuse().stream()
        .filter(pair -> isPaid(problem, placement, pair))
        .toList();
  }

  /** {@return the sum of the weights of the pairs that are paid for} O(pairs). */
  public static long of(PackingProblem problem, Placement placement) {
    return paid(problem, placement).stream().mapToLong(Relations.Reuse::weight).sum();
  }

  private static boolean isPaid(PackingProblem problem, Placement placement, Relations.Reuse pair) {
    int i = pair.first();
    int j = pair.second();
    long low = Math.max(placement.offset(i), placement.offset(j));
    long high =
        Math.min(
            placement.offset(i) + problem.buffer(i).size(),
            placement.offset(j) + problem.buffer(j).size());
    return low < high && placement.memory(i) == placement.memory(j) && problem.isPayable(pair);
  }
}

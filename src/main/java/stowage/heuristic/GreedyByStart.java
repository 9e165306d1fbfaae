package stowage.heuristic;

import java.util.Comparator;
import stowage.packing.PackingProblem;

/**
 * Places buffers as they are born: what an online allocator with the same choice of gaps would do,
 * had it to be right about fixed offsets beforehand.
 *
 * <p>Source: dynamic storage allocation, as in Robson (1974, doi 10.1145/321832.321846). Order:
 * first step ascending; ties: the larger first, then the order of the file. O(n log n) for the
 * order; see {@link OrderPlacer} for the rest.
 */
public final class GreedyByStart extends GreedyPlanner {

  /** The planner with a rule for the choice among gaps. */
  public GreedyByStart(Fit fit) {
    super("start", fit);
  }

  @Override
  String orderInWords() {
    return "Earliest start first";
  }

  @Override
  int[] order(PackingProblem problem) {
    return OrderKeys.sorted(
        problem,
        Comparator.comparingInt((Integer i) -> problem.buffer(i).live().start())
            .thenComparing(OrderKeys.bySize(problem)));
  }
}

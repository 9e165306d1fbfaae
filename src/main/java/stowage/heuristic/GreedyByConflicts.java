package stowage.heuristic;

import java.util.Comparator;
import stowage.packing.PackingProblem;

/**
 * Places the buffer that conflicts with most others first, by time or as an extra pair.
 *
 * <p>Source: the order of TVM's unified static memory planner (greedy by conflicts); TVM's own
 * placement, which fills no gaps, is another planner. Order: number of conflicting buffers
 * descending, live ranges taken with their gaps; ties: the larger first, then the order of the
 * file. O(n log n + pairs) for the order; see {@link OrderPlacer} for the rest.
 */
public final class GreedyByConflicts extends GreedyPlanner {

  /** The planner with a rule for the choice among gaps. */
  public GreedyByConflicts(Fit fit) {
    super("conflicts", fit);
  }

  @Override
  String orderInWords() {
    return "Most conflicts first";
  }

  @Override
  int[] order(PackingProblem problem) {
    int[] counts = OrderKeys.conflictCounts(problem);
    return OrderKeys.sorted(
        problem,
        Comparator.comparingInt((Integer i) -> counts[i])
            .reversed()
            .thenComparing(OrderKeys.bySize(problem)));
  }
}

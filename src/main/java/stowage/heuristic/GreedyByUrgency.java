package stowage.heuristic;

import java.util.Comparator;
import stowage.packing.PackingProblem;

/**
 * Places first what is alive where memory is scarcest: a buffer's urgency is the largest load at
 * any step of its life.
 *
 * <p>Source: the start order of Vela's hill climb (ethosu/vela/hillclimb_allocation.py), and
 * MiniMalloc's total order (Moffitt, ASPLOS 2023, doi 10.1145/3623278.3624752). Order: urgency
 * descending; ties: the longer alive first, then the larger, then the order of the file. O(n log
 * n); see {@link OrderPlacer} for the rest.
 */
public final class GreedyByUrgency extends GreedyPlanner {

  /** The planner with a rule for the choice among gaps. */
  public GreedyByUrgency(Fit fit) {
    super("urgency", fit);
  }

  @Override
  String orderInWords() {
    return "Largest load over the live range first";
  }

  @Override
  int[] order(PackingProblem problem) {
    long[] loads = OrderKeys.largestLoads(problem);
    return OrderKeys.sorted(
        problem,
        Comparator.comparingLong((Integer i) -> loads[i])
            .reversed()
            .thenComparing(OrderKeys.byLifetime(problem))
            .thenComparing(OrderKeys.bySize(problem)));
  }
}

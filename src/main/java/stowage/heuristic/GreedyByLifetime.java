package stowage.heuristic;

import stowage.packing.PackingProblem;

/**
 * Places the buffer that is alive longest first: it is in the way of most others, so it goes to the
 * bottom, and the short-lived ones are stacked on it.
 *
 * <p>Source: one of the temporal orders of XLA's heap simulator and of Vela; folklore. Order: steps
 * of the live range descending; ties: the larger first, then the order of the file. O(n log n) for
 * the order; see {@link OrderPlacer} for the rest.
 */
public final class GreedyByLifetime extends GreedyPlanner {

  /** The planner with a rule for the choice among gaps. */
  public GreedyByLifetime(Fit fit) {
    super("lifetime", fit);
  }

  @Override
  String orderInWords() {
    return "Longest alive first";
  }

  @Override
  int[] order(PackingProblem problem) {
    return OrderKeys.sorted(
        problem, OrderKeys.byLifetime(problem).thenComparing(OrderKeys.bySize(problem)));
  }
}

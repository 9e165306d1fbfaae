package stowage.heuristic;

import stowage.packing.PackingProblem;

/**
 * Places the largest buffer first: the small ones then find room in what the large ones leave.
 *
 * <p>Source: Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference (2020,
 * arXiv:2001.03288), there with best fit; the order is that of TensorFlow Lite and of many others.
 * Order: size descending; ties: the longer alive first, then the order of the file. O(n log n) for
 * the order; see {@link OrderPlacer} for the rest.
 */
public final class GreedyBySize extends GreedyPlanner {

  /** The planner with a rule for the choice among gaps. */
  public GreedyBySize(Fit fit) {
    super("size", fit);
  }

  @Override
  String orderInWords() {
    return "Largest buffer first";
  }

  @Override
  int[] order(PackingProblem problem) {
    return OrderKeys.sorted(
        problem, OrderKeys.bySize(problem).thenComparing(OrderKeys.byLifetime(problem)));
  }
}

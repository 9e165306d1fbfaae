package stowage.heuristic;

import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * What the greedy planners have in common: an order fixed beforehand, then each buffer in turn into
 * the first or the best gap that those before it leave, by {@link OrderPlacer}. O(n log n) for the
 * order and O(k log n) for each buffer with k overlapping ones placed before it.
 */
abstract class GreedyPlanner implements Planner {
  private final String key;
  private final Fit fit;

  /**
   * @param key the order's word in the planner's name, such as {@code size}
   */
  GreedyPlanner(String key, Fit fit) {
    this.key = key;
    this.fit = fit;
  }

  /** The order in which buffers are placed, every index once. */
  abstract int[] order(PackingProblem problem);

  /** The order in words, such as {@code largest first}. */
  abstract String orderInWords();

  @Override
  public final String name() {
    return "greedy-" + key + fit.suffix();
  }

  @Override
  public final String summary() {
    return orderInWords() + ", each into " + fit.words();
  }

  @Override
  public final Placement plan(PackingProblem problem, RunControl control) {
    return OrderPlacer.inOrder(problem, order(problem), fit, control);
  }
}

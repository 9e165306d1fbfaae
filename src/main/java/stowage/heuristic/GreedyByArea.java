package stowage.heuristic;

import java.util.Arrays;
import java.util.Comparator;
import stowage.packing.PackingProblem;

/**
 * Places the buffer of the largest area first, bytes times steps, gaps taken off.
 *
 * <p>Source: the area order of Moffitt, MiniMalloc (ASPLOS 2023, doi 10.1145/3623278.3624752),
 * there a search's ranking, here a plain greedy order. Order: area descending, compared as double;
 * ties: the larger first, then the order of the file. O(n log n) for the order; see {@link
 * OrderPlacer} for the rest.
 */
public final class GreedyByArea extends GreedyPlanner {

  /** The planner with a rule for the choice among gaps. */
  public GreedyByArea(Fit fit) {
    super("area", fit);
  }

  @Override
  String orderInWords() {
    return "Largest size times lifetime first";
  }

  @Override
  int[] order(PackingProblem problem) {
    double[] areas = new double[problem.size()];
    Arrays.setAll(areas, i -> OrderKeys.area(problem.buffer(i)));
    return OrderKeys.sorted(
        problem,
        Comparator.comparingDouble((Integer i) -> areas[i])
            .reversed()
            .thenComparing(OrderKeys.bySize(problem)));
  }
}

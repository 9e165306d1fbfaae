package stowage.heuristic;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.Function;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * The greedy planners: an order fixed beforehand, then each buffer in turn into the first or the
 * best gap that those before it leave, by {@link GapPlacer}. O(n log n) for the order and O(k log
 * n) for each buffer with k overlapping ones placed before it.
 */
public final class GreedyPlanner implements Planner {
  /** The orders; what is left equal by one keeps the order of the file. */
  public enum Order {
    /**
     * The largest first: the small ones then find room in what these leave. Ties: the longer alive.
     * Source: Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference (2020,
     * arXiv:2001.03288), there with best fit; the order of TensorFlow Lite and of many others.
     */
    SIZE(
        "Largest buffer first",
        problem -> OrderKeys.bySize(problem).thenComparing(OrderKeys.byLifetime(problem))),

    /**
     * First what is alive where memory is scarcest: the largest load at any step of the live range.
     * Ties: the longer alive, then the larger. Source: the start order of Vela's hill climb
     * (ethosu/vela/hillclimb_allocation.py), and MiniMalloc's total order (Moffitt, ASPLOS 2023,
     * doi 10.1145/3623278.3624752).
     */
    URGENCY(
        "Largest load over the live range first",
        problem -> {
          long[] loads = OrderKeys.largestLoads(problem);
          return Comparator.comparingLong((Integer i) -> loads[i])
              .reversed()
              .thenComparing(OrderKeys.byLifetime(problem))
              .thenComparing(OrderKeys.bySize(problem));
        }),

    /**
     * The largest area first, bytes times steps, gaps taken off, compared as double. Ties: the
     * larger. Source: the area order of MiniMalloc, there a search's ranking.
     */
    AREA(
        "Largest size times lifetime first",
        problem -> {
          double[] areas = new double[problem.size()];
          Arrays.setAll(areas, i -> OrderKeys.area(problem.buffer(i)));
          return Comparator.comparingDouble((Integer i) -> areas[i])
              .reversed()
              .thenComparing(OrderKeys.bySize(problem));
        }),

    /**
     * What is alive longest first: it is in the way of most others, so it goes to the bottom. Ties:
     * the larger. Source: one of the temporal orders of XLA's heap simulator and of Vela.
     */
    LIFETIME(
        "Longest alive first",
        problem -> OrderKeys.byLifetime(problem).thenComparing(OrderKeys.bySize(problem))),

    /**
     * What conflicts with most others first, by time with its gaps or as an extra pair. Ties: the
     * larger. O(n log n + pairs). Source: the order of TVM's unified static memory planner; TVM's
     * own placement, which fills no gaps, is another planner.
     */
    CONFLICTS(
        "Most conflicts first",
        problem -> {
          int[] counts = OrderKeys.conflictCounts(problem);
          return Comparator.comparingInt((Integer i) -> counts[i])
              .reversed()
              .thenComparing(OrderKeys.bySize(problem));
        }),

    /**
     * Earliest first step first: what an online allocator with the same choice of gaps would do,
     * had it to be right about fixed offsets beforehand. Ties: the larger. Source: dynamic storage
     * allocation, as in Robson (1974, doi 10.1145/321832.321846).
     */
    START(
        "Earliest start first",
        problem ->
            Comparator.comparingInt((Integer i) -> problem.buffer(i).live().start())
                .thenComparing(OrderKeys.bySize(problem)));

    private final String words;
    private final Function<PackingProblem, Comparator<Integer>> comparator;

    Order(String words, Function<PackingProblem, Comparator<Integer>> comparator) {
      this.words = words;
      this.comparator = comparator;
    }

    /** The buffers in the order in which they are placed, every index once. */
    int[] of(PackingProblem problem) {
      return OrderKeys.sorted(problem, comparator.apply(problem));
    }
  }

  private final Order order;
  private final Fit fit;

  /** The planner of an order, with a rule for the choice among gaps. */
  public GreedyPlanner(Order order, Fit fit) {
    this.order = order;
    this.fit = fit;
  }

  @Override
  public String name() {
    return "greedy-" + order.name().toLowerCase(Locale.ROOT) + fit.suffix();
  }

  @Override
  public String summary() {
    return order.words + ", each into " + fit.words();
  }

  @Override
  public Placement plan(PackingProblem problem, RunControl control) {
    return GapPlacer.inOrder(problem, order.of(problem), fit, control);
  }
}

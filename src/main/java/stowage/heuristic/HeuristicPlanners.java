package stowage.heuristic;

import java.util.ArrayList;
import java.util.List;

/** All planners that need only the packing problem: the list that the command line shows. */
public final class HeuristicPlanners {
  private static final List<Planner> ALL = make();

  private HeuristicPlanners() {}

  private static List<Planner> make() {
    List<Planner> planners = new ArrayList<>();
    for (Fit fit : List.of(Fit.FIRST, Fit.BEST)) {
      for (GreedyPlanner.Order order : GreedyPlanner.Order.values()) {
        planners.add(new GreedyPlanner(order, fit));
      }
    }
    planners.add(new HintPlanner());
    planners.add(new SweepBestFit());
    planners.add(new OrderAnnealing());
    return List.copyOf(planners);
  }

  /** All of them: the greedy ones, the sweep, then the search over orders, which takes longer. */
  public static List<Planner> all() {
    return ALL;
  }

  /** The greedy planners alone, which end at once on problems of ordinary size. */
  public static List<Planner> simple() {
    return ALL.stream().filter(planner -> planner instanceof GreedyPlanner).toList();
  }

  /** The planner of a name, or null. */
  public static Planner named(String name) {
    return ALL.stream().filter(planner -> planner.name().equals(name)).findFirst().orElse(null);
  }
}

package stowage.onchip.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOutcome;
import stowage.onchip.search.GroupSearch;

/**
 * The cheapest partition into groups of ops that follow each other in the execution order.
 *
 * <p>With costs that add up, the best partition of the first j ops ends in some group [i, j), and
 * what comes before is best by itself: best(j) = min over i of best(i) + cost(i, j). So O(ops^2)
 * group costs give the optimum, with no clustering of ops before. Of the groups that end in one op
 * those are searched first that would cost least if nothing had to be cut, and none that could not
 * improve on what is found. When time is over, groups count what is known of them.
 */
public final class IntervalPartitioner implements Partitioner {
  @Override
  public String name() {
    return "dp";
  }

  @Override
  public List<Partitioner> included() {
    return List.of(new TailPartitioner());
  }

  @Override
  public Partition partition(GroupSearch search, List<List<int[]>> starts) {
    int n = search.graph().size();
    GroupOptions.GroupObjective objective = search.options().objective();
    IntervalCosts costs = new IntervalCosts(search.graph(), search.cost(), objective);
    double[] best = new double[n + 1];
    double[] lower = new double[n + 1];
    int[] from = new int[n + 1];
    for (int j = 1; j <= n; j++) {
      best[j] = best[j - 1] + costs.alone(j - 1);
      lower[j] = lower[j - 1] + costs.alone(j - 1);
      from[j] = j - 1;
      double[] leasts = costs.endingIn(j - 1);
      for (int i : candidates(leasts, best)) {
        double least = leasts[i];
        if (best[i] + least < best[j]) {
          int[] members = Partitioner.interval(i, j - 1);
          GroupOutcome outcome = search.search(members, best[j] - best[i]);
          least = Math.max(least, outcome.lowerCost(objective));
          if (outcome.fits() && best[i] + outcome.cost(objective) < best[j]) {
            best[j] = best[i] + outcome.cost(objective);
            from[j] = i;
          }
        }
        lower[j] = Math.min(lower[j], lower[i] + least);
      }
    }
    List<int[]> groups = new ArrayList<>();
    for (int j = n; j > 0; j = from[j]) {
      groups.add(Partitioner.interval(from[j], j - 1));
    }
    Collections.reverse(groups);
    return Partition.of(groups, lower[n], BoundScope.CONTIGUOUS, search);
  }

  /** First ops of the groups of two ops or more that end in one op, the most promising first. */
  private static List<Integer> candidates(double[] least, double[] best) {
    List<Integer> first = new ArrayList<>();
    for (int i = least.length - 2; i >= 0 && least[i] < Double.POSITIVE_INFINITY; i--) {
      first.add(i);
    }
    first.sort(Comparator.comparingDouble(i -> best[i] + least[i]));
    return first;
  }

  /**
   * A lower bound of every partition that needs no search: inputs, constants and outputs of the
   * whole network are moved once, or for cycles the longer of that and all computing.
   */
  public static double lowerBound(GroupSearch search) {
    LayerGraph graph = search.graph();
    CostModel cost = search.cost();
    boolean cycles = search.options().objective() == GroupOptions.GroupObjective.CYCLES;
    double moved = 0;
    double computed = 0;
    for (int t = 0; t < graph.tensorCount(); t++) {
      boolean input = graph.producer(t) < 0 && graph.consumers(t).length > 0;
      boolean output = graph.isOutput(t) && graph.producer(t) >= 0;
      if (graph.tensor(t).isWeight() ? !input : !input && !output) {
        continue;
      }
      int[] users = input ? graph.consumers(t) : new int[] {graph.producer(t)};
      boolean free =
          (input && graph.isSkipped(t))
              || Arrays.stream(users)
                  .allMatch(user -> cost.layerTraffic(graph, graph.layer(user)) == 0);
      long bytes = free ? 0 : graph.tensor(t).bytes();
      moved += cycles ? cost.transferCycles(bytes) : bytes;
    }
    for (int p = 0; p < graph.size() && cycles; p++) {
      Layer layer = graph.layer(p);
      boolean counted = cost.layerTraffic(graph, layer) > 0 && !graph.isCutShort(p);
      computed += counted ? cost.wholeCycles(graph, layer) : 0;
    }
    return Math.max(moved, computed);
  }
}

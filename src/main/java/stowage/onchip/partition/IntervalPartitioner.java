package stowage.onchip.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupOutcome;
import stowage.onchip.search.GroupSearch;

/**
 * The cheapest partition into groups of ops that follow each other in the execution order.
 *
 * <p>With costs that add up, the best partition of the first j ops ends in some group [i, j), and
 * what comes before is best by itself: best(j) = min over i of best(i) + cost(i, j). So O(ops^2)
 * group costs give the optimum, with no clustering of ops before. Where LMEM is large, most groups
 * cost what they would if nothing had to be cut, and a few that are searched say what the optimum
 * is. Else all that may be in it are searched op by op: of the groups that end in one op those are
 * searched first that would cost least if nothing had to be cut, and none that could not improve on
 * what is found. When time is over, groups count what is known of them.
 */
public final class IntervalPartitioner implements Partitioner {
  private static final int ROUNDS = 40;

  /** In networks of more ops no group is looked at any more when time is over. */
  static final int MANY_OPS = 1000;

  private final int rounds;

  /** The partitioner with the usual number of rounds. */
  public IntervalPartitioner() {
    this(ROUNDS);
  }

  /** With so many rounds at most in which the optimum is looked for among few groups. */
  IntervalPartitioner(int rounds) {
    this.rounds = rounds;
  }

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
    GroupObjective objective = search.options().objective();
    IntervalCosts costs = new IntervalCosts(search.graph(), search.cost(), objective);
    List<int[]> start =
        Partitioner.cheapest(
            Partitioner.singletons().partition(search, List.of()).groups(),
            starts,
            groups -> Partitioner.recalledCost(search, groups));
    Partition few = byFewGroups(search, costs, start);
    return few == null ? opByOp(search, costs) : few;
  }

  /**
   * The optimum where few groups have to be searched to know it, else null: in rounds, the groups
   * of the cheapest way through all ops that were not searched are, and count what was found from
   * then on, until that way has none left or costs as much as the start. (Lazy search of shortest
   * paths, Dellin and Srinivasa 2016.)
   */
  private Partition byFewGroups(GroupSearch search, IntervalCosts costs, List<int[]> start) {
    int n = search.graph().size();
    GroupObjective objective = search.options().objective();
    double most = Partitioner.recalledCost(search, start);
    Map<List<Integer>, GroupOutcome> found = new HashMap<>();
    Price price = (group, least) -> cost(found.get(group), objective, least);
    for (int round = 0; round < rounds && !search.limits().isStopped(); round++) {
      Ways ways = Ways.of(search, costs, price);
      if (ways == null) {
        return null;
      }
      boolean known = true;
      for (int j = n; j > 0 && ways.cost[n] < most; j = ways.from[j]) {
        List<Integer> group = List.of(ways.from[j], j);
        if (j - ways.from[j] > 1 && !found.containsKey(group)) {
          double others = ways.cost[n] - (ways.cost[j] - ways.cost[ways.from[j]]);
          int[] members = Partitioner.interval(ways.from[j], j - 1);
          found.put(group, search.search(members, most - others));
          known = false;
        }
      }
      if (known && !search.limits().isStopped()) {
        Price proven =
            (group, least) ->
                found.containsKey(group) ? Math.max(least, found.get(group).lower()) : least;
        Ways least = Ways.of(search, costs, proven);
        double lower = least == null ? 0 : least.cost[n];
        List<int[]> groups = ways.cost[n] < most ? ways.groups() : start;
        return Partition.of(groups, lower, BoundScope.CONTIGUOUS, search);
      }
    }
    return null;
  }

  private static double cost(GroupOutcome outcome, GroupObjective objective, double unknown) {
    return outcome == null
        ? unknown
        : outcome.fits() ? outcome.cost(objective) : Double.POSITIVE_INFINITY;
  }

  /** What a group, its first op and the op after it, counts; at least {@code least}. */
  private interface Price {
    double of(List<Integer> group, double least);
  }

  /**
   * The cheapest ways through the first ops, by how many they are: what they cost, and where the
   * last group begins.
   */
  private record Ways(double[] cost, int[] from) {
    /** O(ops^2 * operands); null where time is over before. */
    static Ways of(GroupSearch search, IntervalCosts costs, Price price) {
      int ops = search.graph().size();
      Ways ways = new Ways(new double[ops + 1], new int[ops + 1]);
      double[] cost = ways.cost;
      for (int j = 1; j <= ops; j++) {
        if (ops > MANY_OPS && search.limits().isStopped()) {
          return null;
        }
        cost[j] = cost[j - 1] + costs.alone(j - 1);
        ways.from[j] = j - 1;
        double[] least = costs.endingIn(j - 1);
        for (int i = j - 2; i >= 0 && least[i] < Double.POSITIVE_INFINITY; i--) {
          double its =
              cost[i] + least[i] < cost[j] ? cost[i] + price.of(List.of(i, j), least[i]) : cost[j];
          if (its < cost[j]) {
            cost[j] = its;
            ways.from[j] = i;
          }
        }
      }
      return ways;
    }

    List<int[]> groups() {
      List<int[]> groups = new ArrayList<>();
      for (int j = from.length - 1; j > 0; j = from[j]) {
        groups.add(Partitioner.interval(from[j], j - 1));
      }
      Collections.reverse(groups);
      return groups;
    }
  }

  /** The optimum with all groups searched that may be in it, or the best known at a stop. */
  private static Partition opByOp(GroupSearch search, IntervalCosts costs) {
    int n = search.graph().size();
    GroupObjective objective = search.options().objective();
    double[] best = new double[n + 1];
    double[] lower = new double[n + 1];
    int[] from = new int[n + 1];
    for (int j = 1; j <= n; j++) {
      best[j] = best[j - 1] + costs.alone(j - 1);
      lower[j] = lower[j - 1] + costs.alone(j - 1);
      from[j] = j - 1;
      if (n > MANY_OPS && search.limits().isStopped()) {
        lower[j] = 0; // no group with this op last is looked at
        continue;
      }
      double[] leasts = costs.endingIn(j - 1);
      for (int i : candidates(leasts, best)) {
        double least = leasts[i];
        if (best[i] + least < best[j]) {
          int[] members = Partitioner.interval(i, j - 1);
          GroupOutcome outcome = search.search(members, best[j] - best[i]);
          least = Math.max(least, outcome.lower());
          if (outcome.fits() && best[i] + outcome.cost(objective) < best[j]) {
            best[j] = best[i] + outcome.cost(objective);
            from[j] = i;
          }
        }
        lower[j] = Math.min(lower[j], lower[i] + least);
      }
    }
    List<int[]> groups = new Ways(best, from).groups();
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
  public static double lowerBound(LayerGraph graph, GroupObjective objective) {
    CostModel cost = new CostModel(graph.chip());
    boolean cycles = objective == GroupObjective.CYCLES;
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

package stowage.onchip.cpsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.network.Chip;
import stowage.onchip.Chips;
import stowage.onchip.GroupPlanner;
import stowage.onchip.Grouping;
import stowage.onchip.Groups;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.partition.IntervalPartitioner;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.partition.TailPartitioner;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.TimeSteps;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupOptions.SlicingSearch;
import stowage.onchip.search.GroupSearch;
import stowage.onchip.search.GroupSearches;
import stowage.onchip.slice.BackwardSlicer;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.onchip.slice.Staying;
import stowage.packing.RunControl;
import stowage.packing.Status;

/** What is claimed of groupings, against every grouping of small random networks. */
class GroupProofsTest {
  private static final int OPS = 5;
  private static final List<GroupObjective> COSTS =
      List.of(GroupObjective.TRAFFIC, GroupObjective.CYCLES);

  /** A network of branches, with pools that skip rows and rows that are repeated. */
  private static LayerGraph graph(Random random) {
    List<String> names = new ArrayList<>(List.of("t0"));
    List<int[]> shapes = new ArrayList<>(List.of(new int[] {8, 5 + random.nextInt(5)}));
    Set<String> unread = new TreeSet<>();
    StringBuilder text = new StringBuilder("t0:1x8x%1$dx%1$d".formatted(shapes.get(0)[1]));
    for (int k = 1; k <= OPS; k++) {
      int from = Math.max(0, k - 1 - random.nextInt(2));
      int channels = shapes.get(from)[0];
      int rows = shapes.get(from)[1];
      String op = "Relu " + names.get(from);
      int kind = random.nextInt(6);
      int other = k - 2;
      if (kind == 0 && rows > 3) {
        int kernel = 1 + random.nextInt(2);
        op = "MaxPool %s kernel_shape=[%2$d,%2$d] strides=[2,2]".formatted(names.get(from), kernel);
        rows = (rows - kernel) / 2 + 1;
      } else if (kind == 1 && rows < 10) {
        op = "Upsample " + names.get(from);
        rows *= 2;
      } else if (kind == 2 && other >= 0 && Arrays.equals(shapes.get(other), shapes.get(k - 1))) {
        op = "Add %s %s".formatted(names.get(k - 1), names.get(other));
        unread.remove(names.get(other));
        from = k - 1;
      } else if (kind <= 4) {
        channels = 4 * (1 + random.nextInt(3));
        op = "Conv %s window=3,1,1".formatted(names.get(from));
      }
      text.append("; t%1$d:1x%2$dx%3$dx%3$d = ".formatted(k, channels, rows)).append(op);
      unread.remove(names.get(from));
      unread.add("t" + k);
      names.add("t" + k);
      shapes.add(new int[] {channels, rows});
    }
    Chip chip =
        Chips.chip(
            shapes.get(0)[1] % 2 == 0 ? "c" : "cv181x", // cuts by other rules
            4,
            16,
            512L << random.nextInt(3),
            2,
            1 + 15 * random.nextInt(2),
            random.nextBoolean());
    return Groups.layers(chip, text + "; -> " + String.join(" ", unread));
  }

  /**
   * The least cost of each group, over slices, constants that stay and addresses.
   *
   * @param every whether all counts are tried, or of those whose largest parts are equally long the
   *     least alone, as exact slicing has it
   */
  private record Costs(
      LayerGraph graph,
      GroupObjective objective,
      CostModel cost,
      boolean every,
      Map<List<Integer>, Double> known) {
    double of(List<Integer> members) {
      return known.computeIfAbsent(members, key -> least(ints(key)));
    }

    private double least(int[] members) {
      if (members.length == 1) {
        return GroupSearch.alone(graph, cost, members[0], objective);
      }
      GroupModel group = new GroupModel(graph, members);
      double best = Double.POSITIVE_INFINITY;
      if (group.obstacle() != null) {
        return best;
      }
      Slicing most = BackwardSlicer.most(group);
      for (int c : counts(most.c())) {
        for (int h : counts(most.h())) {
          for (int w : counts(most.w())) {
            try {
              best = least(Groups.sliced(group, new Slicing(1, c, 1, h, w)), best);
            } catch (SlicingException cannot) {
              // not a way of cutting the group
            }
          }
        }
      }
      return best;
    }

    /** The least counts that make the largest of equal parts so small. */
    private int[] counts(int most) {
      return IntStream.rangeClosed(1, most)
          .filter(count -> every || count == 1 || ceil(most, count) < ceil(most, count - 1))
          .toArray();
    }

    private static int ceil(int extent, int parts) {
      return (extent + parts - 1) / parts;
    }

    private double least(SlicedGroup sliced, double best) {
      int weights = sliced.slicing().isCut() ? sliced.group().weightCount() : 0;
      double least = best;
      for (int mask = 0; mask < 1 << weights; mask++) {
        Staying staying = Staying.all(sliced);
        if (weights > 0) {
          boolean[] held = new boolean[weights];
          for (int w = 0; w < weights; w++) {
            held[w] = (mask >> w & 1) == 1;
          }
          staying = staying.withWeights(held);
        }
        GroupRun run = new TimeSteps(sliced, cost).run(sliced.slicing().isCut(), staying);
        double its =
            objective == GroupObjective.CYCLES
                ? cost.groupCycles(run)
                : cost.groupTraffic(sliced, staying);
        if (its < least
            && new CpSatLmem().fit(run.problem(), RunControl.unlimited()).verdict()
                == LmemEngine.Verdict.FITS) {
          least = its;
        }
      }
      return least;
    }
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The least costs of all groupings that can run, by scope. */
  private static Map<BoundScope, Double> least(
      LayerGraph graph, Costs every, Costs costs, Set<List<Integer>> pool) {
    Map<BoundScope, Double> least = new EnumMap<>(BoundScope.class);
    divide(graph, new int[graph.size()], 0, 0, every, costs, pool, least);
    return least;
  }

  private static void divide(
      LayerGraph graph,
      int[] groupOf,
      int at,
      int count,
      Costs every,
      Costs costs,
      Set<List<Integer>> pool,
      Map<BoundScope, Double> least) {
    if (at < groupOf.length) {
      for (int k = 0; k <= count; k++) {
        groupOf[at] = k;
        divide(graph, groupOf, at + 1, Math.max(count, k + 1), every, costs, pool, least);
      }
      return;
    }
    if (!runs(graph, groupOf, count)) {
      return;
    }
    double sum = 0;
    double sumOfEvery = 0;
    boolean contiguous = true;
    boolean pooled = true;
    for (int k = 0; k < count; k++) {
      int number = k;
      List<Integer> members =
          IntStream.range(0, at).filter(p -> groupOf[p] == number).boxed().toList();
      sum += costs.of(members);
      sumOfEvery += every.of(members);
      contiguous &= members.get(members.size() - 1) - members.get(0) + 1 == members.size();
      pooled &= pool.contains(members);
    }
    least.merge(BoundScope.NETWORK, sumOfEvery, Math::min);
    if (contiguous) {
      least.merge(BoundScope.CONTIGUOUS, sum, Math::min);
    }
    if (pooled) {
      least.merge(BoundScope.CONVEX, sum, Math::min);
    }
  }

  /** Whether groups do not wait for each other in a circle. */
  private static boolean runs(LayerGraph graph, int[] groupOf, int count) {
    boolean[] done = new boolean[count];
    for (int round = 0; round < count; round++) {
      for (int k = 0; k < count; k++) {
        int number = k;
        boolean ready =
            IntStream.range(0, groupOf.length)
                .filter(p -> groupOf[p] == number)
                .allMatch(
                    p ->
                        graph.layer(p).operands().stream()
                            .mapToInt(operand -> graph.producer(operand.tensor()))
                            .allMatch(
                                from ->
                                    from < 0 || groupOf[from] == number || done[groupOf[from]]));
        done[k] |= ready;
      }
    }
    return IntStream.range(0, count).allMatch(k -> done[k]);
  }

  /** All stretches of three orders in which ops can run, and the ops. */
  private static Set<List<Integer>> pool(LayerGraph graph) {
    GroupSearches searches =
        new GroupSearches(graph, new CpSatLmem(), RunControl.unlimited(), 0.05);
    GroupOptions options =
        new GroupOptions(
            GroupOptions.Lmem.EXACT, SlicingSearch.EXACT, GroupObjective.TRAFFIC, false);
    Set<List<Integer>> pool = new HashSet<>();
    ConvexGroups.of(searches.of(options))
        .forEach(group -> pool.add(Arrays.stream(group.members).boxed().toList()));
    return pool;
  }

  /** In the last step of this network a load takes as long as the op; a store beside it waits. */
  @Test
  void aBoundThatStoresMovedLaterFallBelowIsNotClaimed() {
    LayerGraph graph = graph(new Random(1267));
    GroupOptions options =
        new GroupOptions(
            GroupOptions.Lmem.EXACT, SlicingSearch.EXACT, GroupObjective.CYCLES, false);
    GroupPlanner planner =
        new GroupPlanner(graph, options, new CpSatLmem(), RunControl.ofSeconds(600, 1, 1));
    Grouping divided = planner.divide(new IntervalPartitioner());
    assertEquals(BoundScope.CONTIGUOUS, divided.scope());
    assertEquals(Status.OPTIMAL, divided.status());
    Grouping moved = planner.plan(new IntervalPartitioner());
    assertTrue(moved.objective() < divided.lowerBound(), "stores that move no longer cost less");
    assertEquals(BoundScope.NETWORK, moved.scope());
    assertEquals(Status.FEASIBLE, moved.status());
  }

  @Test
  void noGroupingOfTheScopeCostsLessThanItsBound() {
    Map<BoundScope, Integer> proven = new EnumMap<>(BoundScope.class);
    int better = 0;
    int from = Thorough.of(1211, 1000);
    for (long seed = from; seed < from + Thorough.of(6, 400); seed++) {
      LayerGraph graph = graph(new Random(seed));
      Set<List<Integer>> pool = pool(graph);
      for (GroupObjective objective : COSTS) {
        CostModel cost = new CostModel(graph.chip());
        Map<BoundScope, Double> least =
            least(
                graph,
                new Costs(graph, objective, cost, true, new HashMap<>()),
                new Costs(graph, objective, cost, false, new HashMap<>()),
                pool);
        for (SlicingSearch slicing : SlicingSearch.values()) {
          GroupOptions options =
              new GroupOptions(GroupOptions.Lmem.EXACT, slicing, objective, false);
          GroupPlanner planner =
              new GroupPlanner(graph, options, new CpSatLmem(), RunControl.ofSeconds(600, 1, seed));
          double[] figures = new double[3];
          List<Partitioner> partitioners =
              List.of(new TailPartitioner(), new IntervalPartitioner(), new ConvexPartitioner());
          for (int k = 0; k < figures.length; k++) {
            Grouping grouping = planner.divide(partitioners.get(k));
            String what = "seed " + seed + " " + partitioners.get(k).name() + " " + options;
            figures[k] = grouping.objective();
            double lowest = least.get(grouping.scope());
            assertTrue(
                grouping.lowerBound() <= lowest * (1 + 1e-9),
                what + ": bound " + grouping.lowerBound() + ", " + grouping.scope() + least);
            assertTrue(figures[k] >= least.get(BoundScope.NETWORK) * (1 - 1e-9), what);
            if (grouping.status() == Status.OPTIMAL) {
              assertTrue(figures[k] <= lowest + 1, what + " " + figures[k] + least);
              proven.merge(grouping.scope(), 1, Integer::sum);
            }
            if (slicing == SlicingSearch.EXACT && objective == GroupObjective.TRAFFIC && k > 0) {
              assertEquals(Status.OPTIMAL, grouping.status(), what);
            }
          }
          better += figures[2] < figures[1] ? 1 : 0;
          Grouping cheaper = planner.planCheaper(partitioners.get(1), partitioners.get(2));
          double chosen = figures[cheaper.partition().equals("cp") ? 2 : 1];
          assertEquals(Math.min(figures[1], figures[2]), chosen, "seed " + seed);
          double planned = cheaper.objective();
          boolean sooner = objective == GroupObjective.CYCLES && planned < chosen;
          assertTrue(planned == chosen || sooner, "seed " + seed + ": " + planned);
          assertTrue(cheaper.lowerBound() <= planned * (1 + 1e-9), "seed " + seed);
        }
      }
    }
    assertTrue(better > 0, "convex groups never cost less");
    for (BoundScope scope : List.of(BoundScope.NETWORK, BoundScope.CONTIGUOUS, BoundScope.CONVEX)) {
      assertTrue(proven.containsKey(scope), "no proof " + scope.range() + ": " + proven);
    }
  }
}

package stowage.onchip.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import stowage.network.Chip;
import stowage.onchip.Chips;
import stowage.onchip.Groups;
import stowage.onchip.RandomNets;
import stowage.onchip.cpsat.ConvexPartitioner;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupBounds;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOptions.Lmem;
import stowage.onchip.search.GroupOptions.SlicingSearch;
import stowage.onchip.search.GroupOutcome;
import stowage.onchip.search.GroupSearch;
import stowage.onchip.search.GroupSearches;
import stowage.onchip.slice.GroupModel;
import stowage.packing.RunControl;

class PartitionerTest {
  private static final Chip SMALL = Chips.chip("small", 4, 16, 8192, 4, 1, true);

  private static GroupSearch search(LayerGraph graph, Lmem lmem, SlicingSearch slicing) {
    GroupOptions options = RandomNets.traffic(lmem, slicing);
    return new GroupSearches(graph, new CpSatLmem(), RunControl.unlimited(), 2).of(options);
  }

  private static double cost(LayerGraph graph, GroupSearch search, List<int[]> groups) {
    double sum = 0;
    TreeSet<Integer> seen = new TreeSet<>();
    for (int[] members : groups) {
      for (int member : members) {
        assertTrue(seen.add(member), "op " + member + " is defined twice");
      }
      if (members.length == 1) {
        sum +=
            GroupSearch.alone(
                graph, search.cost(), members[0], GroupOptions.GroupObjective.TRAFFIC);
      } else {
        GroupOutcome outcome = search.search(members);
        assertTrue(outcome.fits(), outcome.reason());
        search.plan(members, outcome); // verifies the placement
        sum += outcome.trafficBytes();
      }
    }
    assertEquals(graph.size(), seen.size());
    return sum;
  }

  /** The least cost of all ways to divide the ops from a position on into neighbours. */
  private static double best(LayerGraph graph, GroupSearch search, int from) {
    if (from == graph.size()) {
      return 0;
    }
    double best = Double.POSITIVE_INFINITY;
    for (int to = from; to < graph.size(); to++) {
      double own = Partitioner.cost(search, List.of(Partitioner.interval(from, to)));
      best = Math.min(best, own + best(graph, search, to + 1));
    }
    return best;
  }

  @Test
  void theIntervalProgrammeIsTheBestOfAllContiguousPartitions() {
    for (long seed = 1; seed <= 12; seed++) {
      LayerGraph graph = RandomNets.layers(seed, SMALL);
      GroupSearch fresh = search(graph, Lmem.TODAY, SlicingSearch.QUICK);
      double best = best(graph, fresh, 0);
      for (int rounds : new int[] {0, 3, 40}) {
        GroupSearch search = search(graph, Lmem.TODAY, SlicingSearch.QUICK);
        Partition partition = new IntervalPartitioner(rounds).partition(search, List.of());
        assertEquals(best, cost(graph, search, partition.groups()), "seed " + seed);
        assertTrue(partition.lowerBound() <= best, "seed " + seed);
      }
    }
  }

  /** Convolutions one after another, on a chip whose lanes hold the filters of some. */
  private static LayerGraph chain(int ops) {
    StringBuilder text = new StringBuilder("t0:1x4x16x16;");
    for (int k = 1; k <= ops; k++) {
      text.append(" t%d:1x4x16x16 = Conv t%d window=3,1,1;".formatted(k, k - 1));
    }
    Chip tiny = Chips.chip("tiny", 4, 16, 1024, 4, 1, true);
    return Groups.layers(tiny, text + " -> t" + ops);
  }

  @Test
  void workIsLinearInTheLengthOfALongRun() {
    long[] work = new long[2];
    for (int k = 0; k < 2; k++) {
      LayerGraph graph = chain(60 << k);
      RunControl control = RunControl.ofWork(1L << 40, 1, 1).counting();
      GroupSearch search =
          new GroupSearches(graph, new CpSatLmem(), control, 2)
              .of(RandomNets.traffic(Lmem.DOCUMENT, SlicingSearch.QUICK));
      Partition tail = new TailPartitioner(30).partition(search, List.of());
      assertTrue(tail.groups().size() < graph.size() / 2, "groups of more than two ops");
      work[k] = (1L << 40) - control.workLimit();
    }
    assertTrue(work[1] <= 2 * work[0], work[0] + " and " + work[1]);
  }

  @Test
  void noGroupOfALargeNetworkIsLookedAtWhenTimeIsOver() {
    LayerGraph graph = chain(1100);
    GroupSearch search =
        new GroupSearches(graph, new CpSatLmem(), RunControl.ofSeconds(0, 1, 1), 2)
            .of(RandomNets.traffic(Lmem.TODAY, SlicingSearch.QUICK));
    Partition partition = new IntervalPartitioner().partition(search, List.of());
    assertEquals(1100, partition.groups().size());
    assertEquals(BoundScope.NETWORK, partition.scope());
  }

  @Test
  void exactIsNeverWorseAndConvexNeverWorseThanContiguous() {
    int better = 0;
    for (long seed = 1; seed <= 3; seed++) {
      String what = "seed " + seed;
      LayerGraph graph = RandomNets.layers(seed, SMALL);
      GroupSearch today = search(graph, Lmem.TODAY, SlicingSearch.QUICK);
      GroupSearch document = search(graph, Lmem.DOCUMENT, SlicingSearch.QUICK);
      GroupSearch exact = search(graph, Lmem.EXACT, SlicingSearch.QUICK);
      GroupSearch all = search(graph, Lmem.EXACT, SlicingSearch.EXACT);
      double byToday = dp(graph, today);
      double byDocument = dp(graph, document);
      double byExact = dp(graph, exact);
      Partition best = new IntervalPartitioner().partition(all, List.of());
      double byAll = cost(graph, all, best.groups());
      assertTrue(byExact <= byToday && byExact <= byDocument, what);
      assertTrue(byAll <= byExact, what + ": " + byAll + " " + byExact);
      assertEquals(byAll, best.lowerBound(), what + ": exact slices and addresses prove it");
      Partition tail = new TailPartitioner().partition(exact, List.of());
      assertTrue(byExact <= cost(graph, exact, tail.groups()), what);
      Partition convex = new ConvexPartitioner().partition(exact, List.of(tail.groups()));
      assertTrue(cost(graph, exact, convex.groups()) <= byExact, what);
      better += byAll < byToday ? 1 : 0;
    }
    assertTrue(
        better > 0, "exact is never better than today's: the chip is too large for the test");
  }

  private static double dp(LayerGraph graph, GroupSearch search) {
    return cost(graph, search, new IntervalPartitioner().partition(search, List.of()).groups());
  }

  @Test
  void convexGroupsLeaveOutABranch() {
    // Two branches interleaved in the file: no stretch of it holds one alone.
    LayerGraph graph = Groups.layers(SMALL, Groups.BRANCHES);
    GroupSearch search = search(graph, Lmem.EXACT, SlicingSearch.QUICK);
    double contiguous = dp(graph, search);
    Partition convex = new ConvexPartitioner().partition(search, List.of());
    assertTrue(cost(graph, search, convex.groups()) < contiguous);
    assertTrue(convex.groups().stream().anyMatch(m -> m[m.length - 1] - m[0] + 1 != m.length));
  }

  @Test
  void anOpWithoutARuleSaysWhy() {
    LayerGraph graph =
        Groups.layers(SMALL, "x:1x4x16x16; t:1x4x16x16 = Transpose x; r:1x4x16x16 = Relu t; -> r");
    assertTrue(graph.layer(0).obstacle().contains("Transpose"));
    assertNull(graph.layer(1).obstacle());
    GroupSearch search = search(graph, Lmem.EXACT, SlicingSearch.QUICK);
    GroupOutcome outcome = search.search(new int[] {0, 1});
    assertTrue(!outcome.fits() && outcome.reason().contains("\"t\""), outcome.reason());
  }

  @Test
  void aGroupThatNeedsMoreThanTheLaneNamesTheOpAndItsBuffers() {
    Chip tiny = Chips.chip("tiny", 4, 16, 1024, 4, 1, true);
    LayerGraph graph =
        Groups.layers(
            tiny, "x:1x64x8x8; y:1x64x8x8 = Conv x window=3,1,1; z:1x64x8x8 = Relu y; -> z");
    GroupSearch search = search(graph, Lmem.EXACT, SlicingSearch.EXACT);
    GroupOutcome outcome = search.search(new int[] {0, 1});
    assertTrue(!outcome.fits());
    assertTrue(outcome.reason().contains("op \"y\" needs"), outcome.reason());
    assertTrue(outcome.reason().contains("y.w"), outcome.reason());
  }

  @Test
  void costsOfIntervalsAreTheBoundsOfEachGroup() {
    CostModel cost = new CostModel(SMALL);
    GroupBounds bounds = new GroupBounds(cost);
    for (long seed = 1; seed <= 20; seed++) {
      LayerGraph graph = RandomNets.layers(seed, SMALL);
      for (GroupOptions.GroupObjective objective : GroupOptions.GroupObjective.values()) {
        IntervalCosts costs = new IntervalCosts(graph, cost, objective);
        for (int last = 0; last < graph.size(); last++) {
          double[] least = costs.endingIn(last);
          for (int first = 0; first <= last; first++) {
            GroupModel group = new GroupModel(graph, Partitioner.interval(first, last));
            double expected = bounds.of(group, objective);
            assertEquals(expected, least[first], expected * 1e-12, first + " to " + last);
          }
        }
      }
    }
  }
}

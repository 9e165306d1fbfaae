package stowage.onchip.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.onchip.Chips;
import stowage.onchip.Groups;
import stowage.onchip.RandomNets;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.partition.IntervalPartitioner;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.TimeSteps;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupOptions.Lmem;
import stowage.onchip.search.GroupOptions.SlicingSearch;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.onchip.slice.Staying;
import stowage.packing.RunControl;

class GroupSearchTest {
  private static final List<GroupObjective> COSTS =
      List.of(GroupObjective.TRAFFIC, GroupObjective.CYCLES);

  private static LayerGraph graph(long seed) {
    return RandomNets.layers(seed, Chips.chip("small", 8, 16, 8192, 8, 1, false));
  }

  private static GroupSearches searches(LayerGraph graph, double seconds) {
    return new GroupSearches(graph, new CpSatLmem(), RunControl.ofSeconds(seconds, 1, 1), 0.1);
  }

  @Test
  void anOutcomeIsAPlanOfItsCostsAndWithinItsBounds() {
    int fitting = 0;
    int refused = 0;
    for (long seed = 1; seed <= 5; seed++) {
      LayerGraph graph = graph(seed);
      GroupSearches searches = searches(graph, 600);
      for (GroupObjective objective : COSTS) {
        for (Lmem lmem : Lmem.values()) {
          GroupSearch search =
              searches.of(
                  new GroupOptions(lmem, SlicingSearch.QUICK, objective, lmem == Lmem.DOCUMENT));
          for (int first = 0; first + 2 < graph.size(); first += 2) {
            int[] members = Partitioner.interval(first, first + 2);
            GroupOutcome outcome = search.search(members);
            String what = "seed " + seed + " " + search.options() + " from " + first;
            if (!outcome.fits()) {
              assertNotNull(outcome.reason(), what);
              refused++;
              continue;
            }
            fitting++;
            double least = search.leastCost(new GroupModel(graph, members));
            assertTrue(least <= outcome.lower() * (1 + 1e-9), what);
            assertTrue(outcome.lower() <= outcome.cost(objective) * (1 + 1e-9), what);
            GroupPlan plan = search.plan(members, outcome); // checks the addresses
            assertEquals(outcome.trafficBytes(), plan.trafficBytes(), what);
            assertEquals(outcome.peak(), plan.placement().peak(plan.problem()), what);
            assertEquals(outcome, search.known(members), what);
            double known = search.recalled(members).cost(objective);
            assertTrue(known <= outcome.cost(objective), what);
            GroupOutcome again = search.search(members, outcome.cost(objective) + 1);
            assertTrue(again.fits() && again.cost(objective) <= outcome.cost(objective), what);
          }
        }
      }
    }
    assertTrue(fitting > 20, fitting + " fit");
    assertTrue(refused > 0, "none was refused: the lane is too large for the test");
  }

  @Test
  void rulesAreNeverBetterThanTheSearchThatBeginsFromThem() {
    for (long seed = 11; seed <= 14; seed++) {
      LayerGraph graph = graph(seed);
      GroupSearches searches = searches(graph, 600);
      GroupOptions exact = RandomNets.traffic(Lmem.EXACT, SlicingSearch.EXACT);
      for (int first = 0; first + 1 < graph.size(); first++) {
        int[] members = Partitioner.interval(first, first + 1);
        GroupOutcome ruled = searches.of(exact).quickly(Lmem.TODAY).search(members);
        GroupOutcome found = searches.of(exact).search(members);
        if (ruled.fits()) {
          assertTrue(found.fits() && found.trafficBytes() <= ruled.trafficBytes(), "seed " + seed);
        }
      }
    }
  }

  @Test
  void afterTheEndOnlyWhatIsKnownIsTold() {
    LayerGraph graph = graph(3);
    GroupSearches searches = searches(graph, 600);
    GroupOptions options = RandomNets.traffic(Lmem.TODAY, SlicingSearch.QUICK);
    GroupSearch search = searches.of(options);
    int[] members = null;
    for (int first = 0; first + 1 < graph.size() && members == null; first++) {
      int[] pair = Partitioner.interval(first, first + 1);
      members = search.search(pair).fits() ? pair : null;
    }
    assertNotNull(members, "no pair of ops fits");
    searches.limit(RunControl.ofSeconds(0, 1, 1));
    assertTrue(search.search(members).fits());
    int[] other = Partitioner.interval(0, graph.size() - 1);
    assertNull(search.known(other));
    assertFalse(search.search(other).fits());
  }

  @Test
  void rowsThatAPoolSkipsAreInNoBound() throws SlicingException {
    LayerGraph graph =
        Groups.layers(
            Chips.chip("small", 8, 16, 8192, 8, 1, false),
            "x:1x8x9x9; r:1x8x9x9 = Relu x; p:1x8x5x5 = MaxPool r kernel_shape=[1,1] strides=[2,2];"
                + " -> p");
    GroupModel group = Groups.whole(graph);
    SlicedGroup rows = Groups.sliced(group, new Slicing(1, 1, 1, 5, 1));
    GroupSearch search =
        searches(graph, 600).of(RandomNets.traffic(Lmem.EXACT, SlicingSearch.EXACT));
    long moved = search.cost().groupTraffic(rows, Staying.all(rows));
    assertTrue(moved < graph.tensor(0).bytes() + graph.tensor(2).bytes(), "no row is skipped");
    assertTrue(search.leastCost(group) <= moved);
    assertTrue(
        IntervalPartitioner.lowerBound(search.graph(), search.options().objective()) <= moved);
  }

  @Test
  void aGroupIsRefusedOnlyWhereNoCountOfSlicesFits() {
    // Copies of a row stay together: 14 rows cannot be cut in two or fourteen, but in seven.
    LayerGraph graph =
        Groups.layers(
            Chips.chip("cv181x", 8, 16, 256, 8, 1, false),
            "x:1x8x7x7; u:1x8x14x14 = Upsample x; r:1x8x14x14 = Relu u; -> r");
    GroupOutcome outcome =
        searches(graph, 600)
            .of(RandomNets.traffic(Lmem.EXACT, SlicingSearch.EXACT))
            .search(new int[] {0, 1});
    assertTrue(outcome.fits(), outcome.reason());
    assertEquals(7, outcome.slicing().h());
  }

  @Test
  void constantsOfTheFewestBytesMayNotBeThoseOfTheFewestCycles() {
    LayerGraph graph =
        Groups.layers(
            Chips.chip("cv181x", 4, 16, 3712, 2, 1, false),
            "a:1x48x2x16; b:1x24x2x16 = Conv a window=1,1,0; c:1x56x2x16 = Conv b window=1,1,0;"
                + " d:1x56x2x16 = Conv c window=1,1,0; e:1x24x2x16 = Conv d window=1,1,0; -> e");
    GroupSearch search =
        searches(graph, 600)
            .of(new GroupOptions(Lmem.EXACT, SlicingSearch.EXACT, GroupObjective.CYCLES, false));
    GroupOutcome outcome = search.search(new int[] {0, 1, 2, 3});
    SlicedGroup halves = Groups.rows(Groups.whole(graph), 2);
    double least = Double.POSITIVE_INFINITY;
    for (int mask = 0; mask < 16; mask++) {
      boolean[] held = new boolean[4];
      for (int w = 0; w < 4; w++) {
        held[w] = (mask >> w & 1) == 1;
      }
      GroupRun run =
          new TimeSteps(halves, search.cost()).run(true, Staying.all(halves).withWeights(held));
      LmemEngine.Fit fit = new CpSatLmem().fit(run.problem(), RunControl.unlimited());
      if (fit.verdict() == LmemEngine.Verdict.FITS) {
        least = Math.min(least, search.cost().groupCycles(run));
      }
    }
    assertEquals(halves.slicing(), outcome.slicing());
    assertTrue(least < outcome.cycles(), "the constants chosen are those of the fewest cycles");
    assertTrue(outcome.lower() <= least, outcome.lower() + " is above " + least);
  }
}

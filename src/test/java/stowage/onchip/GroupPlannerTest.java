package stowage.onchip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.onchip.cpsat.ConvexPartitioner;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemVerifier;
import stowage.onchip.partition.IntervalPartitioner;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.partition.TailPartitioner;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupOptions.Lmem;
import stowage.packing.RunControl;

class GroupPlannerTest {

  private static GroupPlanner planner(
      LayerGraph graph, Lmem lmem, GroupObjective objective, double s) {
    GroupOptions options =
        new GroupOptions(lmem, GroupOptions.SlicingSearch.QUICK, objective, lmem == Lmem.DOCUMENT);
    return new GroupPlanner(graph, options, new CpSatLmem(), RunControl.ofSeconds(s, 1, 1));
  }

  /** Every op is in one group, what is given adds up, and addresses hold. */
  private static void check(Grouping grouping, String what) {
    boolean[] covered = new boolean[grouping.graph().size()];
    long traffic = 0;
    for (PlannedGroup group : grouping.groups()) {
      for (int member : group.members()) {
        assertTrue(!covered[member], what + ": op " + member + " is in two groups");
        covered[member] = true;
      }
      traffic += group.trafficBytes();
      if (group.isGrouped()) {
        assertTrue(group.members().length > 1, what);
        assertEquals(
            List.of(),
            LmemVerifier.violations(group.plan().problem(), group.plan().placement()),
            what);
        assertEquals(group.lmemPeak(), group.plan().placement().peak(group.plan().problem()), what);
        assertTrue(group.lmemPeak() <= grouping.graph().chip().laneBytes(), what);
      } else {
        assertEquals(1, group.members().length, what);
        assertNotNull(group.reason(), what);
      }
    }
    assertTrue(Arrays.equals(covered, Groups.all(covered.length)), what + ": an op is in no group");
    assertEquals(traffic, grouping.trafficBytes(), what);
    assertTrue(grouping.lowerBound() <= grouping.objective() * (1 + 1e-9), what);
    assertTrue(grouping.trafficBytes() <= grouping.ungroupedBytes(), what);
  }

  @Test
  void groupingsCoverTheNetworkAndAddUp() {
    int grouped = 0;
    for (long seed = 1; seed <= 3; seed++) {
      LayerGraph graph = RandomNets.layers(seed, Chips.chip("c", 8, 16, 8192, 8, 1, false));
      for (Partitioner partitioner : List.of(new TailPartitioner(), new IntervalPartitioner())) {
        for (Lmem lmem : Lmem.values()) {
          String what = "seed " + seed + ", " + partitioner.name() + ", " + lmem;
          GroupObjective low = GroupObjective.TRAFFIC;
          Grouping divided = planner(graph, lmem, low, 60).divide(partitioner);
          Grouping planned = planner(graph, lmem, low, 60).plan(partitioner);
          check(divided, what);
          check(planned, what);
          assertEquals(divided.objective(), planned.objective(), what);
          grouped += planned.groups().stream().filter(PlannedGroup::isGrouped).count();
        }
      }
    }
    assertTrue(grouped > 10, grouped + " groups of several ops");
  }

  @Test
  void convexGroupsAreTakenOnlyWhereTheyCostLess() {
    LayerGraph branches =
        Groups.layers(Chips.chip("small", 4, 16, 8192, 4, 1, true), Groups.BRANCHES);
    LayerGraph chain = RandomNets.layers(1, Chips.chip("c", 8, 16, 8192, 8, 1, false));
    for (LayerGraph graph : List.of(branches, chain)) {
      String wanted = graph == branches ? "cp" : "dp";
      for (GroupObjective low : List.of(GroupObjective.TRAFFIC, GroupObjective.CYCLES)) {
        Grouping contiguous = planner(graph, Lmem.EXACT, low, 60).plan(new IntervalPartitioner());
        Grouping found =
            planner(graph, Lmem.EXACT, low, 60)
                .planCheaper(new IntervalPartitioner(), new ConvexPartitioner());
        check(found, wanted + " by " + low);
        assertEquals(wanted, found.partition(), low.toString());
        assertEquals(wanted.equals("cp"), found.objective() < contiguous.objective());
        assertEquals(wanted.equals("dp"), found.lowerBound() == contiguous.lowerBound());
      }
    }
  }

  @Test
  void aRunWithoutTimeStillDividesAndPlaces() {
    LayerGraph graph = RandomNets.layers(2, Chips.bm1684x());
    for (GroupObjective objective : GroupObjective.values()) {
      GroupPlanner planner = planner(graph, Lmem.EXACT, objective, 0);
      check(planner.plan(new IntervalPartitioner()), objective.label());
    }
  }
}

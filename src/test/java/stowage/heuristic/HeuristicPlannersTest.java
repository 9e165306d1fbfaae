package stowage.heuristic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffers;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;
import stowage.packing.Violation;

class HeuristicPlannersTest {

  private static final RunControl SHORT = RunControl.ofWork(2000, 1, 5);

  @Test
  void everyPlannerRespectsEveryConstraint() {
    for (long seed = 0; seed < 700; seed++) {
      PackingProblem problem = RandomPackingProblems.any(seed, 25);
      for (Planner planner : HeuristicPlanners.all()) {
        Placement placement = planner.plan(problem, SHORT);
        assertEquals(
            List.of(),
            Verifier.violations(problem, placement),
            "seed " + seed + ", " + planner.name());
      }
    }
  }

  @Test
  void namesAreUniqueAndLeadBackToThePlanner() {
    List<String> names = HeuristicPlanners.all().stream().map(Planner::name).toList();
    assertEquals(names.size(), new HashSet<>(names).size());
    for (Planner planner : HeuristicPlanners.all()) {
      assertEquals(planner, HeuristicPlanners.named(planner.name()));
      assertTrue(planner.name().matches("[a-z-]+"), planner.name());
      assertTrue(planner.summary().length() > 20, planner.summary());
    }
    assertEquals(12, HeuristicPlanners.simple().size());
  }

  @Test
  void eachPlannerDiffersFromEveryOtherSomewhere() {
    List<Planner> planners = HeuristicPlanners.all();
    List<PackingProblem> problems = new ArrayList<>();
    for (long seed = 1; seed <= 12; seed++) {
      problems.add(RandomPackingProblems.plain(seed, 40, 30, 60));
    }
    // Only with hints does the planner of hints differ from the greedy one it falls back to.
    PackingProblem first = problems.get(0);
    problems.add(
        PackingProblem.of(
            "hinted", first.buffers().stream().map(b -> b.withHint(b.size())).toList()));
    List<List<Placement>> plans = new ArrayList<>();
    for (Planner planner : planners) {
      plans.add(problems.stream().map(p -> planner.plan(p, SHORT)).toList());
    }
    for (int a = 0; a < planners.size(); a++) {
      for (int b = 0; b < a; b++) {
        assertNotEquals(
            plans.get(b), plans.get(a), planners.get(a).name() + " and " + planners.get(b).name());
      }
    }
  }

  @Test
  void annealingIsNeverWorseThanItsStartAndRepeatable() {
    for (long seed = 1; seed <= 5; seed++) {
      PackingProblem problem = RandomPackingProblems.plain(seed, 60, 40, 100);
      long start =
          new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST)
              .plan(problem, SHORT)
              .peak(problem, 0);
      RunControl control = RunControl.ofWork(30_000, 1, seed);
      Placement once = new OrderAnnealing().plan(problem, control);
      assertEquals(once, new OrderAnnealing().plan(problem, control), "seed " + seed);
      assertTrue(once.peak(problem, 0) <= start, "seed " + seed);
      assertTrue(once.peak(problem, 0) >= LoadProfile.of(problem).maxLoad());
    }
  }

  @Test
  void annealingImprovesWhatGreedyLeaves() {
    PackingProblem problem = RandomPackingProblems.plain(3, 80, 40, 1000);
    long greedy = Long.MAX_VALUE;
    for (Planner planner : HeuristicPlanners.simple()) {
      greedy = Math.min(greedy, planner.plan(problem, SHORT).peak(problem, 0));
    }
    RunControl control = RunControl.ofWork(400_000, 1, 1);
    long found = new OrderAnnealing().plan(problem, control).peak(problem, 0);
    assertTrue(found < greedy, found + ", greedy " + greedy);
  }

  @Test
  void aStoppedControlStillGivesAPlacement() {
    RunControl stopped = RunControl.unlimited();
    stopped.stop();
    PackingProblem problem = RandomPackingProblems.any(11, 25);
    for (Planner planner : HeuristicPlanners.all()) {
      assertTrue(Verifier.isValid(problem, planner.plan(problem, stopped)), planner.name());
    }
  }

  @Test
  void annealingLowersTheLastMemoryFirst() {
    Memory near = new Memory("near", 8, 1, 0, 0);
    PackingProblem problem =
        Buffers.problem("large:9[0,4) a:5[0,4) b:4[0,4) c:4[0,4)")
            .withMemories(List.of(near, Memory.main()));
    Placement placement = new OrderAnnealing().plan(problem, RunControl.ofWork(4000, 1, 1));
    // Greedy puts a (5) near and b, c far: 17 bytes in the last memory; b and c fit near together.
    assertEquals(14, placement.peak(problem, 1));
    assertEquals(8, placement.peak(problem, 0));
  }

  @Test
  void aCapacityThatNothingFitsIsJudgedOutside() {
    PackingProblem problem = Buffers.problem("a:8[0,2) b:8[1,3)").withCapacity(0, 12);
    for (Planner planner : HeuristicPlanners.all()) {
      List<Violation> found = Verifier.violations(problem, planner.plan(problem, SHORT));
      assertEquals(1, found.size(), planner.name());
      assertEquals(Violation.Kind.CAPACITY, found.get(0).kind(), planner.name());
    }
  }
}

package stowage.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import stowage.exact.engine.EngineOptions;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffers;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.ReservedRange;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Verifier;

class PlannerRunTest {
  /** Greedy by start leaves it at 15, its optimum is 13. */
  private static final PackingProblem SMALL =
      Buffers.problem("a:3[0,4) b:5[2,6) c:4[4,9) d:2[1,3) e:3[5,8) f:1[0,9)");

  private static PlannerRun run(Incumbent incumbent, double seconds, String... names) {
    return run(incumbent, RunControl.ofSeconds(seconds, 1, 1), names);
  }

  private static PlannerRun run(Incumbent incumbent, RunControl control, String... names) {
    return PlannerRun.of(
        PlanningCase.ofBuffers(incumbent.problem()),
        incumbent,
        control,
        Stream.of(names).map(PlannerCatalogue::named).toList(),
        EngineOptions.defaults());
  }

  @Test
  void theBestOfTheNamedPlannersIsKept() {
    Incumbent alone = new Incumbent(SMALL);
    PlannerRun one = run(alone, 60, "greedy-start");
    assertEquals(15, alone.bestFigure());
    assertEquals("greedy-start", alone.finder());
    assertEquals(13, alone.bestBound(), "bounds are offered all the same");
    assertNull(one.refusal());
    assertTrue(one.engineReports().isEmpty());
    Incumbent both = new Incumbent(SMALL);
    run(both, 60, "greedy-start", "xla");
    assertEquals(13, both.bestFigure());
    assertEquals(Status.OPTIMAL, both.status());
  }

  /** A run that is over takes the first rule, and where that takes long one that never does. */
  @Test
  void quickRulesGiveAPlanInAnyCase() {
    PackingProblem problem =
        PackingProblem.of("many", Buffers.drawn(new Random(1), 200, 50, 90, 9));
    RunControl over = RunControl.unlimited();
    over.stop();
    List<Planner> rules =
        List.of(
            new GreedyPlanner(GreedyPlanner.Order.START, Fit.FIRST),
            new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST));
    Incumbent all = new Incumbent(problem);
    PlannerRun.quick(all, rules, RunControl.unlimited());
    assertEquals("greedy-size", all.finder());
    Incumbent late = new Incumbent(problem);
    PlannerRun.quick(late, rules, over);
    assertEquals("greedy-start", late.finder());
    Incumbent last = new Incumbent(problem);
    Planner slow =
        new Planner() {
          @Override
          public String name() {
            return "slow";
          }

          @Override
          public String summary() {
            return name();
          }

          @Override
          public Placement plan(PackingProblem asked, RunControl control) {
            throw new NotPlannableException("the run ended");
          }
        };
    PlannerRun.quick(last, List.of(slow), over);
    assertEquals("sweep-best-fit", last.finder());
  }

  /** Plans of the quick planners are plans of the problem, and not of its plain form. */
  @Test
  void anEngineAlonePlansAroundAReservedRange() {
    PackingProblem free = Buffers.problem("a:1[1,5)%2 b:3[0,3)%2");
    Memory main = free.memories().get(0).withReserved(List.of(new ReservedRange(1, 2)));
    PackingProblem problem = free.withMemories(List.of(main));
    for (String name : List.of("search", "cpsat", "choco")) {
      Incumbent incumbent = new Incumbent(problem);
      run(incumbent, 60, name);
      assertTrue(Verifier.isValid(problem, incumbent.placement()), name);
    }
  }

  @Test
  void anEngineAloneReportsAndProves() {
    for (String name : List.of("search", "cpsat", "choco")) {
      PackingProblem problem = Buffers.problem("a:4[0,3) b:2[2,5) c:4[4,7) d:2[0,7)@3");
      Incumbent incumbent = new Incumbent(problem);
      PlannerRun run = run(incumbent, 60, name);
      assertEquals(Status.OPTIMAL, incumbent.status(), name);
      assertTrue(run.engineReports().size() <= 1, name);
      assertNull(run.refusal(), name);
    }
  }

  /** Figures that other engines hold, but neither of these. */
  @Test
  void anEngineThatCannotHoldAProblemSaysSo() {
    PackingProblem huge =
        Buffers.problem("a:100000000002[0,1)%99999999977| b:100000000001[0,1)%99999999947|")
            .withMemories(List.of(Memory.main().withBankSize(100_000_000_003L)));
    for (String name : List.of("choco", "cpsat")) {
      PlannerRun run = run(new Incumbent(huge), RunControl.ofSeconds(60, 2, 1), name);
      assertNotNull(run.refusal(), name);
      assertTrue(run.refusal().contains("units"), run.refusal());
    }
  }

  @Test
  void aRefusalNamesThePlanner() {
    PackingProblem fixed = Buffers.problem("left:4[0,3)@0 right:4[2,5)@2");
    Incumbent incumbent = new Incumbent(fixed);
    PlannerRun run = run(incumbent, 60, "greedy-size");
    assertNotNull(run.refusal());
    assertTrue(run.refusal().startsWith("greedy-size"), run.refusal());
    assertNull(incumbent.placement());
  }

  @Test
  void thePortfolioWithoutTimeStillHasAPlan() {
    Incumbent incumbent = new Incumbent(SMALL);
    run(incumbent, 0, PlannerCatalogue.PORTFOLIO);
    assertNotNull(incumbent.placement());
  }

  @Test
  void everyNameIsThatOfAPlanner() {
    assertNull(PlannerCatalogue.named("no such planner"));
    for (String name : PlannerCatalogue.names()) {
      assertNotNull(PlannerCatalogue.named(name), name);
    }
  }
}

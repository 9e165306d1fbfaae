package stowage.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;

class PlannerRunTest {
  /** Greedy by start leaves it at 15, its optimum is 13. */
  private static final PackingProblem SMALL =
      PackingProblem.of(
          "small",
          List.of(
              new Buffer("a", 3, 0, 4),
              new Buffer("b", 5, 2, 6),
              new Buffer("c", 4, 4, 9),
              new Buffer("d", 2, 1, 3),
              new Buffer("e", 3, 5, 8),
              new Buffer("f", 1, 0, 9)));

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

  @Test
  void anEngineAloneReportsAndProves() {
    for (String name : List.of("search", "cpsat", "choco")) {
      PackingProblem problem =
          PackingProblem.of(
              "open",
              List.of(
                  new Buffer("a", 4, 0, 3),
                  new Buffer("b", 2, 2, 5),
                  new Buffer("c", 4, 4, 7),
                  new Buffer("d", 2, 0, 7).withFixedOffset(3)));
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
        new PackingProblem(
            "huge",
            List.of(
                new Buffer("a", 100_000_000_002L, 0, 1)
                    .withAlignment(99_999_999_977L)
                    .withinBank(true),
                new Buffer("b", 100_000_000_001L, 0, 1)
                    .withAlignment(99_999_999_947L)
                    .withinBank(true)),
            List.of(Memory.main().withBankSize(100_000_000_003L)),
            ConflictPairs.none());
    for (String name : List.of("choco", "cpsat")) {
      PlannerRun run = run(new Incumbent(huge), RunControl.ofSeconds(60, 2, 1), name);
      assertNotNull(run.refusal(), name);
      assertTrue(run.refusal().contains("units"), run.refusal());
    }
  }

  @Test
  void aRefusalNamesThePlanner() {
    PackingProblem fixed =
        PackingProblem.of(
            "fixed",
            List.of(
                new Buffer("left", 4, 0, 3).withFixedOffset(0),
                new Buffer("right", 4, 2, 5).withFixedOffset(2)));
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

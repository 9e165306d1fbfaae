package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.exact.choco.ChocoEngine;
import stowage.exact.cpsat.CpSatEngine;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.SearchEngine;
import stowage.generator.Generators;
import stowage.heuristic.Planner;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Status;

/**
 * What each engine alone takes to prove generated instances of near-capacity's kind, in nodes and
 * conflicts, against recorded ceilings: so that a loss of strength is seen whatever the machine.
 *
 * <p>Every run begins with the greedy plans, as a run of the portfolio does, and counts work
 * instead of time, so that its figures are the same everywhere. The ceilings are about twice what
 * was measured.
 */
class EngineEffortTest {
  @ParameterizedTest(name = "{0} proves near-capacity of {1} buffers, seed {2}")
  @CsvSource({
    "cpsat, 100, 15, conflicts, 10",
    "cpsat, 150, 11, conflicts, 300",
    "cpsat, 200, 12, conflicts, 450",
    "choco, 60, 1, branches, 80",
    "choco, 60, 2, branches, 80",
    "choco, 80, 3, branches, 17000",
    "search, 60, 1, nodes, 90000",
    "search, 100, 15, nodes, 180000",
  })
  void provesWithinItsCeiling(String name, int buffers, int seed, String figure, long ceiling) {
    PackingProblem problem = problem(buffers, seed);
    Incumbent incumbent = new Incumbent(problem);
    for (Planner planner : Openings.of(problem)) {
      incumbent.offer(planner.plan(problem, RunControl.unlimited()), planner.name());
    }
    EngineReport report =
        engine(name).run(incumbent, RunControl.ofWork(20_000_000, 1, 1), EngineOptions.defaults());
    assertEquals(Status.OPTIMAL, incumbent.status(), report.statistics().toString());
    assertEquals(name, incumbent.finder());
    assertTrue(report.statistics().get(figure) <= ceiling, report.statistics().toString());
  }

  /** An instance that no single order closes within thousands of conflicts. */
  @Test
  void restartsInOtherOrdersCloseWhatOneOrderDoesNot() {
    PackingProblem problem = problem(250, 13);
    Incumbent incumbent = new Incumbent(problem);
    EngineReport report =
        engine("cpsat")
            .run(incumbent, RunControl.ofWork(60_000_000, 1, 1), EngineOptions.defaults());
    assertEquals(Status.OPTIMAL, incumbent.status(), report.statistics().toString());
    assertTrue(report.statistics().get("conflicts") <= 6_000, report.statistics().toString());
  }

  /** Plans above the capacity, which others may have made, do not mislead an engine. */
  @ParameterizedTest(name = "{0} fits {1} buffers, seed {2}, into their load")
  @CsvSource({
    "cpsat, 150, 11, conflicts, 300",
    "cpsat, 200, 12, conflicts, 450",
    "choco, 60, 2, branches, 80",
    "search, 60, 1, nodes, 90000",
  })
  void fitsWithinItsCeiling(String name, int buffers, int seed, String figure, long ceiling) {
    PackingProblem free = problem(buffers, seed);
    List<Placement> above = new ArrayList<>();
    for (Planner planner : Openings.of(free)) {
      above.add(planner.plan(free, RunControl.unlimited()));
    }
    PackingProblem problem = free.withCapacity(0, LoadProfile.of(free).maxLoad());
    Incumbent incumbent = new Incumbent(problem);
    EngineOptions options = EngineOptions.defaults().withFirstFit(true).withHints(above);
    EngineReport report = engine(name).run(incumbent, RunControl.ofWork(20_000_000, 1, 1), options);
    assertEquals(name, incumbent.finder(), report.statistics().toString());
    assertTrue(report.statistics().get(figure) <= ceiling, report.statistics().toString());
  }

  private static PackingProblem problem(int buffers, int seed) {
    return Generators.generate(
        "near-capacity", new HashMap<>(Map.of("buffers", buffers, "seed", seed)));
  }

  private static Engine engine(String name) {
    return switch (name) {
      case "cpsat" -> new CpSatEngine();
      case "choco" -> new ChocoEngine();
      default -> new SearchEngine();
    };
  }
}

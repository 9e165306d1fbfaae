package stowage.exact.cpsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.Thorough;
import stowage.exact.EngineChecks;
import stowage.exact.HardProblems;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.SolverConfigs;
import stowage.packing.Buffers;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;

class CpSatEngineTest extends FolderTest {
  private final CpSatEngine engine = new CpSatEngine();

  @Test
  void agreesWithBruteForce() {
    EngineOptions options = EngineOptions.defaults();
    EngineChecks.agreesWithBruteForce(engine, options, 0, Thorough.of(300, 500));
    EngineChecks.agreesWithBruteForceThroughout(engine, options, 20_000, Thorough.of(0, 9_000));
  }

  @Test
  void agreesWithBruteForceOnMemoriesToChooseFrom() {
    int cases = Thorough.of(700, 30_000);
    long refused =
        EngineChecks.agreesWhereMemoriesAreChosen(engine, Thorough.of(30_000, 40_000), cases);
    assertTrue(refused > cases / 50, "only " + refused + " sets were refused");
  }

  @Test
  void findsFirstFitsWhereBruteForceDoes() {
    EngineChecks.agreesWithBruteForce(
        engine, EngineOptions.defaults().withFirstFit(true), 5_000, 60);
  }

  @Test
  void agreesUnderEverySetting() {
    for (String config : SolverConfigs.names()) {
      EngineChecks.agreesWithBruteForce(
          engine, EngineOptions.defaults().withConfig(config), 10_000, 20);
    }
  }

  @Test
  void beatsItsHint() {
    EngineChecks.beatsItsHint(engine, 40, RunControl.ofSeconds(2, 2, 1));
  }

  @Test
  void aListenerThatThrowsEndsTheRunAndNotTheProcess() {
    PackingProblem problem = HardProblems.row(40, 3);
    Incumbent incumbent = new Incumbent(problem);
    incumbent.addListener(
        event -> {
          if (event.score() != null) {
            throw new IllegalStateException("no room for news");
          }
        });
    RunControl control = RunControl.ofSeconds(30, 2, 1);
    Refusals.says(
        IllegalStateException.class,
        () -> engine.run(incumbent, control, EngineOptions.defaults()),
        "no room for news");
  }

  @Test
  void anErrorInTheLogEndsNothing() {
    PackingProblem problem = HardProblems.row(20, 5);
    Incumbent incumbent = new Incumbent(problem);
    EngineOptions options =
        EngineOptions.defaults()
            .withLog(
                line -> {
                  if (line.startsWith("Parameters:")) {
                    throw new IllegalStateException("disk full");
                  }
                });
    engine.run(incumbent, RunControl.ofSeconds(30, 1, 1), options);
    assertTrue(incumbent.placement() != null);
  }

  @Test
  void deterministicRunsTakeTheSameCourse() {
    EngineChecks.takesTheSameCourse(
        engine, 800_000, EngineOptions.defaults().withConfig("deterministic"));
  }

  @Test
  void aWorkUnitIsAboutASecondOfAThreadAndNotAUnitOfDeterministicTime() {
    PackingProblem problem = HardProblems.cut(200, 1);
    RunControl control = RunControl.ofWork(1_000_000, 1, 1);
    EngineReport report = engine.run(new Incumbent(problem), control, EngineOptions.defaults());
    List<Double> limits =
        Pattern.compile("max_deterministic_time: (\\S+)")
            .matcher(report.log())
            .results()
            .map(match -> Double.parseDouble(match.group(1)))
            .toList();
    assertTrue(limits.size() > 1, report.log());
    // A unit of deterministic time takes CP-SAT 10 to 50 seconds on problems of this kind.
    assertTrue(limits.stream().allMatch(limit -> limit <= 0.1), limits.toString());
  }

  @Test
  void theLogHoldsTheParametersAsTheSolverEchoesThem() throws IOException {
    String[] parameters = {"linearization_level: 2", "random_seed: 4711"};
    Path settings = file("mine.textproto", String.join(" ", parameters));
    EngineReport report = EngineChecks.echoes(engine, settings.toString(), parameters);
    assertTrue(report.version().matches("CP-SAT 9\\.\\d+\\.\\d+"), report.version());
    assertTrue(report.statistics().containsKey("branches"));
  }

  @Test
  void badSettingsAreNamed() throws IOException {
    Path settings = file("wrong.textproto", "num_workerz: 2\n");
    EngineChecks.refuses(engine, settings.toString(), "num_workerz");
    EngineChecks.refuses(engine, "exhautsive", "known are default, fast, exhaustive");
    EngineChecks.refuses(engine, folder.resolve("none.textproto").toString(), "no such file");
  }

  @Test
  void aBoundThatNoPlacementBreaksIsReadFromTheLog() {
    assertEquals(32, BoundLines.lowest("#Bound 0.02s best:33 next:[32,32] core").orElseThrow());
    assertEquals(8, BoundLines.lowest("#12     1.20s best:9 next:[8,8] ls").orElseThrow());
    assertTrue(BoundLines.lowest("#Bound 0.02s best:inf next:[1.2345678e+09,1e+12]").isEmpty());
    assertTrue(BoundLines.lowest("#Done 0.02s default_lp").isEmpty());
  }

  @Test
  void aClosedIncumbentNeedsNoSolver() {
    PackingProblem problem = Buffers.problem("a:4[0,1)");
    Incumbent incumbent = new Incumbent(problem);
    EngineReport report = engine.run(incumbent, RunControl.unlimited(), EngineOptions.defaults());
    assertEquals(Status.OPTIMAL, incumbent.status());
    assertFalse(report.statistics().containsKey("solves"));
  }
}

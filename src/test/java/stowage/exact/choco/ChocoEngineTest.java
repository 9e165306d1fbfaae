package stowage.exact.choco;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.Refusals;
import stowage.exact.EngineChecks;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.SolverConfigs;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Buffers;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

class ChocoEngineTest {
  private final ChocoEngine engine = new ChocoEngine();

  @Test
  void agreesWithBruteForce() {
    EngineChecks.agreesWithBruteForce(engine, EngineOptions.defaults(), 0, 500);
  }

  @Test
  void findsFirstFitsWhereBruteForceDoes() {
    EngineChecks.agreesWithBruteForce(
        engine, EngineOptions.defaults().withFirstFit(true), 5_000, 60);
  }

  @Test
  void agreesUnderEverySetting(@TempDir Path folder) throws IOException {
    List<String> configs = new ArrayList<>(SolverConfigs.names());
    for (String strategy :
        List.of("bottom-left", "pair-order", "dom-over-wdeg", "lower-bound-by-size")) {
      for (boolean learning : new boolean[] {false, true}) {
        Path file = folder.resolve(strategy + learning + ".json");
        Files.writeString(
            file, "{\"strategy\": \"" + strategy + "\", \"learning\": " + learning + "}");
        configs.add(file.toString());
      }
    }
    for (String config : configs) {
      EngineChecks.agreesWithBruteForce(
          engine, EngineOptions.defaults().withConfig(config), 10_000, 40);
    }
    // With reasons that leave out the changed buffer's own bounds, learning goes wrong here.
    EngineChecks.agreesWithBruteForce(
        engine, EngineOptions.defaults().withConfig("learning"), 60_583, 1);
  }

  @Test
  @Tag("thorough")
  void agreesWithBruteForceManyTimes() {
    EngineChecks.agreesWithBruteForceThroughout(engine, EngineOptions.defaults(), 20_000, 9_000);
    for (String config : SolverConfigs.names()) {
      EngineChecks.agreesWithBruteForce(
          engine, EngineOptions.defaults().withConfig(config), 40_000, 1_000);
    }
  }

  @Test
  void beatsItsHint() {
    EngineChecks.beatsItsHint(engine, 20, RunControl.ofSeconds(20, 1, 1));
  }

  @Test
  void stopsWhenTold() throws InterruptedException {
    EngineChecks.stopsWhenTold(engine, 1, 1000, false);
  }

  @Test
  void deterministicRunsTakeTheSameCourse() {
    EngineChecks.takesTheSameCourse(engine, 200_000, EngineOptions.defaults());
  }

  @Test
  void settingsAreAppliedAndEchoed() {
    EngineReport report =
        EngineChecks.echoes(engine, "learning", "learning: true", "luby after 100");
    assertTrue(report.version().matches("Choco \\d+\\.\\d+\\.\\d+"), report.version());
  }

  @Test
  void badSettingsAreNamed(@TempDir Path folder) throws IOException {
    refuses(folder, "{\"strategi\": \"bottom-left\"}", "field \"strategi\" is not known");
    refuses(folder, "{\"strategy\": \"best\"}", "strategy \"best\" should be one of");
    refuses(folder, "{\n\"learning\": tru\n}", "line 2");
  }

  private void refuses(Path folder, String text, String says) throws IOException {
    Path file = Files.writeString(folder.resolve("settings.json"), text);
    EngineChecks.refuses(engine, file.toString(), says);
  }

  @Test
  void figuresBeyondItsReachAreRefusedWithTheReason() {
    PackingProblem problem =
        PackingProblem.of(
            "large",
            Buffers.of(
                "a:1099511627776[0,2) b:1099511627777[1,3) c:1099511627779[2,5)"
                    + " d:549755813893[0,1) e:1099511627783[4,6)"));
    Incumbent incumbent = new Incumbent(problem);
    Refusals.says(
        NotPlannableException.class,
        () -> engine.run(problem, incumbent, RunControl.unlimited(), EngineOptions.defaults()),
        "Choco counts to");
  }
}

package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import stowage.exact.bound.LowerBounds;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.Engines;
import stowage.exact.engine.SearchEngine;
import stowage.packing.Incumbent;
import stowage.packing.LeftOut;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Score;

/** Runs without some of their parts: the same answers, and the parts do not show in them. */
class LeftOutTest {
  private static final List<String> WORKERS =
      List.of("learning", "filled", "weights", "windows", "descent", "ejections");

  private static final List<String> BOUNDS =
      List.of("fixed-offset", "alignment", "banks", "subset-sum", "conflicts", "energy");

  @AfterEach
  void everythingAgain() {
    System.clearProperty(LeftOut.PROPERTY);
  }

  private static Score searched(PackingProblem problem, Set<String> workers) {
    Incumbent incumbent = new Incumbent(problem);
    EngineReport report =
        new SearchEngine()
            .run(incumbent, RunControl.ofWork(200_000, 1, 1), EngineOptions.defaults());
    for (String figure : report.statistics().keySet()) {
      if (figure.startsWith("found by ") || figure.startsWith("proved by ")) {
        workers.add(figure.substring(figure.indexOf("by ") + 3));
      }
    }
    return incumbent.score();
  }

  @Test
  void withoutAnyOfTheWorkersTheOptimaAreTheSame() {
    Set<String> all = new TreeSet<>();
    Set<String> canonical = new TreeSet<>();
    for (long seed = 0; seed < 200; seed++) {
      PackingProblem problem = RandomProblems.of(40_000 + seed, 9);
      System.clearProperty(LeftOut.PROPERTY);
      Score expected = searched(problem, all);
      System.setProperty(LeftOut.PROPERTY, String.join(",", WORKERS));
      assertEquals(expected, searched(problem, canonical), "seed " + (40_000 + seed));
    }
    for (long seed = 1; seed <= 4; seed++) {
      PackingProblem hard = HardProblems.cut(120, seed);
      System.clearProperty(LeftOut.PROPERTY);
      searched(hard, all);
      System.setProperty(LeftOut.PROPERTY, String.join(",", WORKERS));
      searched(hard, canonical);
    }
    assertTrue(all.size() > canonical.size(), all + " and " + canonical);
    for (String worker : canonical) {
      assertTrue(worker.matches("(disjunctive )?search( T?W?AW?T?)?"), worker);
    }
  }

  @Test
  void boundsOfAKindThatIsLeftOutAreNotOffered() {
    Set<String> met = new TreeSet<>();
    for (long seed = 0; seed < 300; seed++) {
      PackingProblem problem = RandomProblems.of(50_000 + seed, 9);
      System.clearProperty(LeftOut.PROPERTY);
      LowerBounds.of(problem).forEach(bound -> met.add(bound.kind()));
      System.setProperty(LeftOut.PROPERTY, String.join(",", BOUNDS));
      LowerBounds.of(problem).forEach(bound -> assertEquals("max-load", bound.kind()));
    }
    assertTrue(met.size() > 3, met.toString());
  }

  @Test
  void enginesAreLeftOutByName() {
    assertTrue(Engines.all().stream().anyMatch(engine -> engine.name().equals("choco")));
    System.setProperty(LeftOut.PROPERTY, "choco");
    assertFalse(Engines.all().stream().anyMatch(engine -> engine.name().equals("choco")));
  }

  @Test
  void wordsThatNameNoPartAreRefused() {
    System.setProperty(LeftOut.PROPERTY, "weight");
    String said =
        assertThrows(IllegalArgumentException.class, () -> LeftOut.has("weights")).getMessage();
    assertTrue(said.contains("\"weight\" should be one of [") && said.contains("weights"), said);
  }
}

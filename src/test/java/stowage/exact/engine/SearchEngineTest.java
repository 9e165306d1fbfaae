package stowage.exact.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stowage.exact.EngineChecks;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Status;

/** The same seeds as the tests of the other engines, so that all of them agree on each problem. */
class SearchEngineTest {

  @Test
  void agreesWithBruteForce() {
    EngineChecks.agreesWithBruteForce(new SearchEngine(), EngineOptions.defaults(), 0, 1_000);
  }

  @Test
  @Tag("thorough")
  void agreesWithBruteForceOnTenThousand() {
    EngineChecks.agreesWithBruteForceThroughout(
        new SearchEngine(), EngineOptions.defaults(), 1_000, 10_000);
  }

  /**
   * Moving "b0" from the top to the bottom, where it is settled, lowers a placement of 24 bytes to
   * the optimum of 23: b2 ends on a multiple of 2 no more, and nothing is above it.
   */
  @Test
  void aKnownPlacementThatSettlingLowersIsOffered() {
    PackingProblem problem =
        new PackingProblem(
            "lowered",
            List.of(
                new Buffer("b0", 6, 0, 3),
                new Buffer("b2", 7, 0, 3),
                new Buffer("b4", 10, 0, 1),
                new Buffer("b5", 1, 1, 2)),
            List.of(new Memory("m0", Memory.UNBOUNDED, 2, 0, 0)),
            ConflictPairs.of(4, List.of(new int[] {1, 2})));
    Incumbent incumbent = new Incumbent(problem);
    long[] offsets = {18, 10, 0, 0};
    assertTrue(incumbent.offer(Placement.of(offsets, new int[4]), "known"));
    assertEquals(24, incumbent.bestFigure());
    RunControl control = RunControl.ofSeconds(30, 1, 1);
    new SearchEngine().run(problem, incumbent, control, EngineOptions.defaults());
    assertEquals(Status.OPTIMAL, incumbent.status());
    assertEquals(23, incumbent.bestFigure());
  }
}

package stowage.exact.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stowage.exact.EngineChecks;
import stowage.generator.Generators;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
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
            Buffers.of("b0:6[0,3) b2:7[0,3) b4:10[0,1) b5:1[1,2)"),
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

  /**
   * Forty buffers cut out of two memories' time and bytes, too many to walk over their assignments:
   * there is a plan, with a sixth of the room to spare, and the descent finds it.
   */
  @Test
  void manyBuffersAreSpreadOverMemories() {
    for (int seed = 0; seed < 5; seed++) {
      List<Buffer> buffers = new ArrayList<>();
      for (int half = 0; half < 2; half++) {
        Map<String, Object> sides = Map.of("buffers", 20, "steps", 40, "height", 120, "unit", 1);
        Map<String, Object> values = new HashMap<>(sides);
        values.put("seed", 2 * seed + half);
        for (Buffer piece : Generators.generate("guillotine", values).buffers()) {
          buffers.add(piece.withId("b" + buffers.size()));
        }
      }
      List<Memory> memories = List.of(new Memory("a", 140, 1, 0, 0), new Memory("b", 140, 1, 0, 0));
      Incumbent incumbent =
          new Incumbent(new PackingProblem("cut", buffers, memories, ConflictPairs.none()));
      RunControl control = RunControl.ofSeconds(30, 1, seed);
      EngineOptions fit = EngineOptions.defaults().withFirstFit(true);
      new SearchEngine().run(incumbent.problem(), incumbent, control, fit);
      assertNotNull(incumbent.placement(), "seed " + seed);
    }
  }
}

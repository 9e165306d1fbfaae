package stowage.heuristic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.Refusals;
import stowage.generator.Generators;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class SweepBestFitTest {
  private static Placement plan(PackingProblem problem) {
    return new SweepBestFit().plan(problem, RunControl.unlimited());
  }

  private static PackingProblem problem(String buffers) {
    return Buffers.problem(buffers);
  }

  @Test
  void takesTheGapThatWillNotGrow() {
    Placement placement =
        plan(problem("bottom:8[0,3) wall:12[0,50) middle:10[0,3) soon:9[0,5) late:7[3,40)"));
    // Largest first: wall [0, 12), middle [12, 22), soon [22, 31), bottom [31, 39).
    assertEquals(22, placement.offset(3));
    // At 3 the gap [12, 22) is under one that ends at 5; what is above 31 has no end.
    assertEquals(12, placement.offset(4));
  }

  @Test
  void liesAgainstTheNeighbourThatEndsLater() {
    assertEquals(45, plan(problem("low:30[0,6) gap:20[0,2) high:10[0,90) new:5[2,90)")).offset(3));
  }

  @Test
  void fixedBytesAreUsedOnceTheLastOfTheirOwnersHasEnded() {
    PackingProblem problem =
        problem("first:64[0,4)@0 second:32[6,9)@16 before:16[5,7) after:64[9,12)");
    Placement placement = plan(problem);
    assertEquals(0, placement.offset(2));
    assertEquals(0, placement.offset(3));
    assertTrue(Verifier.isValid(problem, placement));
  }

  @Test
  void stepsMayBeNegative() {
    PackingProblem problem =
        problem("old:7[0,1) fixed:7[2,3)@7 new:7[3,4) long:9[1,9) late:3[3,8)");
    for (int by : new int[] {-1, -3, -4, -9, Integer.MIN_VALUE}) {
      List<Buffer> shifted = new ArrayList<>();
      for (Buffer b : problem.buffers()) {
        Buffer moved = new Buffer(b.id(), b.size(), b.live().start() + by, b.live().end() + by);
        shifted.add(b.isFixed() ? moved.withFixedOffset(b.fixedOffset()) : moved);
      }
      assertEquals(plan(problem), plan(PackingProblem.of("shifted", shifted)), () -> "by " + by);
    }
  }

  @Test
  void fixedBuffersThatClashAreNamed() {
    PackingProblem problem = problem("one:8[0,4)@0 two:8[3,6)@4");
    Refusals.says(
        NotPlannableException.class, () -> plan(problem), "\"one\" and \"two\" overlap at step 3");
  }

  @Test
  void tensOfThousandsWithManyFixedEndNearTheMaxLoad() {
    Map<String, Object> values = Map.of("seed", 3, "buffers", 40_000, "live", 400);
    PackingProblem all = Generators.generate("log-uniform-large", values);
    Placement placement = plan(all);
    assertTrue(Verifier.isValid(all, placement));
    assertTrue(placement.peak(all, 0) < 1.3 * LoadProfile.of(all).maxLoad());
    List<Buffer> some = new ArrayList<>(all.buffers());
    for (int i = 0; i < 2_000; i++) {
      some.set(i, some.get(i).withFixedOffset(placement.offset(i)));
    }
    PackingProblem mixed = PackingProblem.of("mixed", some);
    assertTrue(Verifier.isValid(mixed, plan(mixed)));
  }
}

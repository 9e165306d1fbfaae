package stowage.rewrite.recompute.walk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.Thorough;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.RandomGraphs;
import stowage.rewrite.recompute.RecomputeBruteForce;
import stowage.rewrite.recompute.cpsat.ClosureLinear;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.RequiredCertificate;
import stowage.rewrite.recompute.model.Timeline;

/** The walk over required values and its proofs, against exhaustion. */
class RequiredWalkTest {
  private static final long NONE = 1000;

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44})
  void boundsAreNeverAboveTheLeast(long seed) {
    Random random = new Random(seed);
    int cut = 0;
    for (int round = 0; round < Thorough.of(200, 10_000); round++) {
      RecomputeProblem given = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(given, random);
      String where = "seed " + seed + ", round " + round;
      long below = random.nextInt(3) == 0 ? 1 + random.nextInt(12) : NONE;
      RecomputeProblem problem = given.below(below);
      double share = random.nextDouble();
      int[] marks = RandomGraphs.some(problem, random, share);
      int[] splits = RandomGraphs.some(problem, random, 0.33);
      Function<RecomputeProblem, ClosureCertificate> closure =
          beginning -> {
            int[] early = IntStream.of(marks).filter(v -> v < beginning.ops).toArray();
            int[] parts = IntStream.of(splits).filter(v -> v < beginning.ops).toArray();
            RunControl control = RunControl.unlimited();
            return ClosureLinear.solve(beginning, limit, below, early, parts, null, control, 10);
          };
      int[] left = {random.nextInt(3) == 0 ? random.nextInt(40) : Integer.MAX_VALUE};
      RequiredWalk walk = new RequiredWalk(problem, limit, closure, below, () -> left[0]-- == 0);
      HeldWalk.Answer found = walk.run();
      long least = Math.min(below, RecomputeBruteForce.least(given, limit, false));
      assertTrue(found.bound() <= least, where + ": " + found.bound() + " above " + least);
      boolean whole = left[0] > 0;
      assertTrue(!whole || found.bound() == least, where + ": " + found.bound() + " of " + least);
      RequiredCertificate proof = walk.certificate(found.bound());
      assertEquals(found.bound(), proof.bound(given, limit), where);
      long more = found.bound() + 1;
      long forged =
          new RequiredCertificate(below, more, proof.beginnings(), proof.sets())
              .bound(given, limit);
      assertTrue(forged <= least, where + ": " + forged);
      cut += found.bound() < least ? 1 : 0;
      if (found.sequence() != null) {
        assertTrue(Timeline.isInOrder(given, found.sequence()), where);
        assertTrue(new Timeline(given, found.sequence()).peak <= limit, where);
        assertTrue(given.extra(found.sequence()) >= least, where);
        assertTrue(!whole || given.extra(found.sequence()) == least, where);
      } else {
        assertEquals(whole, whole && least == below, where);
      }
    }
    assertTrue(cut > 0, cut + " ended early");
  }
}

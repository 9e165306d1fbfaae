package stowage.rewrite.recompute.walk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntPredicate;
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

/** The walks over sets of values held and over required values, against exhaustion. */
class HeldWalkTest {
  private static final long NONE = 1000;

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34})
  void boundsAreNeverAboveTheLeast(long seed) {
    Random random = new Random(seed);
    int better = 0;
    int tight = 0;
    for (int round = 0; round < Thorough.of(200, 10_000); round++) {
      RecomputeProblem given = RandomGraphs.of(random);
      RecomputeProblem problem = given.from(random.nextInt(2) * random.nextInt(5));
      long limit = RandomGraphs.limit(problem, random);
      String where = "seed " + seed + ", round " + round;
      long least = Math.min(NONE, RecomputeBruteForce.least(given, limit, false));
      int[] marks = RandomGraphs.some(problem, random, 0.75);
      int[] splits = RandomGraphs.some(problem, random, 0.33);
      HeldWalk.Closure closure =
          (from, held) -> {
            int[] rest = Arrays.copyOfRange(marks, from, marks.length);
            RunControl control = RunControl.unlimited();
            IntPredicate there = held == null ? null : i -> Held.has(held, i);
            return ClosureLinear.solve(
                problem, limit, Long.MAX_VALUE, rest, splits, there, control, 10);
          };
      ClosureCertificate whole = closure.of(0, null);
      long linear = whole == null ? 0 : Math.min(NONE, whole.bound(problem, limit));
      int most = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 100_000;
      double small = random.nextDouble() / 10;
      double large = random.nextDouble();
      long below = random.nextInt(3) == 0 ? 1 + random.nextInt(12) : NONE;
      HeldWalk.Answer found =
          new HeldWalk(problem, limit, marks, closure, most, small, large).run(below, () -> false);
      assertTrue(
          found.bound() <= Math.min(below, least),
          where + ": " + found.bound() + " above " + least);
      better += found.bound() > linear ? 1 : 0;
      tight += found.bound() == least ? 1 : 0;
      if (found.sequence() != null) {
        assertTrue(Timeline.isInOrder(problem, found.sequence()), where);
        assertTrue(problem.extra(found.sequence()) >= found.bound(), where);
        boolean fits = new Timeline(problem, found.sequence()).peak <= limit;
        assertTrue(!fits || given.extra(found.sequence()) >= least, where);
        assertTrue(most < 10 || problem.extra(found.sequence()) == found.bound(), where);
      }
    }
    assertTrue(better > 3 && tight > 100, better + " better, " + tight + " tight");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void nothingIsSaidOfMoreThanIsProven(int most) {
    RecomputeProblem problem = RandomGraphs.chain(8);
    int[] marks = problem.once();
    HeldWalk.Closure closure =
        (from, held) ->
            ClosureLinear.solve(
                problem,
                3,
                Long.MAX_VALUE,
                Arrays.copyOfRange(marks, from, marks.length),
                new int[0],
                null,
                RunControl.unlimited(),
                10);
    HeldWalk.Answer few =
        new HeldWalk(problem, 3, marks, closure, most, 0, 0.5).run(29, () -> false);
    assertTrue(few.bound() <= 28, "45 - 17 computations more are the least: " + few.bound());
    assertEquals(0, HeldWalk.of(problem, 3, marks, (from, held) -> null, 29, () -> false).bound());
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44})
  void boundsByRequiredValuesAreNeverAboveTheLeast(long seed) {
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

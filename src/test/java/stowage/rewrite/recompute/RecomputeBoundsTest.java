package stowage.rewrite.recompute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.Thorough;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.rewrite.recompute.cpsat.GapLinear;
import stowage.rewrite.recompute.model.GapCertificate;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.Gathering;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;
import stowage.rewrite.recompute.search.Annealing;
import stowage.rewrite.recompute.search.Evictions;

/** Bounds and sequences against exhaustion. */
class RecomputeBoundsTest {

  private static GapCertificate solve(GapProblem gaps) {
    return GapLinear.solve(gaps, Long.MAX_VALUE, RunControl.unlimited(), 10);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void boundsAreNeverAboveExhaustion(long seed) {
    Random random = new Random(seed);
    int proven = 0;
    int rounds = Thorough.of(150, 600);
    for (int round = 0; round < rounds; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      String where = "seed " + seed + ", round " + round;
      long least = RecomputeBruteForce.least(problem, limit, false);
      GapProblem gaps = new GapProblem(problem, limit);
      if (gaps.impossible() >= 0) {
        assertEquals(Long.MAX_VALUE, least, where);
        assertTrue(gaps.least()[gaps.impossible()] > limit, where);
        continue;
      }
      long bound = solve(gaps).bound(problem, limit);
      assertTrue(bound <= least, where + ": " + bound + " above " + least);
      proven += bound == least ? 1 : 0;
      long[] any = random.longs(problem.ops, 0, 5).toArray();
      int scale = 1 + random.nextInt(4);
      GapCertificate drawn = new GapCertificate(any, scale, gaps.price, Long.MAX_VALUE);
      assertTrue(drawn.bound(problem, limit) <= least, where);
    }
    assertTrue(3 * proven > rounds, proven + " bounds are tight, seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22})
  void loadsAreThoseOfEachOpLookedAtAlone(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      GapProblem gaps = new GapProblem(problem, RandomGraphs.limit(problem, random));
      for (int v = 0; v < problem.ops; v++) {
        int op = v;
        long held = problem.workingSet(op);
        for (int i = 0; i < problem.values; i++) {
          boolean touched =
              problem.maker[i] == op || Arrays.stream(problem.users[i]).anyMatch(u -> u == op);
          boolean awaited =
              problem.kept[i] || Arrays.stream(problem.users[i]).anyMatch(u -> u > op);
          held += !touched && problem.maker[i] < op && awaited ? problem.bytes[i] : 0;
        }
        long dropped =
            IntStream.range(0, gaps.gaps)
                .filter(gap -> gaps.covers(gap, op))
                .mapToLong(gaps::bytes)
                .sum();
        String where = "seed " + seed + ", round " + round + ", op " + op;
        assertEquals(held, gaps.load[op], where);
        assertEquals(held - dropped, gaps.least()[op], where);
      }
    }
  }

  @Test
  void manyLongGapsTakeNoTimeEach() {
    int half = 200_000; // 20,000,000,000 ops below all gaps together
    int[][] reads = new int[2 * half][];
    Arrays.setAll(reads, v -> v == 0 ? new int[0] : new int[] {v - 1});
    Arrays.setAll(reads, v -> v < half ? reads[v] : new int[] {v - 1, 2 * half - 1 - v});
    long[] ones = new long[2 * half];
    Arrays.fill(ones, 1);
    GapProblem gaps = new GapProblem(RandomGraphs.single(reads, ones, ones), 3);
    assertEquals(half - 1, gaps.gaps);
    assertEquals(half + 1, gaps.load[half + 1]);
    assertEquals(2, gaps.least()[half - 1]);
  }

  @Test
  void whatOneOpReadsMayTakeMoreToGatherThanToRead() {
    int[][] reads = {{}, {}, {0, 1}, {}, {3}, {2, 4}};
    long[] bytes = {2, 2, 4, 4, 4, 1};
    RecomputeProblem problem = RandomGraphs.single(reads, bytes, new long[] {1, 1, 1, 1, 1, 1});
    assertEquals(
        5,
        Gathering.impossible(problem, 11, () -> false),
        "4 of one are held while the other is made");
    assertEquals(-1, Gathering.impossible(problem, 12, () -> false));
    assertEquals(-1, Gathering.impossible(problem, 11, () -> true), "when time is up");
    assertEquals(Long.MAX_VALUE, RecomputeBruteForce.least(problem, 11, true));
    assertEquals(0, RecomputeBruteForce.least(problem, 12, true));
    RecomputeAnswer answer = RecomputeSolver.solve(problem, 11, null, RunControl.unlimited());
    assertEquals(Status.INFEASIBLE, answer.status());
    assertEquals(RecomputeAnswer.Proof.GATHERING, answer.proof());
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void boundsOfAllOrdersAreNeverAboveExhaustion(long seed) {
    Random random = new Random(seed);
    int positive = 0;
    int less = 0;
    int rounds = Thorough.of(100, 300);
    for (int round = 0; round < rounds; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      String where = "seed " + seed + ", round " + round;
      long least = RecomputeBruteForce.least(problem, limit, true);
      assertTrue(
          least == Long.MAX_VALUE || Gathering.impossible(problem, limit, () -> false) < 0, where);
      GapProblem gaps = GapProblem.ofAllOrders(problem, limit);
      long bound = solve(gaps).ofAllOrders().bound(problem, limit);
      assertTrue(bound <= least, where + ": " + bound + " above " + least);
      positive += bound > 0 && bound < Long.MAX_VALUE ? 1 : 0;
      long[] any = random.longs(problem.ops, 0, 5).toArray();
      GapCertificate drawn = new GapCertificate(any, 2, gaps.price, Long.MAX_VALUE, true);
      assertTrue(drawn.bound(problem, limit) <= least, where);
      // A proof for the given order that is passed off as one for all is worth what it proves
      // there.
      GapCertificate given = solve(new GapProblem(problem, limit));
      long forged = given.ofAllOrders().bound(problem, limit);
      assertTrue(forged <= least, where + ": forged " + forged + " above " + least);
      less += forged < given.bound(problem, limit) ? 1 : 0;
    }
    assertTrue(less > Thorough.of(3, 20), less + " forged proofs lose, seed " + seed);
    assertTrue(15 * positive > rounds, positive + " bounds are above 0, seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 8})
  void annealingFindsSequencesNoCheaperThanTheLeast(long seed) {
    Random random = new Random(seed);
    int best = 0;
    int asked = 0;
    for (int round = 0; round < Thorough.of(20, 60); round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      long least = RecomputeBruteForce.least(problem, limit, false);
      int[][] found = {null};
      int[] asks = {0};
      new Annealing(problem, limit, random)
          .run(problem.once(), null, Long.MAX_VALUE, () -> 1500 - asks[0]++, s -> found[0] = s);
      boolean plain = new Timeline(problem, problem.once()).peak <= limit;
      if (found[0] != null) {
        assertTrue(Timeline.isInOrder(problem, found[0]));
        assertTrue(new Timeline(problem, found[0]).peak <= limit);
        assertTrue(problem.extra(found[0]) >= least, "seed " + seed + ", round " + round);
        best += problem.extra(found[0]) == least ? 1 : 0;
      }
      asked += least < Long.MAX_VALUE && !plain ? 1 : 0;
    }
    assertTrue(best * 10 >= asked * 7, best + " of " + asked + " are least, seed " + seed);
  }

  @Test
  void evictionsAreWithinTheLimit() {
    Random random = new Random(17);
    int found = 0;
    int possible = 0;
    for (int round = 0; round < Thorough.of(500, 5000); round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      long least = RecomputeBruteForce.least(problem, limit, false);
      int[] sequence = Evictions.sequence(problem, limit, 1, random, RunControl.unlimited());
      if (sequence != null) {
        assertTrue(Timeline.isInOrder(problem, sequence), "round " + round);
        assertTrue(new Timeline(problem, sequence).peak <= limit, "round " + round);
        assertTrue(problem.extra(sequence) >= least, "round " + round);
        found++;
      }
      possible += least < Long.MAX_VALUE ? 1 : 0;
    }
    assertTrue(found * 10 >= possible * 8, found + " of " + possible);
  }

  @ParameterizedTest
  @CsvSource({
    "4, 3, 15",
    "4, 4, 11",
    "4, 5, 10",
    "4, 6, 9",
    "6, 3, 28",
    "6, 4, 18",
    "6, 5, 16",
    "8, 3, 45",
    "8, 4, 26",
    "8, 5, 22",
    "8, 9, 18",
    "8, 10, 17"
  })
  void chainsTakeTheLeastNumberOfComputations(int layers, long limit, long computations) {
    RecomputeProblem problem = RandomGraphs.chain(layers);
    RecomputeAnswer answer =
        RecomputeSolver.solve(problem, limit, null, RunControl.ofSeconds(60, 2, 1));
    assertEquals(Status.OPTIMAL, answer.status());
    assertEquals(computations - problem.ops, answer.extra());
  }

  @Test
  void anOpThatNeedsMoreThanTheLimitIsNamed() {
    RecomputeAnswer answer =
        RecomputeSolver.solve(RandomGraphs.chain(4), 2, null, RunControl.ofSeconds(60, 2, 1));
    assertEquals(Status.INFEASIBLE, answer.status());
    assertEquals(RecomputeAnswer.Proof.WORKING_SET, answer.proof());
    assertTrue(RandomGraphs.chain(4).workingSet(answer.op()) > 2);
  }

  @Test
  void forgedCertificatesAreRejected() {
    RecomputeProblem problem = RandomGraphs.chain(4);
    GapProblem gaps = new GapProblem(problem, 4);
    GapCertificate good = solve(gaps);
    assertEquals(2, good.bound(problem, 4));
    long[] negative = good.lambda().clone();
    negative[3] = -1;
    long[] dear = good.price().clone();
    dear[2] = 9;
    long[] large = good.lambda().clone();
    Arrays.fill(large, Long.MAX_VALUE / 2);
    long[] free = new long[problem.values];
    assertEquals(
        0, new GapCertificate(large, 1, free, good.below()).bound(problem, 9), "at no price");
    for (boolean all : new boolean[] {false, true}) {
      for (GapCertificate forged :
          List.of(
              new GapCertificate(negative, 1, good.price(), good.below(), all),
              new GapCertificate(good.lambda(), 0, good.price(), good.below(), all),
              new GapCertificate(good.lambda(), 1, dear, good.below(), all),
              new GapCertificate(new long[2], 1, good.price(), good.below(), all))) {
        assertThrows(IllegalArgumentException.class, () -> forged.bound(problem, 4));
      }
    }
  }

  @Test
  void sharesOfACostThatDoNotAddUpAreRefused() {
    int[][] writes = {{0, 1}};
    RecomputeProblem problem =
        new RecomputeProblem(
            new int[] {0, 0},
            new long[] {1, 1},
            new boolean[2],
            new int[][] {{}},
            writes,
            new long[] {9},
            new long[1],
            new int[] {1});
    for (long[] shares : new long[][] {{-1, 5}, {5, -1}, {5, 5}, {Long.MAX_VALUE, 1}}) {
      GapCertificate forged = new GapCertificate(new long[1], 1, shares, Long.MAX_VALUE);
      assertThrows(IllegalArgumentException.class, () -> forged.bound(problem, 4));
    }
  }
}

package stowage.rewrite.recompute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.Thorough;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.rewrite.recompute.cpsat.GapLinear;
import stowage.rewrite.recompute.cpsat.StageModel;
import stowage.rewrite.recompute.model.GapCertificate;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.Gathering;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;
import stowage.rewrite.recompute.search.Annealing;
import stowage.rewrite.recompute.search.Evictions;
import stowage.rewrite.recompute.search.StateSearch;

/** Bounds, exact search and sequences against exhaustion. */
class RecomputeBoundsTest {

  /**
   * Least extra cost by brute force over (done, held), where single values are dropped at any time,
   * for first computations in the given order or in any; -1 where no sequence is within the limit.
   */
  static long exhaustive(RecomputeProblem problem, long limit, boolean allOrders) {
    record State(long cost, long done, long held, boolean begun) {}
    PriorityQueue<State> queue = new PriorityQueue<>((a, b) -> Long.compare(a.cost, b.cost));
    Map<Long, Long> seen = new HashMap<>();
    long inputs = 0;
    long kept = 0;
    for (int i = 0; i < problem.values; i++) {
      inputs |= problem.maker[i] < 0 ? 1L << i : 0;
      kept |= problem.kept[i] ? 1L << i : 0;
    }
    queue.add(new State(0, 0, inputs, false));
    while (!queue.isEmpty()) {
      State state = queue.remove();
      Long before = seen.putIfAbsent(state.held << 8 | state.done, state.cost);
      if (before != null) {
        continue;
      }
      if (state.done == (1L << problem.ops) - 1 && (kept & ~state.held) == 0) {
        return state.cost;
      }
      ArrayDeque<State> next = new ArrayDeque<>();
      for (int v = 0; v < problem.ops; v++) {
        boolean again = (state.done >> v & 1) == 1;
        if (!again && !allOrders && v != Long.bitCount(state.done)) {
          continue;
        }
        long needs = 0;
        long makes = 0;
        for (int i : problem.reads[v]) {
          needs |= 1L << i;
        }
        for (int i : problem.writes[v]) {
          makes |= 1L << i;
        }
        long bytes = problem.scratch[v];
        for (int i = 0; i < problem.values; i++) {
          bytes += ((state.held | makes) >> i & 1) == 1 ? problem.bytes[i] : 0;
        }
        if ((needs & ~state.held) == 0
            && bytes <= limit
            && (!again || mayRepeat(problem, v, state.done))) {
          next.add(
              new State(
                  state.cost + (again ? problem.cost[v] : 0),
                  state.done | 1L << v,
                  state.held | makes,
                  true));
        }
      }
      for (int i = 0; state.begun && i < problem.values; i++) {
        if ((state.held >> i & 1) == 1) {
          next.add(new State(state.cost, state.done, state.held & ~(1L << i), true));
        }
      }
      queue.addAll(next);
    }
    return -1;
  }

  private static boolean mayRepeat(RecomputeProblem problem, int op, long done) {
    int until = problem.until[op];
    return until > op && (until == problem.ops || (done >> until & 1) == 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void boundsAreNeverAboveExhaustionAndTheExactSearchAgrees(long seed) {
    Random random = new Random(seed);
    int proven = 0;
    int rounds = Thorough.of(150, 600);
    for (int round = 0; round < rounds; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      String where = "seed " + seed + ", round " + round;
      long least = exhaustive(problem, limit, false);
      long asLeast = least < 0 ? Long.MAX_VALUE : least;
      StateSearch.Answer found = new StateSearch(problem, limit).run(Long.MAX_VALUE, () -> false);
      assertTrue(found.proven(), where);
      assertEquals(asLeast, found.bound(), where);
      if (least >= 0) {
        assertTrue(Timeline.isInOrder(problem, found.sequence()), where);
        assertTrue(new Timeline(problem, found.sequence()).peak <= limit, where);
        assertEquals(least, problem.extra(found.sequence()), where);
      }
      GapProblem gaps = new GapProblem(problem, limit);
      if (gaps.impossible() >= 0) {
        assertEquals(-1, least, where);
        assertTrue(gaps.least()[gaps.impossible()] > limit, where);
        continue;
      }
      GapCertificate certificate =
          GapLinear.solve(gaps, Long.MAX_VALUE, RunControl.unlimited(), 10);
      long bound = certificate.bound(problem, limit);
      assertTrue(bound <= asLeast, where + ": " + bound + " above " + asLeast);
      proven += bound == asLeast ? 1 : 0;
      long[] any = random.longs(problem.ops, 0, 5).toArray();
      assertTrue(
          new GapCertificate(any, 1 + random.nextInt(4), gaps.price, Long.MAX_VALUE)
                  .bound(problem, limit)
              <= asLeast,
          where);
    }
    assertTrue(3 * proven > rounds, proven + " bounds are tight, seed " + seed);
  }

  @Test
  void whatOneOpReadsMayTakeMoreToGatherThanToRead() {
    int[][] reads = {{}, {}, {0, 1}, {}, {3}, {2, 4}};
    int[][] writes = {{0}, {1}, {2}, {3}, {4}, {5}};
    int[] until = {6, 6, 6, 6, 6, 6};
    boolean[] kept = {false, false, false, false, false, true};
    long[] bytes = {2, 2, 4, 4, 4, 1};
    RecomputeProblem problem =
        new RecomputeProblem(
            new int[] {0, 1, 2, 3, 4, 5},
            bytes,
            kept,
            reads,
            writes,
            new long[] {1, 1, 1, 1, 1, 1},
            new long[6],
            until);
    assertEquals(5, Gathering.impossible(problem, 11), "4 of one are held while the other is made");
    assertEquals(-1, Gathering.impossible(problem, 12));
    assertEquals(-1, exhaustive(problem, 11, true));
    assertEquals(0, exhaustive(problem, 12, true));
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
      long least = exhaustive(problem, limit, true);
      long asLeast = least < 0 ? Long.MAX_VALUE : least;
      assertTrue(least < 0 || Gathering.impossible(problem, limit) < 0, where);
      GapProblem gaps = GapProblem.ofAllOrders(problem, limit);
      long bound =
          GapLinear.solve(gaps, Long.MAX_VALUE, RunControl.unlimited(), 10)
              .ofAllOrders()
              .bound(problem, limit);
      assertTrue(bound <= asLeast, where + ": " + bound + " above " + asLeast);
      positive += bound > 0 && bound < Long.MAX_VALUE ? 1 : 0;
      long[] any = random.longs(problem.ops, 0, 5).toArray();
      GapCertificate drawn = new GapCertificate(any, 2, gaps.price, Long.MAX_VALUE, true);
      assertTrue(drawn.bound(problem, limit) <= asLeast, where);
      // A proof for the given order that is passed off as one for all is worth what it proves
      // there.
      GapCertificate given =
          GapLinear.solve(
              new GapProblem(problem, limit), Long.MAX_VALUE, RunControl.unlimited(), 10);
      long forged = given.ofAllOrders().bound(problem, limit);
      assertTrue(forged <= asLeast, where + ": forged " + forged + " above " + asLeast);
      less += forged < given.bound(problem, limit) ? 1 : 0;
    }
    assertTrue(less > Thorough.of(3, 20), less + " forged proofs lose, seed " + seed);
    assertTrue(15 * positive > rounds, positive + " bounds are above 0, seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void theIntegerFormIsABoundForAllSequences(long seed) {
    Random random = new Random(seed);
    int tight = 0;
    int rounds = Thorough.of(24, 60);
    for (int round = 0; round < rounds; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      String where = "seed " + seed + ", round " + round;
      long least = exhaustive(problem, limit, false);
      int[] marks = random.ints(0, problem.ops).limit(4).distinct().sorted().toArray();
      marks = round % 2 == 0 ? problem.once() : marks;
      StageModel.Answer answer =
          StageModel.solve(problem, limit, marks, null, Long.MAX_VALUE, RunControl.unlimited(), 30);
      if (least >= 0) {
        assertTrue(answer.bound() <= least, where + ": " + answer.bound() + " above " + least);
        tight += answer.bound() == least ? 1 : 0;
        StageModel.Answer none =
            StageModel.solve(problem, limit, marks, null, least + 1, RunControl.unlimited(), 30);
        assertTrue(none.bound() <= least, where);
      }
    }
    assertTrue(3 * tight > rounds, tight + " bounds are tight, seed " + seed);
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
      long least = exhaustive(problem, limit, false);
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
      asked += least >= 0 && !plain ? 1 : 0;
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
      StateSearch.Answer least = new StateSearch(problem, limit).run(1000, () -> false);
      int[] sequence = Evictions.sequence(problem, limit, 1, random, RunControl.unlimited());
      if (sequence != null) {
        assertTrue(Timeline.isInOrder(problem, sequence), "round " + round);
        assertTrue(new Timeline(problem, sequence).peak <= limit, "round " + round);
        assertTrue(problem.extra(sequence) >= least.bound(), "round " + round);
        found++;
      }
      possible += least.sequence() != null ? 1 : 0;
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
    GapCertificate good = GapLinear.solve(gaps, Long.MAX_VALUE, RunControl.unlimited(), 10);
    assertEquals(2, good.bound(problem, 4));
    long[] negative = good.lambda().clone();
    negative[3] = -1;
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new GapCertificate(negative, good.scale(), good.price(), good.below())
                .bound(problem, 4));
    long[] dear = good.price().clone();
    dear[2] = 9;
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new GapCertificate(good.lambda(), good.scale(), dear, good.below()).bound(problem, 4));
    assertThrows(
        IllegalArgumentException.class,
        () -> new GapCertificate(new long[2], 1, good.price(), good.below()).bound(problem, 4));
    long[] large = good.lambda().clone();
    java.util.Arrays.fill(large, Long.MAX_VALUE / 2);
    long[] free = new long[problem.values];
    assertEquals(
        0, new GapCertificate(large, 1, free, good.below()).bound(problem, 9), "at no price");
    for (GapCertificate forged :
        List.of(
            new GapCertificate(negative, 1, good.price(), good.below(), true),
            new GapCertificate(good.lambda(), 0, good.price(), good.below(), true),
            new GapCertificate(good.lambda(), 1, dear, good.below(), true),
            new GapCertificate(new long[2], 1, good.price(), good.below(), true))) {
      assertThrows(IllegalArgumentException.class, () -> forged.bound(problem, 4));
    }
  }
}

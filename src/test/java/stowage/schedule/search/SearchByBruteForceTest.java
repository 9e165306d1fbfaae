package stowage.schedule.search;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.packing.RunControl;
import stowage.schedule.bound.ForcedPrecedences;
import stowage.schedule.bound.OpCut;
import stowage.schedule.bound.OpCutBounds;
import stowage.schedule.bound.OpCutCheck;
import stowage.schedule.bound.OrderProof;
import stowage.schedule.bound.OrderProofCheck;
import stowage.schedule.model.OrderProblem;
import stowage.schedule.model.RandomOrderProblems;

/** Searches and bounds against the least peak over all orders, found by walking all downsets. */
class SearchByBruteForceTest {
  private static final int ROUNDS = Thorough.of(400, 20_000);

  private static final List<RunAtOnceRules> RULES =
      List.of(
          RunAtOnceRules.NONE,
          new RunAtOnceRules(true, false, 0, false),
          new RunAtOnceRules(false, true, 0, false),
          new RunAtOnceRules(false, false, 20, false),
          new RunAtOnceRules(false, false, 0, true),
          RunAtOnceRules.DEFAULT,
          RunAtOnceRules.WITH_SETS);

  /** A board that keeps all it is given. */
  private static final class Note implements DownsetSearch.Board {
    private final OrderProblem problem;
    private long bar = Long.MAX_VALUE;
    private long bound;
    private long found = Long.MAX_VALUE;

    Note(OrderProblem problem) {
      this.problem = problem;
    }

    @Override
    public long bar() {
      return bar;
    }

    @Override
    public void proven(long proven) {
      bound = Math.max(bound, proven);
    }

    @Override
    public void found(int[] order) {
      found = Math.min(found, problem.peak(order));
    }
  }

  @Test
  void everyRuleFindsAndProvesTheLeastPeakForwardsAndBackwards() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 11);
      long least = RandomOrderProblems.leastPeak(problem);
      List<OrderProblem> both = new ArrayList<>(List.of(problem));
      if (problem.idle() == 0) {
        both.add(problem.reversed());
      }
      for (OrderProblem way : both) {
        for (RunAtOnceRules rules : RULES) {
          Note note = new Note(way);
          DownsetSearch search = new DownsetSearch(way, rules);
          DownsetSearch.End end = search.run(note, 0, 1 << 20, () -> false);
          String what = "seed " + seed + ", " + rules + (way == problem ? "" : ", backwards");
          assertEquals(DownsetSearch.End.FOUND, end, what);
          assertEquals(least, note.found, what);
          assertTrue(note.bound <= least, what);
        }
      }
    }
  }

  @Test
  void aFloorAnswersWhetherAnOrderKeepsToIt() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      OrderProblem problem = RandomOrderProblems.problem(random, 11);
      long least = RandomOrderProblems.leastPeak(problem);
      OrderProblem way = problem.idle() == 0 && random.nextBoolean() ? problem.reversed() : problem;
      for (RunAtOnceRules rules : RULES) {
        for (long floor : new long[] {least - 1, least, least + 2, least - 5}) {
          Note note = new Note(way);
          note.bar = Math.max(floor + 1, least + random.nextInt(3));
          DownsetSearch.End end =
              new DownsetSearch(way, rules).run(note, floor, 1 << 20, () -> false);
          String what = "seed " + seed + ", " + rules + ", floor " + floor + " bar " + note.bar;
          assertTrue(note.bound <= least, what);
          if (least < note.bar) {
            assertEquals(DownsetSearch.End.FOUND, end, what);
            assertTrue(note.found <= Math.max(floor, least), what);
          } else {
            assertEquals(DownsetSearch.End.EXHAUSTED, end, what);
            assertEquals(note.bar, note.bound, what);
          }
        }
      }
    }
  }

  @Test
  void allTogetherProveTheLeastPeak() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 11);
      OrderIncumbent incumbent = new OrderIncumbent(problem);
      OrderPortfolio.run(incumbent, RunControl.unlimited());
      long least = RandomOrderProblems.leastPeak(problem);
      assertEquals(least, incumbent.peak(), "seed " + seed);
      assertEquals(least, incumbent.bound(), "seed " + seed);
    }
  }

  @Test
  void theBeamNeverClaimsLessThanTheLeastPeakAndOftenFindsIt() {
    int found = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 11);
      long least = RandomOrderProblems.leastPeak(problem);
      int[] order =
          new BeamSearch(problem, RunAtOnceRules.DEFAULT).run(3, 0, Long.MAX_VALUE, () -> false);
      long peak = problem.peak(order);
      assertTrue(peak >= least, "seed " + seed);
      found += peak == least ? 1 : 0;
    }
    assertTrue(found > ROUNDS * 9 / 10, found + " of " + ROUNDS);
  }

  /** Chains that run at once depend on where they are looked for. */
  @Test
  void aBeamThatComesBackToADownsetRunsNoFewerOpsThanBefore() {
    for (int seed = 0; seed < ROUNDS / 2; seed++) {
      Random random = new Random(seed);
      OrderProblem problem = RandomOrderProblems.problem(random, 25);
      int width = 2 + random.nextInt(20);
      int[] order =
          new BeamSearch(problem, RunAtOnceRules.DEFAULT)
              .run(width, random.nextInt(40), Long.MAX_VALUE, () -> false);
      assertArrayEquals(
          IntStream.range(0, problem.ops()).toArray(),
          Arrays.stream(order).sorted().toArray(),
          "seed " + seed);
    }
  }

  @Test
  void forcedArcsHoldInSomeOrderThatKeepsToTheTarget() {
    int impossible = 0;
    int arcs = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      OrderProblem problem = RandomOrderProblems.problem(random, 11);
      long least = RandomOrderProblems.leastPeak(problem);
      long target = least + random.nextInt(6);
      ForcedPrecedences kept = ForcedPrecedences.find(problem, target, () -> false);
      assertFalse(kept.impossible(), "seed " + seed);
      assertTrue(RandomOrderProblems.leastPeak(kept.problem()) <= target, "seed " + seed);
      assertEquals(
          problem.peak(kept.order()),
          kept.problem().peak(IntStream.range(0, problem.ops()).toArray()),
          "seed " + seed);
      arcs += kept.found();
      impossible += ForcedPrecedences.find(problem, least - 1, () -> false).impossible() ? 1 : 0;
    }
    assertTrue(arcs > ROUNDS / 4, arcs + " arcs");
    assertTrue(impossible > ROUNDS / 2, impossible + " proofs");
  }

  @Test
  void ordersComeNearerToTheGivenOneAtTheSamePeak() {
    int nearer = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 11);
      int[] order =
          new BeamSearch(problem, RunAtOnceRules.DEFAULT).run(5, 0, Long.MAX_VALUE, () -> false);
      long peak = problem.peak(order);
      int[] near = NearestOrder.of(problem, order, peak, () -> false);
      assertTrue(problem.peak(near) <= peak, "seed " + seed);
      assertArrayEquals(near, NearestOrder.of(problem, near, peak, () -> false), "seed " + seed);
      assertTrue(inversions(near) <= inversions(order), "seed " + seed);
      nearer += inversions(near) < inversions(order) ? 1 : 0;
    }
    assertTrue(nearer > ROUNDS / 10, nearer + " of " + ROUNDS);
  }

  private static int inversions(int[] order) {
    int count = 0;
    for (int k = 0; k < order.length; k++) {
      for (int later = k + 1; later < order.length; later++) {
        count += order[k] > order[later] ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void windowsLowerOrdersAndTheirLoadsAreThoseOfTheWholeOrder() {
    int found = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      OrderProblem problem = RandomOrderProblems.problem(random, 11);
      int[] order = IntStream.range(0, problem.ops()).toArray();
      long[] loads = problem.loads(order);
      int from = random.nextInt(problem.ops());
      int to = from + 1 + random.nextInt(problem.ops() - from);
      OrderProblem part =
          problem.part(Arrays.copyOf(order, from), Arrays.copyOfRange(order, from, to));
      assertArrayEquals(
          Arrays.copyOfRange(loads, from, to),
          part.loads(IntStream.range(0, to - from).toArray()),
          "seed " + seed);
      long least = RandomOrderProblems.leastPeak(problem);
      WindowSearch windows = new WindowSearch(problem, seed);
      int[] better = order;
      while (better != null) {
        order = better;
        better = problem.peak(order) > least ? windows.improve(order, 20, () -> false) : null;
        assertTrue(better == null || problem.peak(better) < problem.peak(order), "seed " + seed);
      }
      assertTrue(problem.peak(order) >= least, "seed " + seed);
      found += problem.peak(order) == least ? 1 : 0;
    }
    assertTrue(found > ROUNDS * 9 / 10, found + " of " + ROUNDS);
  }

  @Test
  void boundsOfSingleOpsHoldAndTheirCertificatesAreAccepted() {
    int tight = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 11);
      long least = RandomOrderProblems.leastPeak(problem);
      int[] order = IntStream.range(0, problem.ops()).toArray();
      OpCutBounds bounds = new OpCutBounds(problem);
      OpCut best = bounds.best(order, () -> false);
      assertTrue(best.bound() <= least, "seed " + seed);
      assertEquals(best.bound(), OpCutCheck.proven(problem, best), "seed " + seed);
      tight += best.bound() == least ? 1 : 0;
      for (int op = 0; op < problem.ops(); op++) {
        long leastLoad = leastLoad(problem, op);
        assertEquals(leastLoad, bounds.leastLoad(op), "seed " + seed + ", op " + op);
        OpCut cut = bounds.certificate(op);
        assertEquals(leastLoad, cut.bound(), "seed " + seed + ", op " + op);
        assertEquals(leastLoad, OpCutCheck.proven(problem, cut), "seed " + seed + ", op " + op);
      }
    }
    assertTrue(tight > ROUNDS / 2, tight + " of " + ROUNDS);
  }

  @Test
  void chainsWhoseSumsOverflowProveNothing() {
    OrderProblem problem =
        OrderProblem.of(
            new int[][] {{}, {0}},
            List.of(
                new OrderProblem.Item(8, new int[] {0, 1}, false, false),
                new OrderProblem.Item(8, new int[] {1}, false, true)),
            List.of());
    List<OpCut.Chain> chains = new ArrayList<>();
    long most = Long.MAX_VALUE;
    for (long[] chain : new long[][] {{1, 0}, {most, 0}, {1, 1}, {most, 1}, {most, 0}}) {
      chains.add(new OpCut.Chain(chain[0], new int[] {(int) chain[1]}));
    }
    OpCut.Case all = new OpCut.Case(-1, -1, chains);
    assertEquals(-1, OpCutCheck.proven(problem, new OpCut(1, List.of(all), 17, new int[] {0})));
  }

  @Test
  void proofsAreFoundAndAcceptedJustBelowTheLeastPeak() {
    int walks = 0;
    int circles = 0;
    int wrong = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 11);
      long least = RandomOrderProblems.leastPeak(problem);
      for (boolean byPrecedences : new boolean[] {false, true}) {
        String what = "seed " + seed + ", precedences first: " + byPrecedences;
        assertNull(OrderProofs.find(problem, least, byPrecedences, 1 << 20, () -> false), what);
        OrderProof proof =
            OrderProofs.find(problem, least - 1, byPrecedences, 1 << 20, () -> false);
        assertTrue(new OrderProofCheck(problem, proof).holds(1 << 20, () -> false), what);
        walks += proof.stretches() != null ? 1 : 0;
        circles += proof.stretches() == null && proof.impossible() == null ? 1 : 0;
        OrderProof claim =
            new OrderProof(
                least,
                proof.precedences(),
                proof.impossible(),
                proof.reversed(),
                proof.stretches());
        assertFalse(new OrderProofCheck(problem, claim).holds(1 << 20, () -> false), what);
        wrong += refusesWrongChains(problem, proof) ? 1 : 0;
      }
    }
    assertTrue(walks > ROUNDS / 4, walks + " walks");
    assertTrue(circles > 0, circles + " circles");
    assertTrue(wrong > ROUNDS / 4, wrong + " spoilt proofs refused");
  }

  /**
   * Walks over downsets of the problem read backwards, from their empty set, with precedences that
   * are forced and without. What holds for the problem must hold for these too.
   */
  @Test
  void walksBackwardsAreCheckedAgainstTheLeastPeak() {
    int accepted = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 9);
      long least = RandomOrderProblems.leastPeak(problem);
      OrderProof proof = OrderProofs.find(problem, least - 1, true, 1 << 20, () -> false);
      for (long target : new long[] {least - 1, least}) {
        OrderProof back = new OrderProof(target, proof.precedences(), null, true, List.of());
        boolean held = new OrderProofCheck(problem, back).holds(1 << 20, () -> false);
        assertTrue(target < least ? held || problem.idle() != 0 : !held, "seed " + seed);
        accepted += held && !proof.precedences().isEmpty() && proof.stretches() != null ? 1 : 0;
      }
    }
    assertTrue(accepted > 0, accepted + " with forced precedences");
  }

  /** Whether a proof has a chain to spoil; a spoilt one must be refused. */
  private static boolean refusesWrongChains(OrderProblem problem, OrderProof proof) {
    OrderProof.Forced impossible = proof.impossible();
    if (impossible == null || impossible.chains().isEmpty()) {
      return false;
    }
    List<OpCut.Chain> chains = new ArrayList<>(impossible.chains());
    OpCut.Chain first = chains.get(0);
    chains.set(0, new OpCut.Chain(problem.bytes(first.buffers()[0]) + 1, first.buffers()));
    OrderProof.Forced spoilt =
        new OrderProof.Forced(impossible.op(), -1, impossible.otherRan(), chains);
    OrderProof claim = new OrderProof(proof.target(), proof.precedences(), spoilt, false, null);
    assertFalse(new OrderProofCheck(problem, claim).holds(1, () -> false));
    return true;
  }

  /** The least load of an op over all downsets, without what is there at the first step alone. */
  private static long leastLoad(OrderProblem problem, int op) {
    long least = Long.MAX_VALUE;
    for (int done = 0; done < 1 << problem.ops(); done++) {
      int set = done;
      boolean closed = (done >> op & 1) == 0;
      for (int v = 0; v < problem.ops() && closed; v++) {
        boolean in = (set >> v & 1) != 0 || v == op;
        closed = !in || Arrays.stream(problem.before(v)).allMatch(u -> (set >> u & 1) != 0);
      }
      if (closed) {
        long load = RandomOrderProblems.load(problem, done, op);
        least = Math.min(least, load - (done == 0 ? problem.idle() : 0));
      }
    }
    return least;
  }
}

package stowage.rewrite.recompute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.Thorough;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.rewrite.recompute.RecomputeAnswer.Proof;
import stowage.rewrite.recompute.cpsat.ClosureBranches;
import stowage.rewrite.recompute.cpsat.ClosureInteger;
import stowage.rewrite.recompute.cpsat.ClosureLinear;
import stowage.rewrite.recompute.cpsat.GapLinear;
import stowage.rewrite.recompute.model.BranchCertificate;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.FractionalSplits;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.Gathering;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/** The gap bound with what computing again needs itself, against exhaustion. */
class ClosureTest {

  private static int[] rows(RecomputeProblem problem, long limit, int[] marks, int[] splits) {
    int[] rows = {0, 0, 0};
    ClosureRows.visit(
        problem,
        limit,
        marks,
        splits,
        new ClosureRows.Sink() {
          @Override
          public void row(boolean ofBytes, long least, int[] variables, long[] weights, int terms) {
            rows[0]++;
          }

          @Override
          public void mark(int op, boolean gathering) {
            rows[1] += gathering ? 1 : 0;
          }

          @Override
          public void variable(long price, int value) {
            rows[2]++;
          }
        });
    return rows;
  }

  private static ClosureCertificate solve(
      RecomputeProblem problem, long limit, long below, int[] marks, int[] splits) {
    RunControl control = RunControl.unlimited();
    return ClosureLinear.solve(problem, limit, below, marks, splits, null, control, 10);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void boundsAreNeverAboveExhaustion(long seed) {
    Random random = new Random(seed);
    int better = 0;
    int tight = 0;
    int impossible = 0;
    int gathered = 0;
    int rounds = Thorough.of(200, 5_000);
    for (int round = 0; round < rounds; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      String where = "seed " + seed + ", round " + round;
      long least = RecomputeBruteForce.least(problem, limit, false);
      int[] all = problem.once();
      int[] splits = IntStream.of(all).filter(v -> random.nextInt(3) == 0).toArray();
      ClosureCertificate found = solve(problem, limit, Long.MAX_VALUE, all, splits);
      long bound = found == null ? 0 : found.bound(problem, limit);
      assertTrue(bound <= least, where + ": " + bound + " above " + least);
      GapProblem gaps = new GapProblem(problem, limit);
      long plain =
          GapLinear.solve(gaps, Long.MAX_VALUE, RunControl.unlimited(), 10).bound(problem, limit);
      assertTrue(bound >= plain, where + ": " + bound + " below " + plain + " without closure");
      better += bound > plain ? 1 : 0;
      tight += bound == least ? 1 : 0;
      impossible += bound == Long.MAX_VALUE && plain < bound ? 1 : 0;
      long below = 1 + random.nextInt(12);
      ClosureCertificate cut = solve(problem, limit, below, all, splits);
      assertTrue(cut == null || cut.bound(problem, limit) <= Math.min(least, below), where);
      int[] some = IntStream.range(0, problem.ops).filter(v -> random.nextBoolean()).toArray();
      int[] count = rows(problem, limit, some, splits);
      gathered += count[1];
      double[] any = random.doubles(count[0], 0, 3).toArray();
      long drawn = new ClosureCertificate(some, splits, any, Long.MAX_VALUE).bound(problem, limit);
      assertTrue(drawn <= least, where + ": drawn " + drawn + " above " + least);
    }
    String what = better + " better, " + tight + " tight, " + impossible + " impossible";
    assertTrue(
        better > rounds / 25 && tight > rounds * 3 / 5 && impossible > 0, what + ", seed " + seed);
    assertTrue(gathered > rounds / 20, gathered + " gatherings, seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {25, 26})
  void theIntegerFormIsABoundAndItsSolutionASequence(long seed) {
    Random random = new Random(seed);
    int fits = 0;
    int tight = 0;
    for (int round = 0; round < 100; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      String where = "seed " + seed + ", round " + round;
      long least = RecomputeBruteForce.least(problem, limit, false);
      int[] splits = random.ints(0, problem.ops).limit(round % 4).sorted().distinct().toArray();
      int[] once = problem.once();
      RunControl control = RunControl.unlimited();
      ClosureInteger.Answer found =
          ClosureInteger.solve(problem, limit, 0, Long.MAX_VALUE, once, splits, control, 30);
      assertTrue(found.exact(), where);
      if (least == Long.MAX_VALUE) {
        continue;
      }
      assertTrue(found.bound() <= least, where + ": " + found.bound() + " above " + least);
      tight += found.bound() == least ? 1 : 0;
      assertTrue(problem.extra(found.sequence()) <= found.bound(), where);
      assertTrue(Timeline.isInOrder(problem, found.sequence()), where);
      if (new Timeline(problem, found.sequence()).peak <= limit) {
        assertEquals(least, problem.extra(found.sequence()), where);
        fits++;
      }
      long below = 1 + random.nextInt(12);
      RecomputeProblem cheap = problem.below(below);
      long known = random.nextLong(Math.min(least, below - 1) + 1);
      long cut =
          ClosureInteger.solve(cheap, limit, known, below, once, splits, control, 30).bound();
      assertTrue(cut <= Math.min(below, least), where + ": " + cut + " of " + below);
    }
    assertTrue(tight > 60 && fits > 40, tight + " tight, " + fits + " fit, seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33})
  void casesAreNeverAboveExhaustion(long seed) {
    Random random = new Random(seed);
    int better = 0;
    int tight = 0;
    int atHigher = 0;
    int rounds = Thorough.of(160, 4_000);
    for (int round = 0; round < rounds; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = RandomGraphs.limit(problem, random);
      String where = "seed " + seed + ", round " + round;
      long least = RecomputeBruteForce.least(problem, limit, false);
      int[] once = problem.once();
      int[] splits = IntStream.of(once).filter(v -> random.nextInt(3) == 0).toArray();
      long below = random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(12);
      RunControl control = RunControl.unlimited();
      ClosureBranches.Found found =
          ClosureBranches.solve(problem, limit, below, once, splits, control, 10);
      long bound = found.certificate().bound(problem, limit);
      assertTrue(bound <= Math.min(least, below), where + ": " + bound + " above " + least);
      ClosureCertificate plain = solve(problem, limit, below, once, splits);
      long without = plain == null ? 0 : plain.bound(problem, limit);
      assertTrue(bound >= without, where + ": " + bound + " below " + without);
      better += bound > without ? 1 : 0;
      tight += bound == Math.min(least, below) ? 1 : 0;
      if (round % 4 == 0) {
        long higher = limit + 1 + round % 3;
        long above =
            new RecomputeAnswer(
                    Status.UNKNOWN,
                    null,
                    -1,
                    bound,
                    Proof.CASES,
                    found.certificate(),
                    splits,
                    0,
                    -1)
                .at(problem, higher)
                .bound();
        assertTrue(above <= RecomputeBruteForce.least(problem, higher, false), where);
        atHigher += above > 0 ? 1 : 0;
      }
      int[] count = rows(problem.below(below), limit, once, splits);
      BranchCertificate.Case any = tree(random, count[0], count[2], count[2] == 0 ? 0 : 2);
      BranchCertificate drawn = new BranchCertificate(once, splits, below, any);
      long proven = drawn.bound(problem, limit);
      assertTrue(proven <= least, where + ": drawn " + proven + " above " + least);
    }
    assertTrue(
        better > rounds / 40 && tight > rounds / 2,
        better + " better, " + tight + " tight, seed " + seed);
    assertTrue(atHigher > rounds / 80, atHigher + " say something of higher limits, seed " + seed);
  }

  private static BranchCertificate.Case tree(Random random, int rows, int variables, int depth) {
    if (depth == 0) {
      return BranchCertificate.Case.leaf(random.doubles(rows, 0, 3).toArray());
    }
    BranchCertificate.Case few = tree(random, rows + 1, variables, depth - 1);
    BranchCertificate.Case more = tree(random, rows + 1, variables, depth - 1);
    int first = random.nextInt(variables);
    int count = 1 + random.nextInt(variables - first);
    return new BranchCertificate.Case(null, first, count, random.nextInt(2), List.of(few, more));
  }

  @Test
  void casesThatAreNotTwoOrOfNoVariablesAreRefused() {
    RecomputeProblem problem = RandomGraphs.chain(4);
    int[] once = problem.once();
    int rows = rows(problem, 3, once, new int[0])[0];
    double[] ones = IntStream.range(0, rows + 1).mapToDouble(k -> 1).toArray();
    BranchCertificate.Case leaf = BranchCertificate.Case.leaf(ones);
    for (BranchCertificate.Case root :
        List.of(
            new BranchCertificate.Case(null, 0, 1, 0, List.of(leaf)),
            new BranchCertificate.Case(null, 0, 0, 0, List.of(leaf, leaf)),
            new BranchCertificate.Case(null, -1, 1, 0, List.of(leaf, leaf)),
            new BranchCertificate.Case(null, 1 << 20, 1, 0, List.of(leaf, leaf)),
            leaf)) {
      BranchCertificate forged = new BranchCertificate(once, new int[0], Long.MAX_VALUE, root);
      assertThrows(IllegalArgumentException.class, () -> forged.bound(problem, 3));
    }
  }

  @Test
  void whatIsGatheredForAnOpIsAlive() {
    // While the last of what op 5 reads is computed, 4, 4 and 1 bytes are there, whichever it is.
    int[][] reads = {{}, {}, {1}, {}, {3}, {2, 4}, {0, 5}};
    long[] bytes = {2, 4, 4, 4, 1, 1, 1};
    RecomputeProblem problem = RandomGraphs.single(reads, bytes, new long[] {3, 1, 1, 1, 1, 1, 1});
    assertArrayEquals(new int[] {5}, Gathering.widest(problem));
    int[] none = {};
    for (int limit : new int[] {8, 9, 11}) {
      long least = RecomputeBruteForce.least(problem, limit, false);
      assertEquals(limit == 8 ? Long.MAX_VALUE : limit == 11 ? 0 : 3, least);
      ClosureCertificate found = solve(problem, limit, Long.MAX_VALUE, problem.once(), none);
      assertEquals(least, found.bound(problem, limit), "limit " + limit);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 8})
  void splitsBetweenRunsOfOneOpProveMore(int layers) {
    RecomputeProblem problem = RandomGraphs.chain(layers);
    RecomputeAnswer best = RecomputeSolver.solve(problem, 3, null, RunControl.ofSeconds(60, 1, 1));
    assertEquals(layers == 6 ? 28 - 13 : 45 - 17, best.extra());
    int[] splits = {};
    long plain = -1;
    long bound = 0;
    for (int k = 0; k <= problem.ops; k++) {
      ClosureLinear.Solution found =
          ClosureLinear.solution(
              problem, 3, Long.MAX_VALUE, problem.once(), splits, null, RunControl.unlimited(), 10);
      long next = found.certificate().bound(problem, 3);
      assertTrue(next >= bound && next <= best.extra(), bound + ", then " + next);
      int[] marks = found.certificate().binding(problem, 3, problem.once());
      assertTrue(marks.length < problem.ops);
      assertEquals(next, solve(problem, 3, Long.MAX_VALUE, marks, splits).bound(problem, 3));
      bound = next;
      plain = plain < 0 ? next : plain;
      int[] more = FractionalSplits.more(problem, 3, found.certificate(), found.variables());
      assertEquals(more.length, IntStream.of(more).distinct().count());
      assertTrue(Arrays.stream(splits).allMatch(v -> Arrays.binarySearch(more, v) >= 0));
      assertTrue(more.length <= splits.length + 1 && more.length < problem.ops);
      if (more.length == splits.length) {
        break;
      }
      splits = more;
    }
    assertTrue(bound > plain, bound + " as without splits");
  }

  @Test
  void aSearchGoesOnFromAnEarlierAnswer() {
    RecomputeProblem problem = RandomGraphs.chain(14);
    RecomputeAnswer first =
        RecomputeSolver.solve(problem, 7, null, RunControl.ofSeconds(0.01, 1, 1));
    RecomputeAnswer again =
        RecomputeSolver.solve(problem, 7, null, first, false, RunControl.ofSeconds(4, 2, 1));
    assertTrue(again.bound() >= first.bound());
    assertTrue(again.extra() >= again.bound());
    assertTrue(first.sequence() == null || again.extra() <= first.extra());
    assertEquals(again, again.withBoundOf(RecomputeAnswer.NOTHING).withBoundOf(again));
    assertFalse(again.isCheaperThan(again) || RecomputeAnswer.NOTHING.isCheaperThan(again));
  }

  private static void rejected(
      RecomputeProblem problem, int[] marks, int[] splits, double... multipliers) {
    ClosureCertificate forged = new ClosureCertificate(marks, splits, multipliers, Long.MAX_VALUE);
    assertThrows(IllegalArgumentException.class, () -> forged.bound(problem, 4));
  }

  @Test
  void forgedCertificatesAreRejected() {
    RecomputeProblem problem = RandomGraphs.chain(6);
    int[] none = {};
    ClosureCertificate good = solve(problem, 4, Long.MAX_VALUE, problem.once(), none);
    long proven = good.bound(problem, 4);
    assertTrue(proven >= 2 && proven <= 5, "proven " + proven);
    double[] forged = good.multipliers().clone();
    for (double wrong : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      forged[0] = wrong;
      rejected(problem, good.marks(), none, forged);
    }
    for (int[] marks : new int[][] {{3, 2}, {-1}, {99}, {1, 1}}) {
      rejected(problem, marks, none);
    }
    rejected(problem, good.marks(), new int[] {5, 4});
    rejected(problem, good.marks(), none, 0);
    double[] large = Arrays.stream(good.multipliers()).map(one -> 1000 * one).toArray();
    ClosureCertificate thousandfold =
        new ClosureCertificate(good.marks(), none, large, good.below());
    assertTrue(thousandfold.bound(problem, 4) <= proven, "runs pay once");
    assertEquals(0, good.bound(problem, 9), "at no price");
  }

  @Test
  void costsTakenForNothingAddUpToNoMoreThanTheLoss() {
    int some = 0;
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      RecomputeProblem problem = RandomGraphs.of(random);
      int[] again = random.ints(random.nextInt(7), 0, problem.ops).toArray();
      int[] sequence =
          IntStream.concat(IntStream.range(0, problem.ops), Arrays.stream(again)).toArray();
      long loss = random.nextInt(12);
      long within = problem.costWithin(sequence, loss);
      long below =
          Arrays.stream(again).mapToLong(v -> problem.cost[v]).filter(c -> c < within).sum();
      long upTo =
          Arrays.stream(again).mapToLong(v -> problem.cost[v]).filter(c -> c <= within).sum();
      boolean all = problem.extra(sequence) <= loss;
      assertTrue(all ? within == 0 : below <= loss && upTo > loss, "seed " + seed);
      some += below > 0 ? 1 : 0;
    }
    assertTrue(some > 30, some + " with some for nothing");
  }
}

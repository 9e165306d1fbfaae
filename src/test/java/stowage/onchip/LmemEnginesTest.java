package stowage.onchip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.network.Chip;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.lmem.LmemVerifier;
import stowage.packing.RunControl;

/** The exact engine against the best of all placements, on small random groups. */
class LmemEnginesTest {
  private static final int VECTOR = 4;
  private static final Chip CHIP = Chips.chip("tiny", 1, VECTOR, 32, 4, 1, false);

  @Test
  void agreeWithBruteForce() {
    long firstSeed = Thorough.of(1, 1000);
    int count = Thorough.of(40, 400);
    int fitting = 0;
    for (long seed = firstSeed; seed < firstSeed + count; seed++) {
      Random random = new Random(seed);
      LmemProblem problem =
          RandomLmem.of(random, CHIP, 3 + random.nextInt(3), 4 + random.nextInt(2), 14);
      LmemPlacement best = bruteForce(problem);
      fitting += best == null ? 0 : 1;
      String what = "seed " + seed;
      LmemEngine engine = new CpSatLmem();
      LmemEngine.Fit fit = engine.fit(problem, RunControl.unlimited());
      if (best == null) {
        assertEquals(LmemEngine.Verdict.CANNOT_FIT, fit.verdict(), what);
        continue;
      }
      assertEquals(LmemEngine.Verdict.FITS, fit.verdict(), what);
      assertEquals(List.of(), LmemVerifier.violations(problem, fit.placement()), what);
      LmemAnswer answer = engine.improve(problem, fit.placement(), RunControl.unlimited());
      assertEquals(List.of(), LmemVerifier.violations(problem, answer.placement()), what);
      assertEquals(LmemScore.of(problem, best), answer.score(), what);
      assertTrue(answer.isOptimal(), () -> what + ": " + answer);
    }
    assertTrue(fitting > count / 4 && fitting < count, "too one-sided: " + fitting);
  }

  /** The best of all placements, or null when there is none. */
  private static LmemPlacement bruteForce(LmemProblem problem) {
    long[] offsets = new long[problem.size()];
    LmemPlacement[] best = new LmemPlacement[1];
    LmemScore[] score = new LmemScore[1];
    search(problem, offsets, 0, best, score);
    return best[0];
  }

  private static void search(
      LmemProblem problem, long[] offsets, int b, LmemPlacement[] best, LmemScore[] score) {
    if (b == offsets.length) {
      int[] shares = new int[b];
      java.util.Arrays.fill(shares, LmemPlacement.OWN);
      for (LmemProblem.Sharing sharing : problem.sharings()) {
        if (offsets[sharing.result()] == offsets[sharing.operand()]) {
          shares[sharing.result()] = sharing.operand();
        }
      }
      LmemPlacement placement = new LmemPlacement(offsets, shares);
      LmemScore now = LmemScore.of(problem, placement);
      if (score[0] == null || now.compareTo(score[0]) < 0) {
        best[0] = placement;
        score[0] = now;
      }
      return;
    }
    long lane = problem.chip().laneBytes();
    for (long at = 0; at + problem.buffer(b).size() <= lane; at += VECTOR) {
      offsets[b] = at;
      boolean free = true;
      for (int other = 0; other < b && free; other++) {
        boolean apart =
            at + problem.buffer(b).size() <= offsets[other]
                || offsets[other] + problem.buffer(other).size() <= at;
        boolean share =
            at == offsets[other]
                && (problem.sharings().contains(new LmemProblem.Sharing(b, other))
                    || problem.sharings().contains(new LmemProblem.Sharing(other, b)));
        free = apart || share || !problem.together(b, other);
      }
      if (free) {
        search(problem, offsets, b + 1, best, score);
      }
    }
  }
}

package stowage.onchip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.network.Chip;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.lmem.LmemBuffer;
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
    compare(Thorough.of(1, 1000), Thorough.of(40, 400));
  }

  private static void compare(long firstSeed, int count) {
    int fitting = 0;
    for (long seed = firstSeed; seed < firstSeed + count; seed++) {
      LmemProblem problem = random(new Random(seed));
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

  /** Three to five steps, four or five buffers: around the end, resident, scratch, sharing. */
  private static LmemProblem random(Random random) {
    int steps = 3 + random.nextInt(3);
    int count = 4 + random.nextInt(2);
    List<LmemBuffer> buffers = new ArrayList<>();
    for (int b = 0; b < count; b++) {
      boolean resident = random.nextInt(6) == 0;
      int start = random.nextInt(steps);
      int length = 1 + random.nextInt(steps - 1);
      int end = (start + length - 1) % steps + 1;
      long size = 1 + random.nextInt(14);
      LmemBuffer.Kind kind = LmemBuffer.Kind.values()[random.nextInt(3)];
      buffers.add(
          resident
              ? new LmemBuffer("b" + b, LmemBuffer.Kind.WEIGHT, 0, steps, size, true)
              : new LmemBuffer("b" + b, kind, start, end, size, false));
    }
    List<LmemProblem.Step> table = new ArrayList<>();
    for (int s = 0; s < steps; s++) {
      List<Integer> live = new ArrayList<>();
      for (int b = 0; b < count; b++) {
        if (buffers.get(b).isLive(s) && buffers.get(b).kind() != LmemBuffer.Kind.SCRATCH) {
          live.add(b);
        }
      }
      List<Integer> reads = pick(random, live);
      List<Integer> writes = pick(random, live);
      List<LmemProblem.Move> loads = new ArrayList<>();
      pick(random, live).forEach(b -> loads.add(new LmemProblem.Move(b, "t" + b)));
      List<LmemProblem.Move> stores = new ArrayList<>();
      pick(random, live).forEach(b -> stores.add(new LmemProblem.Move(b, "t" + b)));
      List<LmemProblem.Compute> computes =
          reads.isEmpty() && writes.isEmpty()
              ? List.of()
              : List.of(new LmemProblem.Compute("op" + s, reads, writes, -1));
      table.add(new LmemProblem.Step(computes, loads, stores));
    }
    return new LmemProblem(CHIP, steps, buffers, table, sharings(buffers, steps, random));
  }

  private static List<Integer> pick(Random random, List<Integer> from) {
    List<Integer> picked = new ArrayList<>();
    for (int b : from) {
      if (random.nextInt(3) == 0) {
        picked.add(b);
      }
    }
    return picked;
  }

  private static List<LmemProblem.Sharing> sharings(
      List<LmemBuffer> buffers, int steps, Random random) {
    for (int result = 0; result < buffers.size(); result++) {
      for (int operand = 0; operand < buffers.size(); operand++) {
        LmemBuffer r = buffers.get(result);
        LmemBuffer o = buffers.get(operand);
        int common = 0;
        for (int s = 0; s < steps; s++) {
          common += r.isLive(s) && o.isLive(s) ? 1 : 0;
        }
        boolean fits = result != operand && !r.resident() && !o.resident() && r.size() <= o.size();
        if (fits && common == 1 && o.isLive(r.start()) && random.nextBoolean()) {
          return List.of(new LmemProblem.Sharing(result, operand));
        }
      }
    }
    return List.of();
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

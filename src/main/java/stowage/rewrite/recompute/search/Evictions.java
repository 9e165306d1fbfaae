package stowage.rewrite.recompute.search;

import java.util.Arrays;
import java.util.Random;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * Sequences within a limit, found by eviction, also where memory is scarce: the ops run in the
 * given order, and before each op those that compute its missing operands, recursively. Where an op
 * does not fit, the held value is dropped whose cost of computing it again is lowest for its bytes
 * and the time to its next use; values that could not be computed again in time are kept. The
 * exponents of cost and time are drawn for each sequence. The rule is that of M. Kirisame et al.,
 * Dynamic Tensor Rematerialization (2021, arXiv 2006.09616), with the next use known.
 */
public final class Evictions {
  /** Steps of a sequence at most, by the number of ops. */
  private static final int MOST_STEPS = 30;

  /** Ops and values that are looked at in a work unit, about. */
  private static final long LOOKED_A_UNIT = 100;

  private static final int NEVER = Integer.MAX_VALUE;

  private final RecomputeProblem problem;
  private final long limit;
  private final boolean[] held;
  private final int[] locks;
  private final int[] nextUse;
  private final double[] price;
  private final int[] lastChance;
  private final int[] sequence;
  private final double byCost;
  private final double byTime;
  private long bytes;
  private int done;
  private int steps;
  private long looks;

  private Evictions(RecomputeProblem problem, long limit, Random random) {
    this.problem = problem;
    this.limit = limit;
    this.held = new boolean[problem.values];
    this.locks = new int[problem.values];
    this.nextUse = new int[problem.values];
    this.price = new double[problem.values];
    this.lastChance = new int[problem.values];
    this.sequence = new int[MOST_STEPS * problem.ops];
    this.byCost = 1.5 * random.nextDouble();
    this.byTime = 1.5 * random.nextDouble();
  }

  /**
   * The first sequence of some tries that comes to its end; null for none. O(steps * reads) a try.
   *
   * @param control when to stop, asked before each try
   */
  public static int[] sequence(
      RecomputeProblem problem, long limit, int tries, Random random, RunControl control) {
    for (int k = 0; k < tries && !control.isStopped(); k++) {
      Evictions one = new Evictions(problem, limit, random);
      boolean runs = one.runs();
      control.did(1 + one.looks * (problem.ops + problem.values) / LOOKED_A_UNIT);
      if (runs) {
        return Arrays.copyOf(one.sequence, one.steps);
      }
    }
    return null;
  }

  private boolean runs() {
    for (int i = 0; i < problem.values; i++) {
      if (problem.maker[i] < 0) {
        held[i] = true;
        bytes += problem.bytes[i];
      }
    }
    while (done < problem.ops) {
      if (!run(done)) {
        return false;
      }
      done++;
    }
    for (int i = 0; i < problem.values; i++) {
      if (problem.kept[i] && !held[i] && !run(problem.maker[i])) {
        return false;
      }
      locks[i] += problem.kept[i] ? 1 : 0;
    }
    return true;
  }

  /** Runs an op after what it needs. */
  private boolean run(int op) {
    if (op < 0 || problem.until[op] < done && op < done) {
      return false;
    }
    for (int i : problem.reads[op]) {
      locks[i]++;
    }
    for (int i : problem.reads[op]) {
      if (!held[i] && !run(problem.maker[i])) {
        return false;
      }
    }
    long more = problem.scratch[op];
    for (int i : problem.writes[op]) {
      locks[i]++;
      more += held[i] ? 0 : problem.bytes[i];
    }
    while (bytes + more > limit) {
      int victim = victim();
      if (victim < 0) {
        return false;
      }
      held[victim] = false;
      bytes -= problem.bytes[victim];
    }
    if (steps == sequence.length) {
      return false;
    }
    sequence[steps++] = op;
    for (int i : problem.writes[op]) {
      locks[i]--;
      bytes += held[i] ? 0 : problem.bytes[i];
      held[i] = true;
    }
    for (int i : problem.reads[op]) {
      locks[i]--;
    }
    return true;
  }

  /** The value to drop next; -1 for none. */
  private int victim() {
    look();
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < problem.values; i++) {
      if (!held[i] || locks[i] > 0 || problem.bytes[i] == 0) {
        continue;
      }
      double rate = 0;
      if (nextUse[i] < NEVER) {
        if (lastChance[i] < nextUse[i]) {
          continue;
        }
        double time = Math.pow(nextUse[i] - done + 1, byTime);
        rate = Math.pow(1 + price[i], byCost) / (problem.bytes[i] * time);
      }
      if (rate < least) {
        least = rate;
        best = i;
      }
    }
    return best;
  }

  /** Finds for each value when it is used next, and what it takes to compute it again. */
  private void look() {
    looks++;
    for (int i = 0; i < problem.values; i++) {
      nextUse[i] = problem.kept[i] ? problem.ops : NEVER;
      lastChance[i] = -1;
    }
    for (int v = problem.ops - 1; v >= 0; v--) {
      int next = v >= done ? v : NEVER;
      for (int i : problem.writes[v]) {
        next = Math.min(next, held[i] ? NEVER : nextUse[i]);
      }
      for (int i : problem.reads[v]) {
        nextUse[i] = Math.min(nextUse[i], next);
      }
    }
    for (int v = 0; v <= Math.min(done, problem.ops - 1); v++) {
      double most = 0;
      int last = problem.until[v];
      for (int i : problem.reads[v]) {
        if (!held[i]) {
          most = Math.max(most, price[i]);
          last = Math.min(last, lastChance[i]);
        }
      }
      for (int i : problem.writes[v]) {
        price[i] = problem.cost[v] + most;
        lastChance[i] = last;
      }
    }
  }
}

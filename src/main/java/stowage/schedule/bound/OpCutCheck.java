package stowage.schedule.bound;

import java.util.Arrays;
import stowage.schedule.model.OrderProblem;

/**
 * Check of the certificate of a bound over all orders, from its definition alone: ancestors and
 * descendants, and sums. Knows nothing of flows.
 */
public final class OpCutCheck {
  private OpCutCheck() {}

  /** Whether a certificate proves its bound. O(cases · (ops + chains · touches² )) at worst. */
  public static boolean holds(OrderProblem problem, OpCut cut) {
    return proven(problem, cut) >= cut.bound();
  }

  /**
   * What a certificate proves, in bytes; -1 if a chain does not hold, a buffer is counted beyond
   * its bytes, or a case is missing.
   */
  public static long proven(OrderProblem problem, OpCut cut) {
    if (cut.op() < 0) {
      return Math.max(problem.liveAtStart() + problem.idle(), problem.liveAtEnd());
    }
    int[] pairs = problem.overwrites(cut.op());
    long least = Long.MAX_VALUE;
    boolean all = false;
    for (OpCut.Case one : cut.cases()) {
      long load = sum(problem, cut.op(), one);
      if (load < 0) {
        return -1;
      }
      all |= one.from() < 0;
      least = Math.min(least, load);
    }
    for (int k = 0; k < pairs.length; k += 2) {
      int from = pairs[k];
      int to = pairs[k + 1];
      all &= cut.cases().stream().anyMatch(one -> one.from() == from && one.to() == to);
    }
    return all ? least : -1;
  }

  private static long sum(OrderProblem problem, int op, OpCut.Case one) {
    boolean[] run = new boolean[problem.ops()];
    boolean[] open = new boolean[problem.ops()];
    for (int v = 0; v < run.length; v++) {
      run[v] = v == op || problem.precedes(v, op);
      open[v] = v == op || problem.precedes(op, v);
    }
    long load = problem.constant();
    if (one.from() >= 0) {
      // All other ops of the operand have run and none of the result has, with all that follows.
      for (int v = 0; v < run.length; v++) {
        int u = v;
        run[v] |=
            Arrays.stream(problem.touches(one.from()))
                .anyMatch(w -> w != op && (w == u || problem.precedes(u, w)));
        open[v] |=
            Arrays.stream(problem.touches(one.to()))
                .anyMatch(w -> w != op && (w == u || problem.precedes(w, u)));
      }
      for (int v = 0; v < run.length; v++) {
        if (run[v] && open[v] && v != op) {
          return Long.MAX_VALUE; // no downset is of this case
        }
      }
      load -= problem.bytes(one.to());
    }
    long sum = new LiveChains(problem, problem::precedes).sum(one.chains(), run, open);
    return sum < 0 ? -1 : load + sum;
  }
}

package stowage.schedule.bound;

import java.util.Arrays;
import java.util.List;
import stowage.schedule.model.OrderProblem;

/** Sum of the chains of buffers that certify live bytes, see {@link OpCut}; computes no flows. */
final class LiveChains {
  /** Whether an op comes before another in every order that counts. */
  @FunctionalInterface
  interface Precedence {
    /** Whether {@code earlier} comes before {@code later}. */
    boolean precedes(int earlier, int later);
  }

  private final OrderProblem problem;
  private final Precedence precedence;

  LiveChains(OrderProblem problem, Precedence precedence) {
    this.problem = problem;
    this.precedence = precedence;
  }

  /**
   * What chains prove to be live, in bytes, in every downset in which the ops {@code run} have run,
   * or are running, and the {@code open} ones have not; -1 if a chain does not hold or a buffer is
   * counted beyond its bytes. O(chains · touches²) at worst.
   */
  long sum(List<OpCut.Chain> chains, boolean[] run, boolean[] open) {
    long[] counted = new long[problem.buffers()];
    long sum = 0;
    for (OpCut.Chain chain : chains) {
      if (chain.bytes() < 0 || !linked(chain.buffers(), run, open)) {
        return -1;
      }
      for (int b : chain.buffers()) {
        if (chain.bytes() > problem.bytes(b) - counted[b]) {
          return -1;
        }
        counted[b] += chain.bytes();
      }
      sum += chain.bytes();
    }
    return sum;
  }

  private boolean linked(int[] chain, boolean[] run, boolean[] open) {
    int first = chain[0];
    int last = chain[chain.length - 1];
    boolean holds =
        (problem.given(first) || Arrays.stream(problem.touches(first)).anyMatch(v -> run[v]))
            && (problem.kept(last) || Arrays.stream(problem.touches(last)).anyMatch(v -> open[v]));
    for (int k = 0; k + 1 < chain.length && holds; k++) {
      int[] next = problem.touches(chain[k + 1]);
      holds =
          problem.given(chain[k + 1])
              || Arrays.stream(problem.touches(chain[k]))
                  .anyMatch(
                      u -> Arrays.stream(next).anyMatch(w -> w == u || precedence.precedes(w, u)));
    }
    return holds;
  }
}

package stowage.rewrite.recompute.model;

import java.util.BitSet;

/** Precedence of ops in every order in which they can run: the transitive closure of reads. */
final class Reach {
  private final int ops;
  private final BitSet[] before;

  /** O(reads * ops / 64) time, O(ops^2 / 8) bytes. */
  Reach(RecomputeProblem problem) {
    this.ops = problem.ops;
    this.before = new BitSet[ops];
    for (int v = 0; v < ops; v++) {
      before[v] = new BitSet();
      for (int i : problem.reads[v]) {
        int maker = problem.maker[i];
        if (maker >= 0) {
          before[v].or(before[maker]);
          before[v].set(maker);
        }
      }
    }
  }

  /** Whether an op, -1 for the begin, runs before another, the number of ops for the end. */
  boolean isBefore(int first, int second) {
    return first < 0 || second == ops || before[second].get(first);
  }
}

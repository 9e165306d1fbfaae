package stowage.kernel.bound;

import java.util.function.IntPredicate;
import stowage.kernel.model.KernelOps;
import stowage.schedule.model.Downset;

/**
 * An order of ops that is built chunk by chunk: of a chunk's ops, the one that leaves least live
 * goes next. O(ops squared) in the largest chunk. Not thread-safe.
 */
final class ChunkedOrder {
  private final Downset ran;
  private final int[] order;
  private final int[] chunk;

  ChunkedOrder(KernelOps graph) {
    ran = new Downset(graph.residency());
    order = new int[graph.ops];
    chunk = new int[graph.ops];
  }

  /** Runs the ops of a chunk that have not run; all ops before them are to be in it or have run. */
  void run(IntPredicate member) {
    int open = 0;
    for (int v = 0; v < order.length; v++) {
      if (!ran.holds(v) && member.test(v)) {
        chunk[open++] = v;
      }
    }
    while (open > 0) {
      int best = -1;
      long least = Long.MAX_VALUE;
      for (int k = 0; k < open; k++) {
        if (ran.isReady(chunk[k]) && ran.change(chunk[k]) < least) {
          least = ran.change(chunk[k]);
          best = k;
        }
      }
      if (best < 0) {
        return; // the rest waits for ops of later chunks
      }
      int v = chunk[best];
      System.arraycopy(chunk, best + 1, chunk, best, --open - best);
      run(v);
    }
  }

  private void run(int v) {
    order[ran.size()] = v;
    ran.run(v);
  }

  /** The whole order, with what is left in the order of the file. */
  int[] rest() {
    for (int v = 0; v < order.length; v++) {
      if (!ran.holds(v)) {
        run(v);
      }
    }
    return order.clone();
  }
}

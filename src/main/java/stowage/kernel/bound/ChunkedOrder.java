package stowage.kernel.bound;

import java.util.Arrays;
import java.util.function.IntPredicate;
import stowage.kernel.model.KernelOps;

/**
 * An order of ops that is built chunk by chunk: of a chunk's ops, the one that leaves least live
 * goes next. O(ops squared) in the largest chunk. Not thread-safe.
 */
final class ChunkedOrder {
  private final KernelOps graph;
  private final int[] order;
  private int count;
  private final int[] waiting;
  private final boolean[] ran;
  private final int[] left;
  private final boolean[] begun;
  private final int[] chunk;

  ChunkedOrder(KernelOps graph) {
    this.graph = graph;
    order = new int[graph.ops];
    waiting = new int[graph.ops];
    ran = new boolean[graph.ops];
    left = new int[graph.buffers];
    begun = new boolean[graph.buffers];
    chunk = new int[graph.ops];
    for (int v = 0; v < graph.ops; v++) {
      waiting[v] = graph.predAt[v + 1] - graph.predAt[v];
    }
    for (int b = 0; b < graph.buffers; b++) {
      left[b] = graph.userAt[b + 1] - graph.userAt[b];
    }
  }

  /** Runs the ops of a chunk that have not run; all ops before them are to be in it or have run. */
  void run(IntPredicate member) {
    int open = 0;
    for (int v = 0; v < graph.ops; v++) {
      if (!ran[v] && member.test(v)) {
        chunk[open++] = v;
      }
    }
    while (open > 0) {
      int best = -1;
      long least = Long.MAX_VALUE;
      for (int k = 0; k < open; k++) {
        if (waiting[chunk[k]] == 0) {
          long growth = growth(chunk[k]);
          if (growth < least) {
            least = growth;
            best = k;
          }
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

  private long growth(int v) {
    long growth = 0;
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      growth += (begun[b] ? 0 : graph.size[b]) - (left[b] == 1 ? graph.size[b] : 0);
    }
    return growth;
  }

  private void run(int v) {
    ran[v] = true;
    order[count++] = v;
    for (int k = graph.succAt[v]; k < graph.succAt[v + 1]; k++) {
      waiting[graph.succ[k]]--;
    }
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      begun[graph.use[k]] = true;
      left[graph.use[k]]--;
    }
  }

  /** The whole order, with what is left in the order of the file. */
  int[] rest() {
    for (int v = 0; v < graph.ops; v++) {
      if (!ran[v]) {
        run(v);
      }
    }
    return Arrays.copyOf(order, count);
  }
}

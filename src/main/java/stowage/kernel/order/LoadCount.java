package stowage.kernel.order;

import stowage.kernel.model.KernelOps;

/**
 * Peak of residency of an order: the largest sum of sizes of buffers between ALLOC and FREE, where
 * each ALLOC runs right before the first op that needs it and each FREE right after the last. Not
 * thread-safe. O(uses) an order.
 */
final class LoadCount {
  private final KernelOps graph;
  private final NextUses uses;

  /** Largest sum while each position's op runs, filled by {@link #of}. */
  final long[] load;

  /** Sum of the loads above a level, a smoother measure than the peak; filled by {@link #of}. */
  double excess;

  LoadCount(KernelOps graph) {
    this.graph = graph;
    uses = new NextUses(graph);
    load = new long[graph.ops];
  }

  /**
   * The peak of an order.
   *
   * @param level above which loads are summed into {@link #excess}
   */
  long of(int[] order, long level) {
    uses.of(order);
    long live = 0;
    long peak = 0;
    excess = 0;
    for (int b = 0; b < graph.buffers; b++) {
      if (uses.first[b] == NextUses.NEVER) {
        peak = Math.max(peak, graph.size[b]);
      }
    }
    for (int t = 0; t < graph.ops; t++) {
      int v = order[t];
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        live += uses.first[graph.use[k]] == t ? graph.size[graph.use[k]] : 0;
      }
      load[t] = live;
      peak = Math.max(peak, live);
      if (live > level) {
        excess += live - level;
      }
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        live -= uses.next[k] == NextUses.NEVER ? graph.size[graph.use[k]] : 0;
      }
    }
    return peak;
  }
}

package stowage.kernel.order;

import java.util.Arrays;
import stowage.kernel.model.KernelOps;

/**
 * For each use of a buffer by an op, the position of the next op in an order that uses the same
 * buffer. Uses are the slots of {@link KernelOps#use}.
 */
public final class NextUses {
  /** No later use. */
  public static final int NEVER = Integer.MAX_VALUE;

  private final KernelOps graph;

  /** Position of the next use, by slot. */
  public final int[] next;

  /** Position of the first use, by buffer; {@link #NEVER} for a buffer without users. */
  final int[] first;

  public NextUses(KernelOps graph) {
    this.graph = graph;
    first = new int[graph.buffers];
    next = new int[graph.use.length];
  }

  /** Fills the arrays for an order. O(uses). */
  public void of(int[] order) {
    Arrays.fill(first, NEVER);
    for (int t = graph.ops - 1; t >= 0; t--) {
      int v = order[t];
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        next[k] = first[b];
        first[b] = t;
      }
    }
  }
}

package stowage.kernel.bound;

import java.util.Arrays;
import java.util.List;
import stowage.kernel.model.KernelOps;

/** The ops of an order while which more is live than a bound says, the worst first. */
final class OverloadedOps {
  private static final int MOST = 3;

  private OverloadedOps() {}

  /**
   * Finds them. O(uses) for each measure.
   *
   * @return the ops at the largest values above the bound, at most three of different kinds of
   *     operands; empty where the order keeps the bound
   */
  static int[] above(KernelOps graph, int[] order, List<CutPrice.Measure> measures, long bound) {
    long[] worst = new long[graph.ops];
    int[] left = new int[graph.buffers];
    for (CutPrice.Measure measure : measures) {
      for (int b = 0; b < graph.buffers; b++) {
        left[b] = graph.userAt[b + 1] - graph.userAt[b];
      }
      boolean[] begun = new boolean[graph.buffers];
      long live = -measure.free();
      for (int v : order) {
        for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
          int b = graph.use[k];
          live += begun[b] ? 0 : measure.weight()[b];
          begun[b] = true;
        }
        worst[v] = Math.max(worst[v], live);
        for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
          int b = graph.use[k];
          live -= --left[b] == 0 ? measure.weight()[b] : 0;
        }
      }
    }
    int[] found = new int[MOST];
    int count = 0;
    while (count < MOST) {
      int next = -1;
      for (int v : order) {
        boolean fresh = worst[v] > bound;
        for (int k = 0; fresh && k < count; k++) {
          fresh = operands(graph, v) != operands(graph, found[k]);
        }
        if (fresh && (next < 0 || worst[v] > worst[next])) {
          next = v;
        }
      }
      if (next < 0) {
        break;
      }
      found[count++] = next;
    }
    return Arrays.copyOf(found, count);
  }

  private static long operands(KernelOps graph, int v) {
    long sum = graph.graph().nodes().get(graph.node[v]).op().hashCode();
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      sum += (graph.cache[b] + 1) * 1_000_003L * (graph.size[b] + 7);
    }
    return sum;
  }
}

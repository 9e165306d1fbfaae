package stowage.kernel.order;

import java.util.Arrays;
import stowage.kernel.model.KernelOps;

/**
 * Traffic of an order when caches are judged by volume alone: a cache overflows when the sizes in
 * it exceed its capacity, wherever they are. The victim is the buffer whose next use is farthest,
 * counted double where it costs half (Belady's rule with prices). A few microseconds for each
 * hundred uses; not thread-safe.
 */
final class TrafficEstimate {
  private final KernelOps graph;
  private final NextUses uses;
  private final int[] nextUse;
  private final boolean[] in;
  private final int[][] resident;
  private final int[] count;
  private final int[] place;
  private final long[] used;

  TrafficEstimate(KernelOps graph) {
    this.graph = graph;
    uses = new NextUses(graph);
    nextUse = new int[graph.buffers];
    in = new boolean[graph.buffers];
    place = new int[graph.buffers];
    resident = new int[graph.caches][16];
    count = new int[graph.caches];
    used = new long[graph.caches];
  }

  /**
   * The traffic of an order, in units.
   *
   * @param limit where the traffic exceeds it, the count may end early
   */
  long of(int[] order, long limit) {
    uses.of(order);
    Arrays.fill(in, false);
    Arrays.fill(count, 0);
    Arrays.fill(used, 0);
    long traffic = 0;
    for (int t = 0; t < graph.ops && traffic <= limit; t++) {
      int v = order[t];
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        nextUse[b] = t;
        if (!in[b]) {
          add(b);
        }
      }
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int c = graph.cache[graph.use[k]];
        while (used[c] > graph.capacity[c]) {
          traffic += evict(c, t);
        }
      }
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        nextUse[b] = uses.next[k];
        if (nextUse[b] == NextUses.NEVER) {
          remove(b);
        }
      }
    }
    return traffic;
  }

  private void add(int b) {
    int c = graph.cache[b];
    if (count[c] == resident[c].length) {
      resident[c] = Arrays.copyOf(resident[c], 2 * count[c]);
    }
    in[b] = true;
    place[b] = count[c];
    resident[c][count[c]++] = b;
    used[c] += graph.cells[b];
  }

  private void remove(int b) {
    int c = graph.cache[b];
    int last = resident[c][--count[c]];
    resident[c][place[b]] = last;
    place[last] = place[b];
    in[b] = false;
    used[c] -= graph.cells[b];
  }

  private long evict(int c, int t) {
    int victim = -1;
    long farthest = 0;
    for (int k = 0; k < count[c]; k++) {
      int b = resident[c][k];
      long distance = nextUse[b] - t;
      if (graph.price[b] == graph.size[b]) {
        distance *= 2;
      }
      if (distance > farthest) {
        farthest = distance;
        victim = b;
      }
    }
    if (victim < 0) {
      throw new IllegalStateException("the operands of op " + t + " exceed a cache");
    }
    remove(victim);
    return graph.price[victim];
  }
}

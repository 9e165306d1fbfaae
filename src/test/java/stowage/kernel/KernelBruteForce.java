package stowage.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import stowage.kernel.model.KernelOps;

/** Plain searches over kernels, without any rule that could be wrong; the tests' oracle. */
public final class KernelBruteForce {
  private KernelBruteForce() {}

  /** The peak of residency of an order, node by node. */
  public static long residency(KernelOps graph, int[] order) {
    long peak = 0;
    int[] left = new int[graph.buffers];
    boolean[] begun = new boolean[graph.buffers];
    for (int b = 0; b < graph.buffers; b++) {
      left[b] = graph.users[b].length;
    }
    long live = 0;
    for (int v : order) {
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        if (!begun[b]) {
          begun[b] = true;
          live += graph.size[b];
        }
      }
      peak = Math.max(peak, live);
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        if (--left[graph.use[k]] == 0) {
          live -= graph.size[graph.use[k]];
        }
      }
    }
    return peak;
  }

  /** The least peak of residency of all orders; -1 where there are more than so many. */
  public static long leastResidency(KernelOps graph, int mostOrders) {
    List<int[]> orders = RandomKernels.orders(graph, mostOrders);
    return orders.size() > mostOrders
        ? -1
        : orders.stream().mapToLong(order -> residency(graph, order)).min().orElseThrow();
  }

  /** The least spill traffic over addresses, at a fixed order, or over all orders where null. */
  public static long traffic(KernelOps graph, int[] order) {
    Map<String, Long> best = new HashMap<>();
    record State(boolean[] done, int[] at, int count, long cost) {}
    PriorityQueue<State> queue = new PriorityQueue<>((x, y) -> Long.compare(x.cost, y.cost));
    int[] nothing = new int[graph.buffers];
    Arrays.fill(nothing, -1);
    queue.add(new State(new boolean[graph.ops], nothing, 0, 0));
    while (!queue.isEmpty()) {
      State state = queue.remove();
      String key = Arrays.toString(state.done) + Arrays.toString(state.at);
      Long known = best.get(key);
      if (known != null && known <= state.cost) {
        continue;
      }
      best.put(key, state.cost);
      if (state.count == graph.ops) {
        return state.cost;
      }
      List<State> next = new ArrayList<>();
      for (int b = 0; b < graph.buffers; b++) {
        if (state.at[b] >= 0) {
          int[] at = state.at.clone();
          at[b] = -1;
          boolean over = true;
          for (int v : graph.users[b]) {
            over &= state.done[v];
          }
          long cost = state.cost + (over ? 0 : graph.price[b]);
          next.add(new State(state.done, at, state.count, cost));
          continue;
        }
        for (int o = 0; o + graph.cells[b] <= graph.capacity[graph.cache[b]]; o++) {
          boolean free = true;
          for (int other = 0; other < graph.buffers; other++) {
            free &=
                state.at[other] < 0
                    || graph.cache[other] != graph.cache[b]
                    || state.at[other] + graph.cells[other] <= o
                    || o + graph.cells[b] <= state.at[other];
          }
          if (free) {
            int[] at = state.at.clone();
            at[b] = o;
            next.add(new State(state.done, at, state.count, state.cost));
          }
        }
      }
      for (int v = 0; v < graph.ops; v++) {
        boolean ready = order == null || order[state.count] == v;
        ready &= RandomKernels.isReady(graph, v, state.done);
        for (int k = graph.useAt[v]; ready && k < graph.useAt[v + 1]; k++) {
          ready = state.at[graph.use[k]] >= 0;
        }
        if (ready) {
          boolean[] done = state.done.clone();
          done[v] = true;
          next.add(new State(done, state.at, state.count + 1, state.cost));
        }
      }
      queue.addAll(next);
    }
    return -1;
  }
}

package stowage.kernel.order;

import java.util.Arrays;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.KernelPlan;
import stowage.kernel.spill.ExactSpillSearch;

/** Judges of orders for each goal, and conversions between orders, schedules and spills. */
public final class OrderCosts {
  /** Weight of the loads near the peak, which lead the search where peaks are equal. */
  private static final double SMOOTH = 1e-3;

  private static final double NEAR = 0.9;

  private OrderCosts() {}

  /** Judges by the peak of residency, and a little by the loads near it. */
  public static OrderSearch.OrderCost residency(KernelOps graph, long bound) {
    LoadCount count = new LoadCount(graph);
    long[] level = {Long.MAX_VALUE};
    return OrderSearch.OrderCost.whole(
        order -> {
          long peak = count.of(order, level[0]);
          if (peak * NEAR < level[0]) {
            level[0] = Math.max(bound, (long) (peak * NEAR));
            peak = count.of(order, level[0]);
          }
          return peak + SMOOTH * count.excess / Math.max(1, graph.ops);
        });
  }

  /** Judges by the traffic when caches are judged by volume. */
  public static OrderSearch.OrderCost traffic(KernelOps graph) {
    return new TrafficEstimate(graph);
  }

  /** Judges by the traffic of a replay with addresses. */
  public static OrderSearch.OrderCost replayed(KernelOps graph, Replay.Fit fit) {
    Replay replay = new Replay(graph);
    return OrderSearch.OrderCost.whole(
        order -> {
          replay.run(order, null, fit);
          return replay.traffic();
        });
  }

  /**
   * Judges by the makespan, and steeply by traffic above a limit.
   *
   * @param leave slots of uses after which buffers leave in any case; may be null
   */
  public static OrderSearch.OrderCost time(KernelOps graph, long mostTraffic, boolean[] leave) {
    Replay replay = new Replay(graph);
    return OrderSearch.OrderCost.whole(
        order -> {
          replay.run(order, leave, Replay.Fit.OLDEST);
          return replay.cycles()
              + 10.0 * Math.max(0, replay.traffic() - mostTraffic)
              + 1e-3 * replay.traffic();
        });
  }

  /** The nodes of an order of ops, with each ALLOC right before and each FREE right after. */
  public static int[] schedule(KernelOps graph, int[] order) {
    NextUses uses = new NextUses(graph);
    uses.of(order);
    int[] schedule = new int[graph.graph().nodes().size()];
    int count = 0;
    for (int b = 0; b < graph.buffers; b++) {
      if (uses.first[b] == NextUses.NEVER) {
        schedule[count++] = graph.graph().buffers().get(b).alloc();
        schedule[count++] = graph.graph().buffers().get(b).free();
      }
    }
    for (int t = 0; t < graph.ops; t++) {
      int v = order[t];
      for (int b : graph.uses[v]) {
        if (uses.first[b] == t) {
          schedule[count++] = graph.graph().buffers().get(b).alloc();
        }
      }
      schedule[count++] = graph.node[v];
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        if (uses.next[k] == NextUses.NEVER) {
          schedule[count++] = graph.graph().buffers().get(graph.use[k]).free();
        }
      }
    }
    return schedule;
  }

  /** The slots of the last uses before the spills of a plan. */
  public static boolean[] leaves(KernelOps graph, KernelPlan plan) {
    int nodes = graph.graph().nodes().size();
    int[] opOf = new int[nodes];
    Arrays.fill(opOf, -1);
    for (int v = 0; v < graph.ops; v++) {
      opOf[graph.node[v]] = v;
    }
    int[] last = new int[graph.buffers];
    boolean[] slots = new boolean[graph.use.length];
    for (int node : plan.schedule()) {
      if (node >= nodes && (node - nodes) % 2 == 0) {
        slots[last[plan.spilled()[(node - nodes) / 2]]] = true;
      } else if (node < nodes && opOf[node] >= 0) {
        int v = opOf[node];
        for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
          last[graph.use[k]] = k;
        }
      }
    }
    return slots;
  }

  /** The slots of the last uses before the spills of an exact answer. */
  public static boolean[] leaves(KernelOps graph, int[] order, int[][] leaves) {
    boolean[] slots = new boolean[graph.use.length];
    for (int[] leave : leaves) {
      for (int t = leave[0] - 1; t >= 0; t--) {
        int slot = slot(graph, order[t], leave[1]);
        if (slot >= 0) {
          slots[slot] = true;
          break;
        }
      }
    }
    return slots;
  }

  /** The cell at which each segment of an exact answer begins, by the slot of its first use. */
  public static int[] cells(KernelOps graph, ExactSpillSearch.Answer answer) {
    int[] cells = new int[graph.use.length];
    Arrays.fill(cells, -1);
    for (int[] begin : answer.offsets()) {
      for (int t = begin[0]; t < graph.ops; t++) {
        int slot = slot(graph, answer.order()[t], begin[1]);
        if (slot >= 0) {
          cells[slot] = begin[2];
          break;
        }
      }
    }
    return cells;
  }

  private static int slot(KernelOps graph, int op, int buffer) {
    for (int k = graph.useAt[op]; k < graph.useAt[op + 1]; k++) {
      if (graph.use[k] == buffer) {
        return k;
      }
    }
    return -1;
  }

  /**
   * Peak of residency of an order: the largest sum of sizes of buffers between ALLOC and FREE,
   * where each ALLOC runs right before the first op that needs it and each FREE right after the
   * last. Not thread-safe. O(uses) an order.
   */
  private static final class LoadCount {
    private final KernelOps graph;
    private final NextUses uses;

    /** Sum of the loads above a level, a smoother measure than the peak; filled by {@link #of}. */
    double excess;

    LoadCount(KernelOps graph) {
      this.graph = graph;
      uses = new NextUses(graph);
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
        for (int b : graph.uses[v]) {
          live += uses.first[b] == t ? graph.size[b] : 0;
        }
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
}

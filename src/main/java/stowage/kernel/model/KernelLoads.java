package stowage.kernel.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.schedule.model.OrderProblem;

/** A kernel's residency as a problem of the order of ops alone. */
public final class KernelLoads {
  private KernelLoads() {}

  /** The problem: each buffer is there from the first of its users to the last. */
  public static OrderProblem problem(KernelOps graph) {
    int[][] before = new int[graph.ops][];
    for (int v = 0; v < graph.ops; v++) {
      before[v] = Arrays.copyOfRange(graph.pred, graph.predAt[v], graph.predAt[v + 1]);
    }
    List<OrderProblem.Item> items = new ArrayList<>();
    for (int b = 0; b < graph.buffers; b++) {
      if (graph.userAt[b] < graph.userAt[b + 1]) {
        int[] touches = Arrays.copyOfRange(graph.user, graph.userAt[b], graph.userAt[b + 1]);
        items.add(new OrderProblem.Item(graph.size[b], touches, false, false));
      }
    }
    return OrderProblem.of(before, items, List.of());
  }

  /**
   * The largest buffer that no op uses, which is there alone for a moment; 0 where there is none.
   */
  public static long unused(KernelOps graph) {
    long most = 0;
    for (int b = 0; b < graph.buffers; b++) {
      most = graph.userAt[b] == graph.userAt[b + 1] ? Math.max(most, graph.size[b]) : most;
    }
    return most;
  }
}

package stowage.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import stowage.liveness.BufferUses;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.schedule.model.OrderProblem;

/**
 * The order problem of a network: op k of the problem is the k-th op of the network's own execution
 * order, and the load of an order is the max load of the packing problem that {@link
 * stowage.liveness.Liveness} makes of it.
 *
 * @param uses the buffers and precedences it was made from
 * @param problem the problem
 * @param given the network's own execution order: indices of its ops
 */
public record NetworkOrders(BufferUses uses, OrderProblem problem, int[] given) {

  /** The order problem of a network. O(tensors + operands). */
  public static NetworkOrders of(Network network, LivenessOptions options) {
    return of(BufferUses.of(network, options), List.of());
  }

  /**
   * The order problem of uses of buffers, with precedences besides.
   *
   * @param precedences pairs of ops, by index in the network: the first runs before the second; the
   *     network's own order must keep them
   */
  public static NetworkOrders of(BufferUses uses, List<int[]> precedences) {
    int[] given = uses.network().executionOrder();
    int[] place = new int[given.length];
    for (int k = 0; k < given.length; k++) {
      place[given[k]] = k;
    }
    List<List<Integer>> before = new ArrayList<>();
    for (int op : given) {
      List<Integer> waits = new ArrayList<>();
      for (int earlier : uses.waits()[op]) {
        waits.add(place[earlier]);
      }
      before.add(waits);
    }
    for (int[] pair : precedences) {
      before.get(place[pair[1]]).add(place[pair[0]]);
    }
    List<OrderProblem.Item> items = new ArrayList<>();
    for (BufferUses.Use use : uses.buffers()) {
      int[] touches = new int[use.ops().length];
      Arrays.setAll(touches, k -> place[use.ops()[k]]);
      items.add(new OrderProblem.Item(use.bytes(), touches, use.given(), use.kept()));
    }
    List<OrderProblem.Overwrite> overwrites = new ArrayList<>();
    for (BufferUses.Overwrite pair : uses.overwrites()) {
      overwrites.add(new OrderProblem.Overwrite(place[pair.op()], pair.from(), pair.to()));
    }
    int[][] waits =
        before.stream()
            .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new);
    return new NetworkOrders(uses, OrderProblem.of(waits, items, overwrites), given);
  }

  /** An order of the problem as indices of the network's ops. */
  public int[] toNetwork(int[] order) {
    int[] ops = new int[order.length];
    Arrays.setAll(ops, k -> given[order[k]]);
    return ops;
  }

  /** An order of the network's ops as an order of the problem. */
  public int[] fromNetwork(int[] ops) {
    int[] place = new int[given.length];
    for (int k = 0; k < given.length; k++) {
      place[given[k]] = k;
    }
    int[] order = new int[ops.length];
    Arrays.setAll(order, k -> place[ops[k]]);
    return order;
  }

  /**
   * The order itself if it keeps all precedences, else the one that follows it most closely: of the
   * ready ops always the one that comes first in it. O(ops log ops + precedences).
   */
  public int[] allowed(int[] order) {
    int[] rank = new int[order.length];
    int[] open = new int[order.length];
    PriorityQueue<Integer> ready = new PriorityQueue<>(Comparator.comparingInt(op -> rank[op]));
    for (int k = 0; k < order.length; k++) {
      rank[order[k]] = k;
      open[k] = problem.before(k).length;
    }
    for (int k = 0; k < order.length; k++) {
      if (open[k] == 0) {
        ready.add(k);
      }
    }
    int[] allowed = new int[order.length];
    for (int step = 0; step < allowed.length; step++) {
      allowed[step] = ready.remove();
      for (int next : problem.after(allowed[step])) {
        if (--open[next] == 0) {
          ready.add(next);
        }
      }
    }
    return allowed;
  }
}

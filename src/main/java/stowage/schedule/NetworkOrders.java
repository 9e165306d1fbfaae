package stowage.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import stowage.liveness.BufferUses;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.network.TopologicalOrder;
import stowage.packing.IndexOrder;
import stowage.schedule.model.OrderProblem;

/**
 * The order problem of a network: op k of the problem is the k-th op of the network's own execution
 * order, and the load of an order is the max load of the packing problem that {@link
 * stowage.liveness.Liveness} makes of it.
 *
 * @param uses the buffers and precedences it was made from
 * @param given the network's own execution order: indices of its ops
 */
public record NetworkOrders(BufferUses uses, OrderProblem problem, int[] given) {
  /** The order problem of a network. O(tensors + operands). */
  public static NetworkOrders of(Network network, LivenessOptions options) {
    return of(BufferUses.of(network, options), List.of());
  }

  /**
   * The order problem of uses of buffers, with precedences besides: pairs of ops, by index in the
   * network, that its own order keeps.
   */
  public static NetworkOrders of(BufferUses uses, List<int[]> precedences) {
    int[] given = uses.network().executionOrder();
    int[] place = IndexOrder.places(given, given.length);
    List<IntStream.Builder> before = new ArrayList<>();
    for (int op : given) {
      before.add(IntStream.builder());
      IntStream.of(uses.waits()[op]).map(earlier -> place[earlier]).forEach(before.get(place[op]));
    }
    for (int[] pair : precedences) {
      before.get(place[pair[1]]).add(place[pair[0]]);
    }
    int[][] waits = before.stream().map(b -> b.build().toArray()).toArray(int[][]::new);
    List<OrderProblem.Item> items = new ArrayList<>();
    for (BufferUses.Use use : uses.buffers()) {
      int[] touches = IntStream.of(use.ops()).map(op -> place[op]).toArray();
      items.add(new OrderProblem.Item(use.bytes(), touches, use.given(), use.kept()));
    }
    List<OrderProblem.Overwrite> overwrites = new ArrayList<>();
    for (BufferUses.Overwrite pair : uses.overwrites()) {
      overwrites.add(new OrderProblem.Overwrite(place[pair.op()], pair.from(), pair.to()));
    }
    return new NetworkOrders(uses, OrderProblem.of(waits, items, overwrites), given);
  }

  /** An order of the network's ops, as {@link #allowed} has it. */
  public int[] allowedOps(int[] ops) {
    return toNetwork(allowed(fromNetwork(ops)));
  }

  /** An order of the problem as indices of the network's ops. */
  public int[] toNetwork(int[] order) {
    return IntStream.of(order).map(k -> given[k]).toArray();
  }

  /** An order of the network's ops as an order of the problem. */
  public int[] fromNetwork(int[] ops) {
    int[] place = IndexOrder.places(given, given.length);
    return IntStream.of(ops).map(op -> place[op]).toArray();
  }

  /**
   * The order itself if it keeps all precedences, else the one that follows it most closely: of the
   * ready ops always the one that comes first in it. O(ops log ops + precedences).
   */
  public int[] allowed(int[] order) {
    return TopologicalOrder.ofRanked(
        IndexOrder.places(order, order.length),
        IntStream.range(0, order.length)
            .mapToObj(op -> IntStream.of(problem.before(op)).boxed().toList())
            .toList());
  }
}

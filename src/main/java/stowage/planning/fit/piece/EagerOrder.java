package stowage.planning.fit.piece;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.IndexOrder;

/**
 * Order in which every op that frees more bytes than it makes runs as early as it can. An order
 * found for its largest load may hold tensors longer than needed at other steps; once runs in
 * pieces have lowered the largest load, these steps set the peak. O(operands) and the places by
 * which ops move; of a tensor with many readers that run in another order than the network's, their
 * square.
 */
final class EagerOrder {
  private final Network network;
  private final int[] order;
  private final int[] places;
  private final Set<String> kept;
  private final Map<String, List<Integer>> readers = new HashMap<>();

  private EagerOrder(Network network, int[] given, Set<String> kept) {
    this.network = network;
    this.kept = kept;
    this.order = given.clone();
    this.places = IndexOrder.places(given, given.length);
    for (int op : given) {
      for (String name : network.ops().get(op).presentInputs()) {
        readers.computeIfAbsent(name, absent -> new ArrayList<>()).add(op);
      }
    }
  }

  /** An order near a given one; the kept tensors are needed after the last op. */
  static int[] of(Network network, int[] given, Set<String> kept) {
    EagerOrder eager = new EagerOrder(network, given, kept);
    for (int at = 1; at < given.length; at++) {
      eager.move(at);
    }
    return eager.order;
  }

  /** Moves an op to where the operands that it frees are there and not read by others any more. */
  private void move(int at) {
    int own = order[at];
    Op op = network.ops().get(own);
    long freed = 0;
    int first = 0;
    for (String name : Set.copyOf(op.presentInputs())) {
      int maker = network.producer(name);
      first = Math.max(first, maker < 0 ? 0 : places[maker] + 1);
      int touched = kept.contains(name) || bytes(name) == 0 ? Integer.MAX_VALUE : -1;
      List<Integer> all = readers.get(name);
      for (int k = all.size() - 1; k >= 0 && touched <= at; k--) {
        touched = all.get(k) == own ? touched : Math.max(touched, places[all.get(k)]);
      }
      if (touched <= at) {
        freed += bytes(name);
        first = Math.max(first, touched + 1);
      }
    }
    long made = op.presentOutputs().stream().mapToLong(this::bytes).sum();
    if (made < freed && first < at) {
      System.arraycopy(order, first, order, first + 1, at - first);
      order[first] = own;
      for (int k = first; k <= at; k++) {
        places[order[k]] = k;
      }
    }
  }

  private long bytes(String name) {
    return network.tensor(name).isWeight() ? 0 : network.tensor(name).bytes();
  }
}

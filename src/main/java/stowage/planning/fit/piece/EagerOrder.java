package stowage.planning.fit.piece;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;

/**
 * Order in which every op that frees more bytes than it makes runs as early as it can. An order
 * found for its largest load may hold tensors longer than needed at other steps; once runs in
 * pieces have lowered the largest load, these steps set the peak. O(ops² * operands).
 */
final class EagerOrder {
  private final Network network;
  private final List<Integer> order = new ArrayList<>();
  private final Set<String> kept;

  private EagerOrder(Network network, int[] given, Set<String> kept) {
    this.network = network;
    this.kept = kept;
    for (int op : given) {
      order.add(op);
    }
  }

  /** An order near a given one; the kept tensors are needed after the last op. */
  static int[] of(Network network, int[] given, Set<String> kept) {
    EagerOrder eager = new EagerOrder(network, given, kept);
    for (int at = 1; at < given.length; at++) {
      eager.move(at);
    }
    return eager.order.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Moves an op to where the operands that it frees are there and not read by others any more. */
  private void move(int at) {
    Op op = network.ops().get(order.get(at));
    Map<String, Integer> touched = new HashMap<>();
    Set<String> later = new HashSet<>();
    for (int k = 0; k < order.size(); k++) {
      Op other = network.ops().get(order.get(k));
      for (String name : other.presentOutputs()) {
        touched.put(name, k);
      }
      for (String name : other.presentInputs()) {
        if (k < at) {
          touched.put(name, k);
        } else if (k > at) {
          later.add(name);
        }
      }
    }
    long freed = 0;
    int first = 0;
    for (String name : Set.copyOf(op.presentInputs())) {
      int maker = network.producer(name);
      first = Math.max(first, maker < 0 ? 0 : order.indexOf(maker) + 1);
      boolean dies = !kept.contains(name) && !later.contains(name) && bytes(name) > 0;
      if (dies) {
        freed += bytes(name);
        first = Math.max(first, touched.getOrDefault(name, -1) + 1);
      }
    }
    long made = op.presentOutputs().stream().mapToLong(this::bytes).sum();
    if (made < freed && first < at) {
      order.add(first, order.remove(at));
    }
  }

  private long bytes(String name) {
    return network.tensor(name).isWeight() ? 0 : network.tensor(name).bytes();
  }
}

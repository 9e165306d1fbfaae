package stowage.rewrite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * A network that computes what another one does, in other steps.
 *
 * @param given the network that was rewritten
 * @param network the one to run instead; its ops are in execution order, its inputs and outputs are
 *     the given ones by name
 * @param ops the origin of each op of {@code network}, in their order
 * @param tensors the origin of each tensor of {@code network}, by name
 */
public record Rewriting(
    Network given, Network network, List<OpOrigin> ops, Map<String, TensorOrigin> tensors) {

  /** Copies the collections and checks that every op and tensor has an origin. */
  public Rewriting {
    ops = List.copyOf(ops);
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
    if (ops.size() != network.ops().size()
        || !tensors.keySet().containsAll(network.tensors().keySet())) {
      throw new IllegalArgumentException("an op or a tensor has no origin");
    }
  }

  /** A network with its ops in another order, by index, in which they can run. */
  public static Rewriting reordered(Network given, int[] order) {
    List<OpOrigin> origins = new ArrayList<>();
    List<Op> ops = new ArrayList<>();
    for (int op : order) {
      origins.add(OpOrigin.given(op));
      ops.add(given.ops().get(op));
    }
    Map<String, TensorOrigin> tensors = new LinkedHashMap<>();
    for (Tensor tensor : given.tensors().values()) {
      tensors.put(tensor.name(), TensorOrigin.whole(tensor, 1));
    }
    Network network = given.with(given.tensors().values(), ops);
    return new Rewriting(given, network, origins, tensors);
  }

  /**
   * This rewriting and then another one of its network, as one rewriting of the given network. Runs
   * of the other are numbered after this one's.
   *
   * @throws IllegalArgumentException when the other is of another network
   */
  public Rewriting then(Rewriting next) {
    if (next.given != network) {
      throw new IllegalArgumentException("the second rewriting is of another network");
    }
    int runs = ops.stream().mapToInt(OpOrigin::run).max().orElse(-1) + 1;
    List<OpOrigin> origins = new ArrayList<>();
    for (OpOrigin second : next.ops) {
      OpOrigin first = ops.get(second.op());
      boolean kept =
          second.kind() == OpOrigin.Kind.GIVEN
              || first.kind() != OpOrigin.Kind.GIVEN && first.kind() != OpOrigin.Kind.PIECE;
      boolean inRun = second.run() >= 0;
      origins.add(
          new OpOrigin(
              first.op(),
              kept ? first.kind() : second.kind(),
              inRun ? runs + second.run() : first.run(),
              inRun ? second.piece() : first.piece(),
              inRun ? second.pieces() : first.pieces(),
              Math.max(first.copy(), second.copy())));
    }
    Map<String, TensorOrigin> regions = new LinkedHashMap<>();
    next.tensors.forEach(
        (name, origin) -> regions.put(name, origin.after(tensors.get(origin.tensor()))));
    return new Rewriting(given, next.network, origins, regions);
  }
}

package stowage.planning.fit.piece;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.IndexOrder;
import stowage.rewrite.BarrierException;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.PadForm;

/**
 * Network in which every chain of ops that can be cut along rows is one op: what it reads and makes
 * counts, what is inside does not. Pieces of a run hold little of the tensors inside, so the order
 * of least load of this network may need less, once its chains are in pieces, than the one of least
 * load of the given network, which avoids tensors that are then never whole.
 */
public final class ChainedNetwork {
  private final SplitModel model;
  private final List<int[]> chains = new ArrayList<>();
  private final Network network;

  /** Finds the chains. O(ops * operands). */
  public ChainedNetwork(SplitModel model) {
    this.model = model;
    Network given = model.network();
    int[] order = given.executionOrder();
    boolean[] inside = new boolean[order.length];
    List<Op> ops = new ArrayList<>();
    Set<String> used = new HashSet<>(given.inputs());
    used.addAll(given.outputs());
    for (int first : order) {
      if (inside[first]) {
        continue;
      }
      List<Integer> chain = new ArrayList<>();
      for (int op = first; op >= 0; op = next(op)) {
        inside[op] = true;
        chain.add(op);
      }
      chains.add(chain.stream().mapToInt(Integer::intValue).toArray());
      Op head = given.ops().get(first);
      Op last = given.ops().get(chain.get(chain.size() - 1));
      List<String> read =
          head.presentInputs().stream().filter(name -> !given.tensor(name).isWeight()).toList();
      ops.add(
          chain.size() == 1
              ? head
              : new Op(head.name(), "Chain", Map.of(), read, last.outputs(), 0));
      used.addAll(ops.get(ops.size() - 1).presentInputs());
      used.addAll(last.presentOutputs());
    }
    this.network =
        new Network(
            given.name(),
            given.format(),
            given.tensors().values().stream().filter(one -> used.contains(one.name())).toList(),
            ops,
            given.inputs(),
            given.outputs(),
            List.of());
  }

  /** The next op of a chain, the only reader of the result, or -1; it reads nothing else. */
  private int next(int op) {
    Network given = model.network();
    List<String> made = given.ops().get(op).presentOutputs();
    if (made.size() != 1
        || given.outputs().contains(made.get(0))
        || model.readers(made.get(0)).size() != 1) {
      return -1;
    }
    int reader = model.readers(made.get(0)).get(0);
    boolean alone =
        given.ops().get(reader).presentInputs().stream()
            .allMatch(name -> name.equals(made.get(0)) || given.tensor(name).isWeight());
    return alone && isCut(op) && isCut(reader) ? reader : -1;
  }

  private boolean isCut(int op) {
    try {
      model.run(new int[] {op}, List.of(SplitAxis.ROWS), PadForm.CROP);
      return true;
    } catch (BarrierException barrier) {
      return false;
    }
  }

  public Network network() {
    return network;
  }

  /** The chains in the order in which their last ops are in an order of the given network's ops. */
  public int[] chainsOf(int[] order) {
    int[] place = IndexOrder.places(order, order.length);
    return IndexOrder.of(
        IntStream.range(0, chains.size()),
        Comparator.comparingInt(k -> place[chains.get(k)[chains.get(k).length - 1]]));
  }

  /** The order of the given network's ops that an order of the chains is. */
  public int[] opsOf(int[] order) {
    return Arrays.stream(order).flatMap(chain -> Arrays.stream(chains.get(chain))).toArray();
  }
}

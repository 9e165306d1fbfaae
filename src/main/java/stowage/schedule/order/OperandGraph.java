package stowage.schedule.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * A network as compilers see it when they order ops: who reads from whom, in the order of operands,
 * and the bytes of each tensor. Ops are numbered as in the network.
 */
final class OperandGraph {
  private final Network network;
  private final List<List<Integer>> operands = new ArrayList<>();
  private final List<Set<Integer>> producers = new ArrayList<>();
  private final List<NavigableSet<Integer>> users = new ArrayList<>();
  private final Map<String, Set<Integer>> readers = new HashMap<>();

  OperandGraph(Network network) {
    this.network = network;
    for (int k = 0; k < size(); k++) {
      operands.add(new ArrayList<>());
      producers.add(new TreeSet<>());
      users.add(new TreeSet<>());
    }
    for (int k = 0; k < size(); k++) {
      for (String input : op(k).presentInputs()) {
        readers.computeIfAbsent(input, name -> new TreeSet<>()).add(k);
        int from = network.producer(input);
        if (from >= 0) {
          operands.get(k).add(from);
          producers.get(k).add(from);
          users.get(from).add(k);
        }
      }
    }
  }

  int size() {
    return network.ops().size();
  }

  Network network() {
    return network;
  }

  Op op(int k) {
    return network.ops().get(k);
  }

  /** The ops whose results an op reads, one an operand. */
  List<Integer> operands(int k) {
    return operands.get(k);
  }

  /** The same, each once, ascending. */
  Set<Integer> producers(int k) {
    return producers.get(k);
  }

  /** The ops that read a result of an op, each once, ascending. */
  NavigableSet<Integer> users(int k) {
    return users.get(k);
  }

  /** The ops that read a tensor, ascending. */
  Set<Integer> readers(String tensor) {
    return readers.getOrDefault(tensor, Set.of());
  }

  /** Bytes of a tensor that memory is planned for; 0 of a weight. */
  long bytes(String tensor) {
    Tensor found = network.tensor(tensor);
    return found.isWeight() ? 0 : found.bytes();
  }

  /** Bytes of an op's results. */
  long made(int k) {
    return op(k).presentOutputs().stream().mapToLong(this::bytes).sum();
  }

  /** The ops that make the network's outputs, one an output, in their order. */
  List<Integer> outputProducers() {
    return network.outputs().stream().map(network::producer).filter(k -> k >= 0).toList();
  }

  /** For each op how many others it waits for. */
  int[] openCounts() {
    return producers.stream().mapToInt(Set::size).toArray();
  }

  /**
   * Puts ops in post-order: each after those it is to follow, without recursion, from the roots in
   * turn and the children in theirs.
   */
  static int[] postOrder(int size, List<Integer> roots, IntFunction<List<Integer>> children) {
    int[] order = new int[size];
    int count = 0;
    boolean[] entered = new boolean[size];
    List<Integer> stack = new ArrayList<>();
    List<Iterator<Integer>> open = new ArrayList<>();
    for (int root : roots) {
      if (entered[root]) {
        continue;
      }
      entered[root] = true;
      stack.add(root);
      open.add(children.apply(root).iterator());
      while (!stack.isEmpty()) {
        Iterator<Integer> rest = open.get(open.size() - 1);
        if (!rest.hasNext()) {
          open.remove(open.size() - 1);
          order[count++] = stack.remove(stack.size() - 1);
          continue;
        }
        int next = rest.next();
        if (!entered[next]) {
          entered[next] = true;
          stack.add(next);
          open.add(children.apply(next).iterator());
        }
      }
    }
    return Arrays.copyOf(order, count);
  }
}

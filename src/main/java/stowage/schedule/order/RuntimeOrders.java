package stowage.schedule.order;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.TopologicalOrder;

/**
 * The orders in which run-times and compilers that do not look at memory run ops.
 *
 * <ul>
 *   <li><b>ONNX Runtime, priority-based</b> (core/graph/graph_viewer.cc): of the ready nodes Shape
 *       and Size first, then the lowest index.
 *   <li><b>OpenVINO CPU</b> (src/plugins/intel_cpu/src/graph.cpp, SortTopologically of 2024):
 *       post-order over parents in the order of their ports, from the nodes that read variables,
 *       then those of the outputs, then all others.
 *   <li><b>Vela</b> (ethosu/vela/pass_packing.py): backwards from the outputs; an op is taken once
 *       all that reads its results has been, and leads on to its operands in their order; the order
 *       is this backwards. Each op counts as a pass of its own here.
 *   <li><b>random</b>: any of the ready ops, by a seed.
 * </ul>
 *
 * <p>All are O(operands log ops).
 */
public final class RuntimeOrders {
  private RuntimeOrders() {}

  /**
   * The order in which ONNX Runtime runs the ops of a file by default: back from the ops whose
   * results no other op reads, an op as soon as all that it reads from has been made.
   *
   * <p>Source: Graph::ReverseDFSFrom and GraphViewer in onnxruntime/core/graph/graph.cc and
   * graph_viewer.cc: of the last ops, and of those that an op reads from, the one with the highest
   * place in the file comes first. Example: a; b and c read a; d reads b and c. From d, c comes
   * before b: a, c, b, d. O(operands log operands).
   */
  public static int[] onnxRuntime(Network network) {
    OperandGraph graph = new OperandGraph(network);
    List<Integer> last =
        IntStream.range(0, graph.size())
            .filter(k -> graph.users(k).isEmpty())
            .boxed()
            .sorted(Comparator.reverseOrder())
            .toList();
    return OperandGraph.postOrder(
        graph.size(),
        last,
        k -> graph.producers(k).stream().sorted(Comparator.reverseOrder()).toList());
  }

  /** ONNX Runtime's order by priority, where all nodes have the same. */
  public static int[] onnxRuntimeByPriority(Network network) {
    OperandGraph graph = new OperandGraph(network);
    Set<String> early = Set.of("Shape", "Size");
    return TopologicalOrder.ofRanked(
        network.ops().stream().mapToInt(op -> early.contains(op.type()) ? 0 : 1).toArray(),
        IntStream.range(0, graph.size()).mapToObj(graph::producers).toList());
  }

  /** OpenVINO's order on CPUs. */
  public static int[] openVino(Network network) {
    OperandGraph graph = new OperandGraph(network);
    List<Integer> roots = new ArrayList<>();
    IntStream all = IntStream.range(0, graph.size());
    all.filter(k -> graph.op(k).type().equals("ReadValue")).forEach(roots::add);
    roots.addAll(graph.outputProducers());
    IntStream.range(0, graph.size()).forEach(roots::add);
    return OperandGraph.postOrder(graph.size(), roots, graph::operands);
  }

  /** Vela's order of passes; ops that no output needs come last. */
  public static int[] vela(Network network) {
    OperandGraph graph = new OperandGraph(network);
    int size = graph.size();
    boolean[] needed = new boolean[size];
    for (int k : OperandGraph.postOrder(size, graph.outputProducers(), graph::operands)) {
      needed[k] = true;
    }
    int[] wanted = new int[size]; // visits after which an op is taken, over all its results
    for (int k = 0; k < size; k++) {
      if (needed[k]) {
        graph.operands(k).forEach(operand -> wanted[operand]++);
      }
    }
    List<Integer> outputs = graph.outputProducers();
    outputs.forEach(k -> wanted[k]++);
    int[] visits = new int[size];
    List<Integer> backwards = new ArrayList<>();
    for (int output : outputs) {
      Deque<Integer> stack = new ArrayDeque<>(List.of(output));
      while (!stack.isEmpty()) {
        int k = stack.pop();
        if (++visits[k] == wanted[k]) {
          backwards.add(k);
          List<Integer> operands = graph.operands(k);
          for (int i = operands.size() - 1; i >= 0; i--) {
            stack.push(operands.get(i));
          }
        }
      }
    }
    Collections.reverse(backwards);
    IntStream.of(network.executionOrder()).filter(k -> !needed[k]).forEach(backwards::add);
    return backwards.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Any order, by a seed. */
  public static int[] random(Network network, long seed) {
    OperandGraph graph = new OperandGraph(network);
    Random random = new Random(seed);
    int[] open = graph.openCounts();
    int[] ready = IntStream.range(0, open.length).filter(k -> open[k] == 0).toArray();
    int count = ready.length;
    ready = Arrays.copyOf(ready, open.length);
    int[] order = new int[open.length];
    for (int step = 0; step < order.length; step++) {
      int at = random.nextInt(count);
      order[step] = ready[at];
      ready[at] = ready[--count];
      for (int user : graph.users(order[step])) {
        if (--open[user] == 0) {
          ready[count++] = user;
        }
      }
    }
    return order;
  }
}

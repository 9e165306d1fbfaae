package stowage.compiler;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeSet;
import stowage.network.Network;
import stowage.network.Op;

/**
 * The order in which ONNX Runtime runs the ops of a file by default: back from the ops whose
 * results no other op reads, an op as soon as all that it reads from has been made.
 *
 * <p>Source: Graph::ReverseDFSFrom and GraphViewer in onnxruntime/core/graph/graph.cc and
 * graph_viewer.cc. A stack begins with those last ops in the file's order. The op on top is left
 * once all before it have been, those of them with higher numbers first. Numbers are places in the
 * file.
 *
 * <p>Example: a; b and c read a; d reads b and c. From d, c comes before b: a, c, b, d.
 */
public final class OnnxRuntimeOrder {
  private OnnxRuntimeOrder() {}

  /** Indices of a network's ops in that order. O(operands log operands). */
  public static int[] of(Network network) {
    int count = network.ops().size();
    boolean[] read = new boolean[count];
    for (Op op : network.ops()) {
      for (String input : op.presentInputs()) {
        if (network.producer(input) >= 0) {
          read[network.producer(input)] = true;
        }
      }
    }
    Deque<Integer> stack = new ArrayDeque<>();
    for (int op = 0; op < count; op++) {
      if (!read[op]) {
        stack.push(op);
      }
    }
    int[] order = new int[count];
    int left = 0;
    boolean[] visited = new boolean[count];
    while (!stack.isEmpty()) {
      int top = stack.pop();
      if (top < 0) {
        order[left++] = ~top;
      } else if (!visited[top]) {
        visited[top] = true;
        stack.push(~top);
        TreeSet<Integer> before = new TreeSet<>();
        for (String input : network.ops().get(top).presentInputs()) {
          if (network.producer(input) >= 0 && !visited[network.producer(input)]) {
            before.add(network.producer(input));
          }
        }
        before.forEach(stack::push);
      }
    }
    return order;
  }
}

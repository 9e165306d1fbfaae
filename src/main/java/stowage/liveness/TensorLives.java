package stowage.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * When each tensor that is to be planned comes to be and when it is last needed, in steps of an
 * execution order: all but the weights, and the variables, inputs and outputs where the run-time or
 * its caller keeps those elsewhere. Tensors are numbered in the network's order.
 */
final class TensorLives {
  /** Made by no op: given before the first step. */
  static final int GIVEN = -1;

  /** Neither made nor given: declared, and nothing else. */
  static final int NEVER = -2;

  private final List<Tensor> tensors = new ArrayList<>();
  private final Map<String, Integer> index = new HashMap<>();
  private final int[] madeAt;
  private final int[][] readAt;
  private final boolean[] toTheEnd;
  private final ControlFlow code;
  private final int steps;

  /** Follows every tensor through the ops in execution order. O(tensors + operands). */
  TensorLives(Network network, int[] order, LivenessOptions options) {
    boolean withVariables = options.variables() == LivenessOptions.Variables.ARENA;
    Set<String> elsewhere = new HashSet<>();
    if (options.inputs() == LivenessOptions.Inputs.CALLER) {
      elsewhere.addAll(network.inputs());
      elsewhere.addAll(network.outputs());
    }
    for (Tensor tensor : network.tensors().values()) {
      boolean planned = withVariables || tensor.kind() != Tensor.Kind.VARIABLE;
      if (!tensor.isWeight() && planned && !elsewhere.contains(tensor.name())) {
        index.put(tensor.name(), tensors.size());
        tensors.add(tensor);
      }
    }
    steps = Math.max(1, order.length);
    madeAt = new int[tensors.size()];
    Arrays.fill(madeAt, NEVER);
    toTheEnd = new boolean[tensors.size()];
    for (String name : network.inputs()) {
      int given = of(name);
      if (given >= 0) {
        madeAt[given] = GIVEN;
        toTheEnd[given] = options.inputs() == LivenessOptions.Inputs.KEEP;
      }
    }
    List<List<Integer>> reads = new ArrayList<>();
    for (int t = 0; t < tensors.size(); t++) {
      reads.add(new ArrayList<>());
      if (tensors.get(t).kind() == Tensor.Kind.VARIABLE) {
        madeAt[t] = GIVEN;
        toTheEnd[t] = true;
      }
    }
    for (String name : network.outputs()) {
      if (of(name) >= 0) {
        toTheEnd[of(name)] = true;
      }
    }
    for (int step = 0; step < order.length; step++) {
      follow(network.ops().get(order[step]), step, reads);
    }
    readAt = new int[tensors.size()][];
    code = new ControlFlow(network, order);
    for (int t = 0; t < readAt.length; t++) {
      IntStream steps = reads.get(t).stream().mapToInt(Integer::intValue);
      readAt[t] = code.isPlain() ? steps.toArray() : code.needed(madeAt[t], steps.toArray());
    }
  }

  private void follow(Op op, int step, List<List<Integer>> reads) {
    Set<String> seen = new HashSet<>();
    for (String input : op.presentInputs()) {
      int read = of(input);
      if (read >= 0 && seen.add(input)) {
        reads.get(read).add(step);
      }
    }
    for (String output : op.presentOutputs()) {
      int made = of(output);
      if (made >= 0 && tensors.get(made).kind() != Tensor.Kind.VARIABLE) {
        madeAt[made] = step;
      }
    }
  }

  /** The code inside of the network's ops. */
  ControlFlow code() {
    return code;
  }

  int count() {
    return tensors.size();
  }

  /** The number of steps, at least 1, so that a network without ops has a moment to live in. */
  int steps() {
    return steps;
  }

  Tensor tensor(int t) {
    return tensors.get(t);
  }

  /** The number of a tensor, or -1 for one that is not planned. */
  int of(String name) {
    return index.getOrDefault(name, -1);
  }

  /** The step that makes a tensor, {@link #GIVEN} or {@link #NEVER}. */
  int madeAt(int t) {
    return madeAt[t];
  }

  /**
   * The steps that read a tensor, ascending; not to be changed. What a loop's code reads and does
   * not make is read at the loop's end too, since every turn needs it, and so is what the loop
   * hands from one turn to the next.
   */
  int[] readAt(int t) {
    return readAt[t];
  }

  /** Whether a tensor must be there after the last step. */
  boolean toTheEnd(int t) {
    return toTheEnd[t];
  }

  /** First step at which a tensor is there. */
  int start(int t) {
    return Math.max(0, madeAt[t]);
  }

  /**
   * First step at which a tensor is no longer needed. A result that is never read is live while it
   * is made, an input no op reads while the run starts.
   */
  int end(int t) {
    if (madeAt[t] == NEVER) {
      return 0;
    }
    if (toTheEnd[t]) {
      return steps;
    }
    int reads = readAt[t].length;
    int last = reads == 0 ? -1 : readAt[t][reads - 1];
    return Math.max(start(t), last) + 1;
  }
}

package stowage.rewrite;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;

/**
 * Which ops may be computed again: those that give the same results from the same operands. An op
 * that reads a variable does so until the variable is written: in a step of training all products
 * read weights, and the updates come last. Ops of known types leave a variable among their operands
 * as it is; any other may write it. A variable that no op of the network may write is written by
 * something else, so its readers never run again.
 */
public final class Repeats {
  private static final Set<String> RANDOM = Set.of("DROPOUT", "RANDOM");

  /** What talks to other devices. */
  private static final Set<String> COLLECTIVE =
      Set.of(
          ("ALLREDUCE ALLGATHER ALLTOALL REDUCESCATTER BROADCASTCOLLECTIVE "
                  + "COLLECTIVEPERMUTE SEND RECV BARRIER")
              .split(" "));

  /** Besides products, elementwise ops and gradients: what leaves its operands as they are. */
  private static final Set<String> READING =
      OpTypes.words(
          """
          BATCHNORMTRAINING CONCAT FLATTEN GATHER LAYERNORMALIZATION REDUCESUM RESHAPE SLICE
          SOFTMAX TRANSPOSE
          """);

  private Repeats() {}

  /**
   * Why an op is never computed again; null where it may be. What the importers know, such as that
   * an op is custom or part of a loop's body, they say by {@link Op#repeatable}. O(operands).
   */
  public static String obstacle(Network network, Op op) {
    if (!op.repeatable()) {
      return "not repeatable: marked so, custom, or within control flow";
    }
    String key = OpTypes.key(op).replace("-", "");
    if (RANDOM.contains(key) || key.startsWith("RANDOM")) {
      return "draws random numbers";
    }
    if (OpTypes.isControlFlow(op)) {
      return "control flow";
    }
    if (COLLECTIVE.contains(key) || key.startsWith("QUEUE")) {
      return "acts on other devices or a queue";
    }
    if (OpTypes.hasSideEffects(op)) {
      return "gives something else each time, or acts on more than its operands";
    }
    if (op.presentOutputs().isEmpty()) {
      return "has an effect besides its results";
    }
    for (String operand : op.presentInputs()) {
      if (isVariable(network, operand)
          && (mayWrite(op, operand)
              || network.ops().stream().noneMatch(each -> mayWrite(each, operand)))) {
        return "reads variable \"" + operand + "\"";
      }
    }
    for (String result : op.presentOutputs()) {
      if (isVariable(network, result)) {
        return "writes variable \"" + result + "\"";
      }
    }
    return null;
  }

  /**
   * For each op the op up to which it may run again, by what it reads: the first one after it that
   * may write a variable which it reads, in the network's order; the number of ops for none. Up to
   * there the variable is what it was. O(operands).
   */
  public static int[] until(Network network) {
    int[] until = new int[network.ops().size()];
    Map<String, Integer> writer = new HashMap<>();
    for (int v = until.length - 1; v >= 0; v--) {
      Op op = network.ops().get(v);
      until[v] = until.length;
      for (String operand : op.presentInputs()) {
        until[v] = Math.min(until[v], writer.getOrDefault(operand, until.length));
      }
      for (String touched : touched(op)) {
        if (isVariable(network, touched) && mayWrite(op, touched)) {
          writer.put(touched, v);
        }
      }
    }
    return until;
  }

  /** Whether an op may write one of its operands or results that is a variable. */
  static boolean mayWrite(Op op, String variable) {
    return op.presentOutputs().contains(variable)
        || op.presentInputs().contains(variable) && !onlyReads(op);
  }

  /** What an op reads or writes, each once. */
  static Set<String> touched(Op op) {
    Set<String> touched = new LinkedHashSet<>(op.presentInputs());
    touched.addAll(op.presentOutputs());
    return touched;
  }

  private static boolean onlyReads(Op op) {
    String key = OpTypes.key(op);
    return !op.presentOutputs().isEmpty()
        && (OpTypes.isElementwise(op)
            || MacCount.isProduct(op)
            || READING.contains(key)
            || key.endsWith("GRAD"));
  }

  static boolean isVariable(Network network, String tensor) {
    return network.tensor(tensor).kind() == Tensor.Kind.VARIABLE;
  }
}

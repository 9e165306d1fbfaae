package stowage.rewrite;

import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;

/** Which ops may be computed again: those that give the same results from the same operands. */
public final class Repeats {
  private static final Set<String> RANDOM = Set.of("DROPOUT", "RANDOM");

  /** What talks to other devices. */
  private static final Set<String> COLLECTIVE =
      Set.of(
          "ALLREDUCE",
          "ALLGATHER",
          "ALLTOALL",
          "REDUCESCATTER",
          "BROADCASTCOLLECTIVE",
          "COLLECTIVEPERMUTE",
          "SEND",
          "RECV",
          "BARRIER");

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
      if (network.tensor(operand).kind() == Tensor.Kind.VARIABLE) {
        return "reads variable \"" + operand + "\"";
      }
    }
    for (String result : op.presentOutputs()) {
      if (network.tensor(result).kind() == Tensor.Kind.VARIABLE) {
        return "writes variable \"" + result + "\"";
      }
    }
    return null;
  }
}

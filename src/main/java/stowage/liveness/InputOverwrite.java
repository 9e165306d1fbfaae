package stowage.liveness;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import stowage.network.Baseline;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * First write over a network's input in the plan of a model file. The caller must supply that input
 * again before the next run.
 *
 * @param input its name
 * @param op name of the op that writes over its bytes
 * @param step position of that op in the order
 */
public record InputOverwrite(String input, String op, int step) {

  /** The inputs that are overwritten, each with the first write. O(inputs * ops). */
  public static List<InputOverwrite> of(Network network, Baseline baseline) {
    List<InputOverwrite> found = new ArrayList<>();
    int[] order = network.executionOrder();
    for (String input : network.inputs()) {
      for (int step = 0; step < order.length; step++) {
        Op op = network.ops().get(order[step]);
        if (overwrites(network, baseline.offsets(), op, input)) {
          found.add(new InputOverwrite(input, op.name(), step));
          break;
        }
      }
    }
    return found;
  }

  private static boolean overwrites(
      Network network, Map<String, Long> places, Op op, String input) {
    Long at = places.get(input);
    for (String output : op.presentOutputs()) {
      Long to = places.get(output);
      if (at == null || to == null || output.equals(input) || shows(network, places, op, output)) {
        continue;
      }
      long end = at + network.tensor(input).bytes();
      if (to < end && at < to + network.tensor(output).bytes()) {
        return true;
      }
    }
    return false;
  }

  /** Whether an op leaves its result where an operand has it. */
  private static boolean shows(Network network, Map<String, Long> places, Op op, String output) {
    return switch (OpTraits.of(op)) {
      case RESHAPE_LIKE, SLICE_LIKE, SPLIT_LIKE, CONCAT_LIKE -> {
        long to = places.get(output);
        long end = to + network.tensor(output).bytes();
        yield op.presentInputs().stream()
            .map(network::tensor)
            .filter(from -> places.containsKey(from.name()))
            .anyMatch(from -> meets(from, places.get(from.name()), to, end));
      }
      case ELEMENTWISE, OTHER -> false;
    };
  }

  private static boolean meets(Tensor from, long at, long to, long end) {
    return at < end && to < at + from.bytes();
  }
}

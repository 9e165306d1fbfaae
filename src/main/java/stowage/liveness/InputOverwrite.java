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
 * <p>A reshape, slice or split whose result is where its operand has it writes nothing, and a
 * concat only those operands that are not in their places.
 *
 * @param op name of the op that writes over its bytes
 * @param step position of that op in the order
 */
public record InputOverwrite(String input, String op, int step) {
  /** The inputs that are overwritten, each with the first write. O(inputs * operands). */
  public static List<InputOverwrite> of(Network network, Baseline baseline) {
    List<InputOverwrite> found = new ArrayList<>();
    Map<String, Long> places = baseline.offsets();
    int[] order = network.executionOrder();
    for (String input : network.inputs()) {
      Long at = places.get(input);
      boolean given = network.producer(input) < 0; // else an op hands it over
      for (int step = 0; step < order.length && at != null; step++) {
        Op op = network.ops().get(order[step]);
        long end = at + network.tensor(input).bytes();
        if (!given) {
          given = op.outputs().contains(input);
        } else if (written(network, places, op).stream().anyMatch(w -> w[0] < end && at < w[1])) {
          found.add(new InputOverwrite(input, op.name(), step));
          break;
        }
      }
    }
    return found;
  }

  /** The stretches that an op writes, half-open. */
  private static List<long[]> written(Network network, Map<String, Long> places, Op op) {
    List<long[]> written = new ArrayList<>();
    boolean concat = OpTraits.of(op) == OpTraits.CONCAT_LIKE && !OpTraits.hasFusedActivation(op);
    long[] starts = ViewShapes.starts(network, op);
    Long source = op.inputs().isEmpty() ? null : places.get(OpTraits.source(op));
    for (int k = 0; k < starts.length; k++) {
      Long at = places.get(op.outputs().get(k));
      boolean shown = source != null && starts[k] >= 0;
      if (at == null || shown && at == source + starts[k]) {
        continue;
      }
      if (concat) {
        assemble(network, places, op, network.tensor(op.outputs().get(k)), written);
      } else {
        written.add(new long[] {at, at + network.tensor(op.outputs().get(k)).bytes()});
      }
    }
    return written;
  }

  /** Adds the operands of a concat that are not in their places. */
  private static void assemble(
      Network network, Map<String, Long> places, Op op, Tensor to, List<long[]> written) {
    long at = places.get(to.name());
    long start = 0;
    for (String input : op.presentInputs()) {
      Tensor part = network.tensor(input);
      int axis = part.rank() == to.rank() ? axis(to, part) : -1;
      long low = axis < 0 ? -1 : ViewShapes.contiguousStart(to, axis, start);
      start += axis < 0 ? 0 : part.extent(axis);
      if (low < 0) {
        written.add(new long[] {at, at + to.bytes()});
      } else if (!Long.valueOf(at + low).equals(places.get(input))) {
        written.add(new long[] {at + low, at + low + part.bytes()});
      }
    }
  }

  /** The one axis along which a part differs, the first where none does; -1 for several. */
  private static int axis(Tensor whole, Tensor part) {
    int axis = ViewShapes.onlyDifference(whole, part);
    return axis < 0 && whole.shape().equals(part.shape()) ? 0 : axis;
  }
}

package stowage.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Ops of a network in the order in which they run, and how each buffer is used by them.
 *
 * @param producers by buffer, the step of the op that makes its first tensor; -1 for an input
 * @param readers by buffer, the steps of the ops that read any of its tensors, ascending
 * @param shapes by buffer, the first tensor's shape and element type, such as {@code 1x64x56x56
 *     f32}; empty where it carries none
 */
public record OpFacts(
    List<String> names,
    List<String> types,
    int[] producers,
    List<int[]> readers,
    List<String> shapes) {

  /** The facts of what was planned; null for a list of buffers. O(operands + tensors). */
  public static OpFacts of(PlanningCase planned) {
    return planned.hasNetwork() ? of(planned.network(), planned.order(), planned.tensors()) : null;
  }

  /** Facts of a planned network, by step and by a buffer's tensors. O(operands + tensors). */
  static OpFacts of(Network network, int[] order, List<List<String>> tensors) {
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    Map<String, Integer> bufferOf = new HashMap<>();
    for (int i = 0; i < tensors.size(); i++) {
      for (String tensor : tensors.get(i)) {
        bufferOf.put(tensor, i);
      }
    }
    int[] producers = new int[tensors.size()];
    java.util.Arrays.fill(producers, -1);
    List<Set<Integer>> readers = new ArrayList<>();
    tensors.forEach(buffer -> readers.add(new LinkedHashSet<>()));
    for (int step = 0; step < order.length; step++) {
      Op op = network.ops().get(order[step]);
      names.add(op.name());
      types.add(op.type());
      for (String output : op.presentOutputs()) {
        Integer buffer = bufferOf.get(output);
        if (buffer != null && tensors.get(buffer).get(0).equals(output)) {
          producers[buffer] = step;
        }
      }
      for (String input : op.presentInputs()) {
        Integer buffer = bufferOf.get(input);
        if (buffer != null) {
          readers.get(buffer).add(step);
        }
      }
    }
    return new OpFacts(
        List.copyOf(names),
        List.copyOf(types),
        producers,
        readers.stream().map(s -> s.stream().mapToInt(Integer::intValue).toArray()).toList(),
        tensors.stream().map(buffer -> shape(network, buffer)).toList());
  }

  private static String shape(Network network, List<String> tensors) {
    Tensor tensor = tensors.isEmpty() ? null : network.tensors().get(tensors.get(0));
    if (tensor == null) {
      return "";
    }
    String extents = tensor.shape().stream().map(String::valueOf).collect(Collectors.joining("x"));
    return (extents.isEmpty() ? "scalar" : extents) + " " + tensor.type().label();
  }
}

package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.packing.LoadProfile;
import stowage.packing.Rounding;
import stowage.planning.fit.price.FitCompute;
import stowage.rewrite.MacCount;
import stowage.rewrite.Repeats;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * A network as a {@link RecomputeProblem}: activations are values, of their bytes rounded up to the
 * alignment; what else is alive at an op, such as scratch memory and variables, is the op's own.
 *
 * @param problem the ops in the network's order
 * @param fixed why ops are never computed again, by name, in the network's order
 */
record RecomputeValues(RecomputeProblem problem, Map<String, String> fixed) {

  /** The values of a network in its own order, without anything that shares a buffer. */
  static RecomputeValues of(Network network, LivenessOptions liveness) {
    PlanningCase planned = Liveness.of(network, liveness);
    Set<String> placed = new HashSet<>();
    for (PlanningCase.BufferContents buffer : planned.contents()) {
      buffer.parts().forEach(part -> placed.add(part.tensor()));
    }
    Map<String, Integer> value = new HashMap<>();
    List<Integer> makers = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    for (String input : network.inputs()) {
      if (isValue(network, input) && network.producer(input) < 0 && !value.containsKey(input)) {
        value.put(input, makers.size());
        makers.add(-1);
        sizes.add(placed.contains(input) ? bytes(network, input, liveness) : 0);
      }
    }
    int count = network.ops().size();
    int[][] reads = new int[count][];
    int[][] writes = new int[count][];
    long[] cost = new long[count];
    int[] until = Repeats.until(network);
    Map<String, String> fixed = new LinkedHashMap<>();
    Map<String, Integer> starts = new HashMap<>();
    boolean costs = FitCompute.unit(network).equals("cost");
    for (int v = 0; v < count; v++) {
      Op op = network.ops().get(v);
      for (String result : op.presentOutputs()) {
        if (isValue(network, result)) {
          value.put(result, makers.size());
          makers.add(v);
          sizes.add(placed.contains(result) ? bytes(network, result, liveness) : 0);
        }
      }
      reads[v] = indices(op.presentInputs(), value);
      writes[v] = indices(op.presentOutputs(), value);
      cost[v] = costs ? op.cost() : MacCount.of(network, op);
      String obstacle = Repeats.obstacle(network, op);
      if (op.name().endsWith(".enter")) {
        starts.put(op.name().substring(0, op.name().length() - ".enter".length()), v);
      }
      if (obstacle != null) {
        until[v] = v;
        fixed.put(op.name(), obstacle);
      }
    }
    // What branches give may be in one place: the planner's loads say what it takes there.
    for (Op op : network.ops()) {
      int enter = OpTypes.isControlFlow(op) ? starts.getOrDefault(op.name(), count) : count;
      for (String result : op.presentInputs()) {
        if (network.producer(result) > enter && value.containsKey(result)) {
          sizes.set(value.get(result), 0L);
        }
      }
    }
    boolean[] kept = new boolean[makers.size()];
    List<String> whole = new ArrayList<>(network.outputs());
    if (liveness.inputs() == LivenessOptions.Inputs.KEEP) {
      whole.addAll(network.inputs());
    }
    for (String name : whole) {
      if (value.containsKey(name)) {
        kept[value.get(name)] = true;
      }
    }
    int[] maker = makers.stream().mapToInt(Integer::intValue).toArray();
    long[] bytes = sizes.stream().mapToLong(Long::longValue).toArray();
    RecomputeProblem bare =
        new RecomputeProblem(maker, bytes, kept, reads, writes, cost, new long[count], until);
    long[] scratch = besides(bare, planned);
    return new RecomputeValues(
        new RecomputeProblem(maker, bytes, kept, reads, writes, cost, scratch, until), fixed);
  }

  private static boolean isValue(Network network, String tensor) {
    return network.tensor(tensor).kind() == Tensor.Kind.ACTIVATION;
  }

  private static long bytes(Network network, String tensor, LivenessOptions liveness) {
    return Rounding.up(network.tensor(tensor).bytes(), 0, liveness.alignment(), 0);
  }

  private static int[] indices(List<String> names, Map<String, Integer> value) {
    return names.stream().distinct().filter(value::containsKey).mapToInt(value::get).toArray();
  }

  /** What the planner's buffers have at each step above the values. */
  private static long[] besides(RecomputeProblem bare, PlanningCase planned) {
    long[] values = new Timeline(bare, bare.once()).load;
    LoadProfile all = LoadProfile.of(planned.problem());
    long[] besides = new long[bare.ops];
    Arrays.setAll(besides, v -> Math.max(0, all.loadAt(v) - values[v]));
    return besides;
  }
}

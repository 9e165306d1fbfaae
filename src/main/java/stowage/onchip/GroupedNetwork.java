package stowage.onchip;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Chip;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.slice.GroupModel;

/** The network as GMEM sees it after grouping: each group one op, what stays inside it gone. */
public final class GroupedNetwork {
  private GroupedNetwork() {}

  /** The network of a grouping; its execution order is the groups'. O(ops + tensors). */
  public static Network of(Grouping grouping) {
    LayerGraph graph = grouping.graph();
    List<Op> ops = new ArrayList<>();
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    Network network = graph.network();
    network.inputs().forEach(name -> tensors.put(name, network.tensor(name)));
    for (int k = 0; k < grouping.groups().size(); k++) {
      PlannedGroup planned = grouping.groups().get(k);
      Op op =
          planned.isGrouped()
              ? group(planned.plan().group(), k)
              : graph.layer(planned.first()).op();
      op.presentInputs().forEach(name -> tensors.put(name, network.tensor(name)));
      op.presentOutputs().forEach(name -> tensors.put(name, network.tensor(name)));
      ops.add(op);
    }
    network.outputs().forEach(name -> tensors.put(name, network.tensor(name)));
    return network.with(tensors.values(), ops);
  }

  /** The tensors between the groups with their live ranges, aligned as the chip does. */
  public static PlanningCase inGmem(Grouping grouping) {
    Chip chip = grouping.graph().chip();
    return Liveness.of(
        of(grouping),
        LivenessOptions.defaults()
            .withAlignments(chip.activationAlignment(), chip.weightAlignment()));
  }

  private static Op group(GroupModel group, int number) {
    LayerGraph graph = group.graph();
    Set<String> inputs = new LinkedHashSet<>();
    Set<String> outputs = new LinkedHashSet<>();
    for (int t = 0; t < group.tensorCount(); t++) {
      String name = graph.tensor(group.tensor(t)).name();
      if (group.isInput(t)) {
        inputs.add(name);
      }
      if (group.isStored(t)) {
        outputs.add(name);
      }
    }
    for (int w = 0; w < group.weightCount(); w++) {
      inputs.add(graph.tensor(group.weight(w).tensor()).name());
    }
    return new Op(
        "layer group " + number, "Group", Map.of(), List.copyOf(inputs), List.copyOf(outputs), 0);
  }
}

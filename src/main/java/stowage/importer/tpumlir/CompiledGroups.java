package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.network.CompiledNetwork;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;
import stowage.network.CompiledNetwork.Kind;
import stowage.network.CompiledNetwork.Part;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Spreads out the layer groups of a TPU-MLIR file: the ops inside become ops of the network, loads
 * and stores become events of their group, and a tensor that is loaded or stored keeps the name it
 * has in GMEM.
 */
public final class CompiledGroups {
  private final TpuMlirModule module;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Integer> opNames = new HashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private final List<CompiledGroup> groups = new ArrayList<>();

  private CompiledGroups(TpuMlirModule module) {
    this.module = module;
  }

  /**
   * The network of a module with its groups spread out.
   *
   * @throws InvalidNetworkException when a group's steps name ops that it does not have
   */
  public static CompiledNetwork of(TpuMlirModule module) {
    return new CompiledGroups(module).build();
  }

  /** The line of each op of {@link #of}'s network, by its position there. */
  static List<Integer> lines(TpuMlirModule module) {
    Map<TpuOp, TpuGroup> byOp = new java.util.IdentityHashMap<>();
    module.groups().forEach(group -> byOp.put(group.op(), group));
    List<Integer> lines = new ArrayList<>();
    for (TpuOp op : module.ops()) {
      if (!byOp.containsKey(op)) {
        lines.add(op.line());
        continue;
      }
      for (TpuGroup.GroupOp inside : byOp.get(op).body()) {
        if (!inside.isLoad() && !inside.isStore()) {
          lines.add(inside.op().line());
        }
      }
    }
    return lines;
  }

  private CompiledNetwork build() {
    module.inputs().forEach(this::outside);
    for (TpuOp op : module.ops()) {
      op.inputs().stream().filter(TpuValue::present).forEach(this::outside);
      op.outputs().stream().filter(TpuValue::present).forEach(this::outside);
    }
    Map<TpuOp, TpuGroup> byOp = new java.util.IdentityHashMap<>();
    module.groups().forEach(group -> byOp.put(group.op(), group));
    for (TpuOp op : module.ops()) {
      if (byOp.containsKey(op)) {
        spread(byOp.get(op));
      } else {
        add(op, op.outputs().stream().map(this::nameOf).toList());
      }
    }
    Network network =
        new Network(
            module.name(),
            "tpu-mlir",
            tensors.values(),
            ops,
            module.inputs().stream().map(this::nameOf).toList(),
            module.outputs().stream()
                .filter(TpuValue::present)
                .map(this::nameOf)
                .distinct()
                .toList(),
            List.of());
    return new CompiledNetwork(network, module.chip(), TpuMlirFormat.SOURCE, groups);
  }

  /** A value outside of groups keeps its name. */
  private void outside(TpuValue value) {
    if (names.putIfAbsent(value.id(), value.name()) == null) {
      tensors.putIfAbsent(value.name(), value.tensor());
    }
  }

  private String nameOf(TpuValue value) {
    return value.present() ? names.get(value.id()) : "";
  }

  private int add(TpuOp op, List<String> outputs) {
    int copies = opNames.merge(op.name(), 1, Integer::sum);
    String name = copies == 1 ? op.name() : op.name() + "#" + copies;
    Map<String, Object> attributes = new LinkedHashMap<>();
    op.attributes()
        .forEach(
            (key, value) -> {
              if (!(value instanceof Map) && !isNested(value)) {
                attributes.put(key, value);
              }
            });
    List<String> inputs = op.inputs().stream().map(this::nameOf).toList();
    ops.add(new Op(name, op.type(), attributes, inputs, outputs, 0));
    return ops.size() - 1;
  }

  private static boolean isNested(Object value) {
    return value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance);
  }

  private void spread(TpuGroup group) {
    Map<Integer, Integer> rowOf = new HashMap<>();
    for (int row = 0; row < group.rows().size(); row++) {
      for (int id : group.rows().get(row)) {
        rowOf.put(id, row);
      }
    }
    for (TpuGroup.GroupOp inside : group.body()) {
      TpuOp op = inside.op();
      if (inside.isLoad()) {
        names.put(op.outputs().get(0).id(), nameOf(op.inputs().get(0)));
      } else if (inside.isStore()) {
        names.put(op.inputs().get(0).id(), nameOf(op.outputs().get(0)));
      }
    }
    List<Integer> members = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    for (TpuGroup.GroupOp inside : group.body()) {
      Integer row = rowOf.get(inside.info().id());
      if (row == null) {
        throw new InvalidNetworkException(
            "group \"%s\": op %s is in no step of its flow"
                .formatted(group.op().name(), inside.info().id()));
      }
      events.add(event(inside, row, members));
    }
    List<Integer> slices = new ArrayList<>();
    for (char axis : new char[] {'n', 'c', 'd', 'h', 'w'}) {
      slices.add(group.slices(axis));
    }
    int stages = group.pipelineStages() > 1 ? 3 : 1;
    groups.add(new CompiledGroup(members, slices, stages, group.rows().size(), events));
  }

  private Event event(TpuGroup.GroupOp inside, int row, List<Integer> members) {
    TpuOp op = inside.op();
    int position = -1;
    String tensor;
    Kind kind;
    if (inside.isLoad() || inside.isStore()) {
      kind = inside.isLoad() ? Kind.LOAD : Kind.STORE;
      tensor = nameOf(inside.isLoad() ? op.inputs().get(0) : op.outputs().get(0));
    } else {
      kind = Kind.COMPUTE;
      List<String> outputs = new ArrayList<>();
      for (TpuValue output : op.outputs()) {
        outputs.add(inner(output));
      }
      position = add(op, outputs);
      members.add(position);
      tensor = outputs.get(0);
    }
    LayerInfo info = inside.info();
    return new Event(
        kind,
        position,
        tensor,
        row,
        info.stage(),
        info.outAddress(),
        info.outSize(),
        info.bufferAddress(),
        info.bufferSize(),
        info.aligned(),
        slices(info));
  }

  /** The name of a value inside of a group: the store's where it is stored, else one of its own. */
  private String inner(TpuValue value) {
    if (!value.present()) {
      return "";
    }
    String known = names.get(value.id());
    if (known != null) {
      return known;
    }
    String name = value.name();
    for (int k = 2; tensors.containsKey(name); k++) {
      name = value.name() + "#" + k;
    }
    Tensor tensor = value.tensor();
    tensors.put(name, new Tensor(name, tensor.shape(), tensor.type(), tensor.kind()));
    names.put(value.id(), name);
    return name;
  }

  private static Map<String, List<Part>> slices(LayerInfo info) {
    Map<String, List<Part>> slices = new LinkedHashMap<>();
    put(slices, "n", info.nStarts(), info.nLengths());
    put(slices, "c", info.cStarts(), info.cLengths());
    put(slices, "d", info.dStarts(), info.dLengths());
    put(slices, "h", info.hStarts(), info.hLengths());
    put(slices, "w", info.wStarts(), info.wLengths());
    return slices;
  }

  private static void put(
      Map<String, List<Part>> slices, String axis, List<Long> starts, List<Long> lengths) {
    if (starts.isEmpty() || starts.size() != lengths.size()) {
      return;
    }
    List<Part> parts = new ArrayList<>();
    for (int k = 0; k < starts.size(); k++) {
      parts.add(new Part(starts.get(k), lengths.get(k)));
    }
    slices.put(axis, List.copyOf(parts));
  }
}

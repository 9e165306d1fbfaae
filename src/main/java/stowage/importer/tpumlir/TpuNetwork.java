package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.UniqueNames;
import stowage.network.CompiledNetwork;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;
import stowage.network.CompiledNetwork.Kind;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * A TPU-MLIR module as a network. A layer group is one op, or spread out: the ops inside become ops
 * of the network, loads and stores become events of their group, and a tensor that is loaded or
 * stored keeps the name it has in GMEM.
 */
final class TpuNetwork {
  private final TpuMlirModule module;
  private final Map<TpuOp, TpuGroup> spreading = new IdentityHashMap<>();
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final UniqueNames opNames = new UniqueNames();
  private final List<Op> ops = new ArrayList<>();

  /** The line of each op of the network, by its position there. */
  final List<Integer> lines = new ArrayList<>();

  private final List<CompiledGroup> groups = new ArrayList<>();

  /** The network of a module, whose groups may be spread out; steps must name ops it has. */
  TpuNetwork(TpuMlirModule module, boolean spread) {
    this.module = module;
    if (spread) {
      module.groups().forEach(group -> spreading.put(group.op(), group));
    }
    outside(module.inputs());
    for (TpuOp op : module.ops()) {
      outside(op.inputs());
      outside(op.outputs());
    }
    outside(module.outputs());
    for (TpuOp op : module.ops()) {
      if (spreading.containsKey(op)) {
        spread(spreading.get(op));
      } else {
        add(op, op.outputs().stream().map(this::nameOf).toList());
      }
    }
  }

  Network network(List<String> notes) {
    return new Network(
        module.name(),
        "tpu-mlir",
        tensors.values(),
        ops,
        module.inputs().stream().map(this::nameOf).toList(),
        module.outputs().stream().filter(TpuValue::present).map(this::nameOf).distinct().toList(),
        notes);
  }

  CompiledNetwork compiled() {
    return new CompiledNetwork(network(List.of()), module.chip(), groups);
  }

  /** Values outside of groups keep their names. */
  private void outside(List<TpuValue> values) {
    for (TpuValue value : values) {
      if (value.present() && names.putIfAbsent(value.id(), value.name()) == null) {
        tensors.putIfAbsent(value.name(), value.tensor());
      }
    }
  }

  private String nameOf(TpuValue value) {
    return value.present() ? names.get(value.id()) : "";
  }

  private int add(TpuOp op, List<String> outputs) {
    ops.add(op.op(opNames.of(op.name()), op.inputs().stream().map(this::nameOf).toList(), outputs));
    lines.add(op.line());
    return ops.size() - 1;
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
      boolean moves = inside.isLoad() || inside.isStore();
      if (op.outputs().isEmpty() || moves && op.inputs().isEmpty()) {
        throw new InvalidNetworkException(
            "group \"%s\": %s at line %s has no %s",
            group.op().name(), op.type(), op.line(), op.outputs().isEmpty() ? "result" : "operand");
      }
      if (inside.isLoad()) {
        names.put(op.outputs().get(0).id(), nameOf(op.inputs().get(0)));
      } else if (inside.isStore()) {
        names.put(op.inputs().get(0).id(), nameOf(op.outputs().get(0)));
      }
    }
    List<Integer> members = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    for (TpuGroup.GroupOp inside : group.body()) {
      Integer row = rowOf.get(inside.id());
      if (row == null) {
        throw new InvalidNetworkException(
            "group \"%s\": op %s is in no step of its flow", group.op().name(), inside.id());
      }
      events.add(event(inside, row, members));
    }
    List<Integer> slices = TpuGroup.AXES.stream().map(group::slices).toList();
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
      List<String> outputs = op.outputs().stream().map(this::inner).toList();
      position = add(op, outputs);
      members.add(position);
      tensor = outputs.get(0);
    }
    return new Event(
        kind,
        position,
        tensor,
        row,
        (int) inside.field("stage"),
        inside.field("out_addr"),
        inside.field("out_size"),
        inside.field("buffer_addr"),
        inside.field("buffer_size"),
        Boolean.TRUE.equals(inside.ginfo().get("eu_align")),
        inside.slices());
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
}

package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import stowage.importer.io.InputException;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;
import stowage.network.CompiledNetwork.Kind;
import stowage.network.CompiledNetwork.Part;

/**
 * The attributes that make a layer group, in the words of the version of TPU-MLIR that wrote a
 * file: which fields there are is taken from the file's own groups; where it has none, from the
 * version of 2026.
 */
final class GroupAttributes {
  private static final String INFO = "ginfo";

  private static final String OF_2026 =
      "#tpu.lg<out_addr = 0, out_size = 0, buffer_addr = 0, buffer_size = 0, eu_align = true,"
          + " can_merge = false, in_hslice_offset = [], n_idx = [0], n_slice = [1], c_idx = [0],"
          + " c_slice = [1], d_idx = [0], d_slice = [1], h_idx = [0], h_slice = [1], w_idx = [0],"
          + " w_slice = [1], id = 0, stage = 0, slice_idx = 0, group_type = 0>";

  private final Path file;
  private MlirAttributes group;
  private MlirAttributes store;
  private final Map<Boolean, MlirAttributes> loads = new LinkedHashMap<>();
  private Map<String, String> info;
  private boolean storesReadNone = true;

  /** The words of a function to write; groups have properties if one of the network's ops has. */
  GroupAttributes(Path file, List<MlirOperation> code, Set<Integer> ops) {
    this.file = file;
    boolean properties =
        code.stream().anyMatch(op -> ops.contains(op.line()) && op.written().properties() != null);
    this.group =
        new MlirAttributes(properties)
            .with("flow", "[]")
            .with("group_type", "0 : i64")
            .with("swpipl_stage_num", "3 : i64");
    TpuGroup.AXES.forEach(axis -> group.with(axis + "secs", "1 : i64"));
    this.store = new MlirAttributes(properties);
    this.info = MlirAttributes.fields(file, OF_2026);
    for (boolean weight : new boolean[] {false, true}) {
      loads.put(
          weight,
          new MlirAttributes(properties)
              .with("do_bcast", "false")
              .with("is_idx_weight", "false")
              .with("lmem_type", weight ? "0 : i64" : "1 : i64")
              .with("use_3ic_optimize", "0 : i64"));
    }
    for (MlirOperation one : code) {
      if (one.is("tpu.Group")) {
        group = cleared(one.written());
        one.body().forEach(this::learn);
      }
    }
  }

  private void learn(MlirOperation step) {
    MlirAttributes own = step.written();
    if (own.has(INFO)) {
      info = MlirAttributes.fields(file, own.get(INFO));
    }
    if (step.is("tpu.Load")) {
      loads.put("0 : i64".equals(own.get("lmem_type")), own);
    } else if (step.is("tpu.Store")) {
      store = own;
      storesReadNone = step.operands().size() > 1;
    }
  }

  /** Overlaps with other groups are those of the file's, not of ours. */
  private static MlirAttributes cleared(MlirAttributes given) {
    MlirAttributes cleared = given.copy();
    for (Map<String, String> part : cleared.parts()) {
      part.replaceAll((key, value) -> key.contains("overlap") ? "[]" : value);
    }
    return cleared;
  }

  /** Whether a store has a second operand, that is absent. */
  boolean storesReadNone() {
    return storesReadNone;
  }

  MlirAttributes group(CompiledGroup given, List<Integer> ids) {
    MlirAttributes text = group.copy();
    for (int a = 0; a < TpuGroup.AXES.size(); a++) {
      int secs = given.slices().get(a);
      String key = TpuGroup.AXES.get(a) + "secs";
      if (text.has(key)) {
        text.with(key, secs + " : i64");
      } else if (secs > 1) {
        throw new InputException(
            file, "", "is of a version that has no " + key + "; group with --axes nh");
      }
    }
    if (text.has("swpipl_stage_num")) {
      text.with("swpipl_stage_num", given.stages() + " : i64");
    }
    return text.with("group_type", "0 : i64").with("flow", flow(given, ids).toString());
  }

  private static List<Integer> flow(CompiledGroup given, List<Integer> ids) {
    List<Integer> flow = new ArrayList<>();
    for (int row = 0; row < given.steps(); row++) {
      flow.add(-row - 1);
      for (Kind kind : List.of(Kind.COMPUTE, Kind.LOAD, Kind.STORE)) {
        for (int e = 0; e < given.events().size(); e++) {
          Event event = given.events().get(e);
          if (event.step() == row && event.kind() == kind) {
            flow.add(ids.get(e));
          }
        }
      }
    }
    return flow;
  }

  /**
   * The attributes of a load, by the file's own load of the same tensor, or null, and what the
   * convolution that reads it says of rearranging its operand.
   */
  MlirAttributes load(MlirAttributes own, Event event, int id, boolean weight, String rearranging) {
    MlirAttributes text = (own == null ? loads.get(weight) : own).copy();
    if (text.has("lmem_type")) {
      text.with("lmem_type", weight ? "0 : i64" : "1 : i64");
    }
    if (text.has("use_3ic_optimize") || rearranging != null) {
      text.with("use_3ic_optimize", rearranging == null ? "0 : i64" : rearranging);
    }
    return text.with(INFO, info(event, id));
  }

  MlirAttributes store(Event event, int id) {
    return store.copy().with(INFO, info(event, id));
  }

  /** An op's attributes with its place in a group. */
  MlirAttributes computed(MlirAttributes own, Event event, int id) {
    return own.copy().with(INFO, info(event, id));
  }

  /** An op's attributes outside of groups. */
  static MlirAttributes alone(MlirAttributes own) {
    return own.copy().without(INFO);
  }

  private String info(Event event, int id) {
    Map<String, String> fields = new LinkedHashMap<>(info);
    set(fields, "out_addr", Long.toString(event.offset()));
    set(fields, "out_size", Long.toString(event.size()));
    set(fields, "buffer_addr", Long.toString(event.scratchOffset()));
    set(fields, "buffer_size", Long.toString(event.scratchSize()));
    set(fields, "eu_align", Boolean.toString(event.aligned()));
    set(fields, "can_merge", "false");
    set(fields, "in_hslice_offset", "[]");
    for (String axis : TpuGroup.AXES) {
      List<Part> parts = event.slices().getOrDefault(axis, List.of());
      set(fields, axis + "_idx", parts.stream().map(Part::begin).toList().toString());
      set(fields, axis + "_slice", parts.stream().map(Part::size).toList().toString());
    }
    set(fields, "id", Integer.toString(id));
    set(fields, "stage", Integer.toString(event.stage()));
    set(fields, "slice_idx", "0");
    set(fields, "group_type", "0");
    return fields.entrySet().stream()
        .map(field -> field.getKey() + " = " + field.getValue())
        .collect(Collectors.joining(", ", "#tpu.lg<", ">"));
  }

  private static void set(Map<String, String> fields, String key, String value) {
    fields.computeIfPresent(key, (known, old) -> value);
  }
}

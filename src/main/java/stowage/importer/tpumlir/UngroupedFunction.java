package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;

/**
 * Code of a function of a TPU-MLIR file without its layer groups: each op by itself, with the
 * values that it reads and makes. Groups that are kept, and ops with nested code, stay whole.
 *
 * <p>A value has a key: its name in the text, within a group after the group's number. A load, a
 * store and a group give only another name to what they move.
 */
final class UngroupedFunction {
  final TpuMlirFile file;
  final MlirOperation function;

  /** Types without an address, by key. */
  final Map<String, String> types = new HashMap<>();

  /** Where values are in GMEM, by key. */
  final Map<String, Long> addresses = new HashMap<>();

  /** The network's tensors, by key. */
  final Map<String, String> names = new HashMap<>();

  /** Keys by tensor of the network. */
  final Map<String, String> keys = new HashMap<>();

  /** What makes a value, by key. */
  final Map<String, FlatOp> makers = new HashMap<>();

  /** The first load that the file has of a value, by key, and its location. */
  final Map<String, MlirAttributes> ownLoads = new HashMap<>();

  final Map<String, String> ownLoadLocations = new HashMap<>();

  /** All code in the file's order. */
  final List<FlatOp> flats = new ArrayList<>();

  /** By op of the network what has it; null for ops of other functions. */
  final FlatOp[] ops;

  private final Network network;
  private final Map<Integer, Integer> positions;

  /** What loads, stores and groups only give another name, by that name. */
  private final Map<String, String> aliases = new HashMap<>();

  /**
   * An op outside of groups, or a group that is kept: the keys of the values that it reads, those
   * that its nested code reads among them, the keys of the values that it makes, and the scope of
   * its names, empty outside of groups.
   */
  record FlatOp(MlirOperation operation, List<String> reads, List<String> makes, String scope) {
    /** Whether it stays as it is in the text, except for the names of what it reads. */
    boolean isVerbatim() {
      return !operation.regions().isEmpty();
    }

    boolean isConstant() {
      return operation.is("top.None") || operation.is("top.Weight");
    }
  }

  /**
   * Takes a function apart, except the groups that are kept; {@code positions} are those of the
   * network's ops by line.
   */
  UngroupedFunction(
      TpuMlirFile file,
      MlirOperation function,
      Network network,
      Map<Integer, Integer> positions,
      Set<Integer> kept) {
    this.file = file;
    this.function = function;
    this.network = network;
    this.positions = positions;
    this.ops = new FlatOp[positions.size()];
    for (MlirOperation.Argument argument : function.regions().get(0).arguments()) {
      define(argument.value(), argument.type());
    }
    int number = 0;
    for (MlirOperation operation : function.body()) {
      if (operation.is("tpu.Group") && !kept.contains(operation.line())) {
        group(operation, "group" + number++ + ":");
      } else if (!operation.regions().isEmpty()) {
        verbatim(operation);
      } else if (!operation.is("func.return")) {
        add(operation, "");
      }
    }
  }

  /** The key of a value that other names were given to. */
  String resolved(String key) {
    String known = aliases.get(key);
    return known == null ? key : resolved(known);
  }

  /** The key of what code reads: of a value inside of its group, or else of one outside. */
  private String keyOf(String scope, String operand) {
    String inner = scope + operand;
    boolean inside = types.containsKey(inner) || aliases.containsKey(inner);
    return resolved(inside ? inner : operand);
  }

  private void define(String key, MlirType type) {
    types.put(key, type.withoutAddress());
    if (type.address().isPresent()) {
      addresses.put(key, type.address().getAsLong());
    }
  }

  /** An op whose nested code stays as it is. */
  private void verbatim(MlirOperation operation) {
    Set<String> reads = new LinkedHashSet<>();
    operation.walk(
        inner ->
            inner.operands().stream()
                .filter(operand -> types.containsKey(operand) || aliases.containsKey(operand))
                .forEach(operand -> reads.add(resolved(operand))));
    FlatOp flat = flat(operation, List.copyOf(reads), "");
    operation.walk(
        inner -> {
          Integer position = positions.get(inner.line());
          if (position != null) {
            ops[position] = flat;
          }
        });
    Integer position = positions.get(operation.line());
    if (position != null) {
      name(flat.makes(), network.ops().get(position).outputs());
    }
    named(operation);
  }

  private FlatOp flat(MlirOperation operation, List<String> reads, String scope) {
    List<String> makes = operation.results().stream().map(result -> scope + result).toList();
    FlatOp flat = new FlatOp(operation, reads, makes, scope);
    for (int k = 0; k < makes.size(); k++) {
      define(makes.get(k), operation.resultTypes().get(k));
      makers.put(makes.get(k), flat);
    }
    flats.add(flat);
    return flat;
  }

  /** The names of what a group that is kept stores: those of the values that are stored. */
  private void named(MlirOperation group) {
    if (group.body().isEmpty()) {
      return;
    }
    Map<String, String> byInner = new HashMap<>();
    for (MlirOperation step : group.body()) {
      Integer position = positions.get(step.line());
      if (position != null) {
        List<String> outputs = network.ops().get(position).outputs();
        for (int k = 0; k < Math.min(step.results().size(), outputs.size()); k++) {
          byInner.put(step.results().get(k), outputs.get(k));
        }
      } else if (step.is("tpu.Store")) {
        byInner.put(step.results().get(0), byInner.get(step.operands().get(0)));
      }
    }
    List<String> yielded = group.body().get(group.body().size() - 1).operands();
    name(
        group.results(),
        yielded.stream().map(inner -> Objects.requireNonNullElse(byInner.get(inner), "")).toList());
  }

  private void add(MlirOperation operation, String scope) {
    List<String> reads = operation.operands().stream().map(read -> keyOf(scope, read)).toList();
    FlatOp flat = flat(operation, reads, scope);
    Integer position = positions.get(operation.line());
    if (position == null) {
      if (!flat.isConstant() && !operation.operands().isEmpty()) {
        String what = "is of no op of the network (%s); groups are not written there";
        throw file.fault(operation.line(), what, operation.name());
      }
      return;
    }
    ops[position] = flat;
    Op op = network.ops().get(position);
    name(reads, op.inputs());
    name(flat.makes(), op.outputs());
  }

  private void name(List<String> values, List<String> tensors) {
    for (int k = 0; k < Math.min(values.size(), tensors.size()); k++) {
      if (!tensors.get(k).isEmpty()) {
        names.put(values.get(k), tensors.get(k));
        keys.putIfAbsent(tensors.get(k), values.get(k));
      }
    }
  }

  /** A group's ops one by one: loads and stores are other names of what they move. */
  private void group(MlirOperation group, String scope) {
    List<MlirOperation> body = group.body();
    MlirOperation end = body.get(body.size() - 1);
    for (MlirOperation step : body.subList(0, body.size() - 1)) {
      boolean load = step.is("tpu.Load");
      boolean store = step.is("tpu.Store");
      if (!load && !store) {
        add(step, scope);
        continue;
      }
      String moved = keyOf(scope, step.operands().get(0));
      aliases.put(scope + step.results().get(0), moved);
      if (load) {
        ownLoads.putIfAbsent(moved, step.written());
        ownLoadLocations.putIfAbsent(moved, location(step));
      } else if (step.resultTypes().get(0).address().isPresent()) {
        addresses.put(moved, step.resultTypes().get(0).address().getAsLong());
      }
    }
    for (int k = 0; k < group.results().size(); k++) {
      aliases.put(group.results().get(k), resolved(scope + end.operands().get(k)));
    }
  }

  String textOf(MlirOperation operation) {
    return file.text().substring(operation.start(), operation.end());
  }

  /** An op's location as it is in the text, with a blank before it. */
  String location(MlirOperation operation) {
    String own = textOf(operation);
    int at = own.lastIndexOf(" loc(");
    return at < 0 ? " loc(unknown)" : own.substring(at);
  }
}

package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import stowage.importer.io.InputException;
import stowage.importer.tpumlir.TpuMlirFile.Unit;
import stowage.importer.tpumlir.UngroupedFunction.FlatOp;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;
import stowage.network.CompiledNetwork.Kind;
import stowage.network.Network;

/**
 * Text of a function of a TPU-MLIR file with its ops in other layer groups: loads, stores, slices,
 * steps and on-chip addresses are written as the file's version of TPU-MLIR writes them.
 */
final class GroupedFunctionPrinter {
  private static final Pattern VALUE = Pattern.compile("%[\\w.$-]+(?:#\\d+)?");
  private static final Pattern NUMBER = Pattern.compile("%(\\d{1,9})");
  private static final String INDENT = "      ";

  private final UngroupedFunction code;
  private final GroupAttributes words;
  private final AddedLocations locations;

  /** The address in GMEM of what has none in the file. */
  private final long base;

  /** Names of values outside of groups in the new text, by key. */
  private final Map<String, String> outer = new HashMap<>();

  private final Set<FlatOp> emitted = Collections.newSetFromMap(new IdentityHashMap<>());
  private final StringBuilder body = new StringBuilder();
  private int nextValue;

  private GroupedFunctionPrinter(
      UngroupedFunction code, GroupAttributes words, AddedLocations locations) {
    this.code = code;
    this.words = words;
    this.base = code.file.module().neuronAddress().orElse(0);
    this.locations = locations;
  }

  /** See {@link TpuMlirFile#withGroups}. */
  static String of(TpuMlirFile file, Network network, List<Unit> units, Set<Integer> kept) {
    Map<Integer, Integer> positions = file.positions();
    int[] functionOf = file.functionOf(positions);
    AddedLocations locations = new AddedLocations(file.text());
    if (locations.isEmpty()) {
      throw file.fault(
          "keeps names as attributes, as TPU-MLIR did in 2022; groups of ours are written into"
              + " files that keep them as locations (--partition file keeps the groups)");
    }
    Set<Integer> keptLines = new HashSet<>();
    kept.forEach(number -> keptLines.add(file.module().groups().get(number).op().line()));
    String text = file.text();
    for (int number = file.functions().size() - 1; number >= 0; number--) {
      MlirOperation function = file.functions().get(number);
      List<Unit> own = new ArrayList<>();
      for (Unit unit : units) {
        int first = unit.group() == null ? unit.op() : unit.group().members().get(0);
        if (functionOf[first] == number) {
          own.add(unit);
        }
      }
      boolean grouped = function.body().stream().anyMatch(op -> op.is("tpu.Group"));
      if (grouped || own.stream().anyMatch(unit -> unit.group() != null)) {
        var code = new UngroupedFunction(file, function, network, positions, keptLines);
        GroupAttributes words = new GroupAttributes(file.path, function.body(), positions.keySet());
        text = new GroupedFunctionPrinter(code, words, locations).written(own, text);
      }
    }
    boolean ended = text.endsWith("\n") || locations.text().isEmpty();
    return text + (ended ? "" : "\n") + locations.text();
  }

  /** The file's whole text with the function's code in these groups. */
  String written(List<Unit> units, String whole) {
    for (MlirOperation.Argument argument : code.function.regions().get(0).arguments()) {
      outer.put(argument.value(), argument.value());
    }
    nextValue = AddedLocations.next(NUMBER, code.file.text());
    code.flats.stream().filter(flat -> flat.operation().is("top.None")).forEach(this::alone);
    emit(units);
    code.flats.stream().filter(FlatOp::isConstant).forEach(this::alone);
    MlirOperation end = code.function.body().get(code.function.body().size() - 1);
    List<String> returned = new ArrayList<>();
    List<String> returnedTypes = new ArrayList<>();
    for (String operand : end.operands()) {
      String key = code.resolved(operand);
      constants(List.of(key));
      returned.add(read(key, Map.of()));
      returnedTypes.add(inGmem(key));
    }
    body.append(INDENT).append("return ").append(String.join(", ", returned));
    body.append(returned.isEmpty() ? "" : " : " + String.join(", ", returnedTypes));
    body.append(code.location(end));
    int first = code.file.text().lastIndexOf('\n', code.function.body().get(0).start()) + 1;
    return whole.substring(0, first) + body + whole.substring(end.end());
  }

  /** Emits units in their order, each as soon as all is there that it reads. */
  private void emit(List<Unit> units) {
    List<Unit> left = new ArrayList<>(units);
    while (!left.isEmpty()) {
      List<Unit> waiting = new ArrayList<>();
      for (Unit unit : left) {
        if (!isReady(unit)) {
          waiting.add(unit);
        } else if (unit.group() == null) {
          constants(code.ops[unit.op()].reads());
          alone(code.ops[unit.op()]);
        } else {
          group(unit.group());
        }
      }
      if (waiting.size() == left.size()) {
        throw code.file.fault("its groups would wait for each other; another --partition may not");
      }
      left = waiting;
    }
  }

  private boolean isReady(Unit unit) {
    if (unit.group() == null) {
      return code.ops[unit.op()].reads().stream().allMatch(this::isThere);
    }
    return unit.group().events().stream()
        .filter(event -> event.kind() == Kind.LOAD)
        .allMatch(event -> isThere(key(event)));
  }

  /** Whether a value has been made, or is a constant that can be made when it is read. */
  private boolean isThere(String key) {
    FlatOp maker = code.makers.get(key);
    return outer.containsKey(key) || (maker != null && maker.reads().isEmpty());
  }

  /** Emits constants, and what else reads nothing, where they have not been yet. */
  private void constants(List<String> reads) {
    for (String key : reads) {
      FlatOp maker = code.makers.get(key);
      if (maker != null && maker.reads().isEmpty() && !emitted.contains(maker)) {
        alone(maker);
      }
    }
  }

  private String inGmem(String key) {
    String type = code.types.get(key);
    if (!type.startsWith("tensor<")) {
      return type;
    }
    Long address = code.addresses.get(key);
    boolean weight = code.makers.containsKey(key) && code.makers.get(key).isConstant();
    if (address == null && weight) {
      return type;
    }
    return "%s, %s : i64>"
        .formatted(type.substring(0, type.length() - 1), address == null ? base : address);
  }

  private String read(String key, Map<String, String> inner) {
    String name = inner.getOrDefault(key, outer.get(key));
    if (name == null) {
      throw new InputException(
          code.file.path,
          "tensor \"" + code.names.getOrDefault(key, key) + "\"",
          "would be read before it is made; the order of the groups does not hold");
    }
    return name;
  }

  private void alone(FlatOp flat) {
    if (!emitted.add(flat)) {
      return;
    }
    MlirOperation op = flat.operation();
    boolean renamed = !flat.scope().isEmpty();
    if (!renamed) {
      flat.makes().forEach(key -> outer.put(key, key));
    }
    if (flat.isVerbatim()) {
      verbatim(flat);
      return;
    }
    body.append(INDENT);
    body.append(renamed ? results(flat.makes(), outer, nextValue++) : ownResults(op));
    statement(
        op.name(),
        flat.reads(),
        Map.of(),
        GroupAttributes.alone(op.written()),
        flat.makes().stream().map(this::inGmem).toList(),
        code.location(op));
  }

  private static String ownResults(MlirOperation op) {
    int count = op.results().size();
    if (count == 0) {
      return "";
    }
    String first = op.results().get(0);
    int mark = first.indexOf('#');
    return mark < 0
        ? String.join(", ", op.results()) + " = "
        : first.substring(0, mark) + ":" + count + " = ";
  }

  /** An op as it is in the text, with the names that the values it reads have now. */
  private void verbatim(FlatOp flat) {
    String own = code.textOf(flat.operation());
    Function<MatchResult, String> now =
        value -> {
          String key = code.resolved(value.group());
          return flat.reads().contains(key) ? outer.get(key) : value.group();
        };
    String renamed = VALUE.matcher(own).replaceAll(now.andThen(Matcher::quoteReplacement));
    body.append(INDENT).append(renamed).append("\n");
  }

  /** {@code %8:2 = }, and what the results are called. */
  private static String results(List<String> keys, Map<String, String> called, int number) {
    for (int k = 0; k < keys.size(); k++) {
      called.put(keys.get(k), "%" + number + (keys.size() > 1 ? "#" + k : ""));
    }
    return keys.isEmpty() ? "" : "%" + number + (keys.size() > 1 ? ":" + keys.size() : "") + " = ";
  }

  /** An op after its results; {@code inner} has the names of the operands within a group. */
  private void statement(
      String name,
      List<String> reads,
      Map<String, String> inner,
      MlirAttributes given,
      List<String> resultTypes,
      String location) {
    List<String> operands = reads.stream().map(key -> read(key, inner)).toList();
    body.append('"').append(name).append("\"(").append(String.join(", ", operands)).append(")");
    body.append(given.propertiesText()).append(given.attributesText());
    List<String> types =
        reads.stream()
            .map(key -> inner.containsKey(key) ? code.types.get(key) : inGmem(key))
            .toList();
    signature(types, resultTypes, location);
  }

  private void signature(List<String> operandTypes, List<String> resultTypes, String location) {
    body.append(" : (").append(String.join(", ", operandTypes)).append(") -> ");
    boolean one = resultTypes.size() == 1;
    body.append(one ? resultTypes.get(0) : "(" + String.join(", ", resultTypes) + ")");
    body.append(location).append("\n");
  }

  private void group(CompiledGroup group) {
    List<String> operands = new ArrayList<>();
    Map<String, String> stored = new LinkedHashMap<>();
    List<String> rearranging = new ArrayList<>();
    for (Event event : group.events()) {
      String key = key(event);
      rearranging.add(event.kind() == Kind.LOAD ? rearranging(group, key) : null);
      if (event.kind() == Kind.LOAD && isWeight(key)) {
        constants(List.of(key));
      } else if (event.kind() == Kind.LOAD) {
        operands.add(key);
      } else if (event.kind() == Kind.COMPUTE) {
        constants(code.ops[event.op()].reads());
      } else {
        stored.put(key, null);
      }
    }
    List<String> outside = operands.stream().map(key -> read(key, Map.of())).toList();
    int number = nextValue++;
    String header = results(List.copyOf(stored.keySet()), new HashMap<>(), number);
    body.append(INDENT).append(header).append("\"tpu.Group\"(");
    List<Integer> ids = IntStream.range(0, group.events().size()).boxed().toList();
    MlirAttributes own = words.group(group, ids);
    body.append(String.join(", ", outside)).append(")").append(own.propertiesText());
    body.append(" ({\n");
    Map<String, String> inner = new HashMap<>();
    for (int id = 0; id < group.events().size(); id++) {
      Event event = group.events().get(id);
      body.append(INDENT).append("  ");
      switch (event.kind()) {
        case LOAD -> load(event, id, inner, rearranging.get(id));
        case COMPUTE -> compute(event, id, inner);
        default -> stored.put(key(event), store(event, id, inner));
      }
    }
    List<String> resultTypes = stored.keySet().stream().map(this::inGmem).toList();
    String location = location(List.copyOf(stored.keySet()));
    body.append(INDENT).append("  \"tpu.Yield\"(");
    body.append(String.join(", ", stored.values())).append(")");
    signature(resultTypes, List.of(), location);
    body.append(INDENT).append("})").append(own.attributesText());
    signature(operands.stream().map(this::inGmem).toList(), resultTypes, location);
    results(List.copyOf(stored.keySet()), outer, number);
  }

  private String key(Event event) {
    if (event.kind() == Kind.COMPUTE) {
      return code.ops[event.op()].makes().get(0);
    }
    String key = code.keys.get(event.tensor());
    if (key == null) {
      throw new InputException(
          code.file.path,
          "tensor \"" + event.tensor() + "\"",
          "is moved by a group, but not in the file");
    }
    return key;
  }

  private boolean isWeight(String key) {
    return code.makers.containsKey(key) && code.makers.get(key).operation().is("top.Weight");
  }

  /** What a convolution of the group that reads a tensor first says of rearranging it, or null. */
  private String rearranging(CompiledGroup group, String key) {
    for (Event event : group.events()) {
      if (event.kind() == Kind.COMPUTE) {
        FlatOp flat = code.ops[event.op()];
        String says = flat.operation().written().get("use_3ic_optimize");
        if (says != null && !says.startsWith("0") && flat.reads().get(0).equals(key)) {
          return says;
        }
      }
    }
    return null;
  }

  private void load(Event event, int id, Map<String, String> inner, String rearranging) {
    String key = key(event);
    body.append(results(List.of(key), inner, nextValue++));
    MlirAttributes own = words.load(code.ownLoads.get(key), event, id, isWeight(key), rearranging);
    String location = code.ownLoadLocations.remove(key);
    statement(
        "tpu.Load",
        List.of(key),
        Map.of(),
        own,
        List.of(code.types.get(key)),
        location == null ? named("load_" + event.tensor()) : location);
  }

  private void compute(Event event, int id, Map<String, String> inner) {
    FlatOp flat = code.ops[event.op()];
    emitted.add(flat);
    body.append(results(flat.makes(), inner, nextValue++));
    statement(
        flat.operation().name(),
        flat.reads(),
        inner,
        words.computed(flat.operation().written(), event, id),
        flat.makes().stream().map(code.types::get).toList(),
        code.location(flat.operation()));
  }

  private String store(Event event, int id, Map<String, String> inner) {
    String key = key(event);
    List<String> reads = words.storesReadNone() ? List.of(key, none()) : List.of(key);
    String name = "%" + nextValue++;
    body.append(name).append(" = ");
    statement(
        "tpu.Store",
        reads,
        inner,
        words.store(event, id),
        List.of(inGmem(key)),
        location(List.of(key)));
    return name;
  }

  /** The key of what is absent. */
  private String none() {
    String missing = "has no top.None, which stores of this version of TPU-MLIR read";
    return code.flats.stream()
        .filter(flat -> flat.operation().is("top.None"))
        .findFirst()
        .map(flat -> flat.makes().get(0))
        .orElseThrow(() -> code.file.fault(missing));
  }

  /** The location of values: that of the op of a single one, else the names of all. */
  private String location(List<String> values) {
    if (values.size() == 1 && code.makers.get(values.get(0)).makes().size() == 1) {
      return code.location(code.makers.get(values.get(0)).operation());
    }
    List<String> parts = new ArrayList<>();
    for (String key : values) {
      String own =
          code.makers.get(key).makes().size() == 1
              ? code.location(code.makers.get(key).operation())
              : named(code.names.get(key));
      parts.add(own.substring(" loc(".length(), own.length() - 1));
    }
    return parts.size() == 1
        ? " loc(" + parts.get(0) + ")"
        : locations.add("fused[" + String.join(", ", parts) + "]");
  }

  private String named(String name) {
    return locations.add("\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
  }
}

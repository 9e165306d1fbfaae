package stowage.importer.tpumlir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;
import stowage.network.CompiledNetwork.Kind;
import stowage.network.Network;
import stowage.network.Op;

/**
 * Writes a TPU-MLIR file with its ops in other layer groups: groups are taken apart, and ops put
 * together anew with loads, stores, slices, steps and on-chip addresses. Ops keep their attributes,
 * weights and names; what is not code of the function with the groups stays letter by letter, and
 * so do groups that are kept and ops with nested code.
 *
 * <p>Tensors that the file has in GMEM keep their addresses there, others get the lowest: addresses
 * in GMEM are to be planned afterwards ({@link TpuMlirExport}).
 */
public final class TpuMlirRegroup {
  private static final Pattern ADDRESS = Pattern.compile(",\\s*-?\\d+\\s*:\\s*[su]?i64\\s*>$");
  private static final Pattern VALUE = Pattern.compile("%[\\w.$-]+(?:#\\d+)?");
  private static final Pattern NUMBER = Pattern.compile("%(\\d{1,9})");
  private static final Pattern ALIAS = Pattern.compile("(?m)^#loc(\\d+) = ");
  private static final String INDENT = "      ";

  private final Path file;
  private final String text;
  private final Network network;
  private final long base;
  private final GroupTexts words;
  private final MlirOperation function;
  private final Map<MlirOperation, MlirAttributes> attributes = new IdentityHashMap<>();

  /** By key of a value: its type without an address, where it is in GMEM, and its network name. */
  private final Map<String, String> types = new HashMap<>();

  private final Map<String, Long> addresses = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> keys = new HashMap<>();
  private final Map<String, Flat> makers = new HashMap<>();
  private final Map<String, MlirAttributes> ownLoads = new HashMap<>();
  private final Map<String, String> ownLoadLocations = new HashMap<>();
  private final List<Flat> flats = new ArrayList<>();
  private final Flat[] ops;

  /** What loads, stores and groups only give another name, by that name. */
  private final Map<String, String> aliases = new HashMap<>();

  private final Map<String, String> outer = new HashMap<>();
  private final Set<Flat> emitted = new HashSet<>();
  private final StringBuilder body = new StringBuilder();
  private final Definitions definitions;
  private int nextValue;
  private final Set<Integer> keptLines;

  /**
   * An op outside of any group, or a group that is kept.
   *
   * @param reads keys of the values it reads, those that its nested code reads among them
   * @param makes keys of the values it makes
   * @param scope of its names: empty outside of groups
   */
  private record Flat(
      MlirOperation operation, List<String> reads, List<String> makes, String scope) {
    /** Whether it stays as it is in the text, but for the names of what it reads. */
    boolean isVerbatim() {
      return !operation.regions().isEmpty();
    }

    boolean isConstant() {
      return operation.name().equals("top.None") || operation.name().equals("top.Weight");
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /**
   * What runs at once.
   *
   * @param op the position of an op by itself, -1 for a group
   * @param group null for an op by itself
   */
  public record Unit(int op, CompiledGroup group) {}

  private TpuMlirRegroup(
      Path file,
      String text,
      TpuMlirModule module,
      Network network,
      Map<Integer, Integer> positions,
      MlirOperation function,
      Definitions definitions,
      Set<Integer> keptLines) {
    this.keptLines = keptLines;
    this.file = file;
    this.text = text;
    this.network = network;
    this.base = module.neuronAddress().orElse(0);
    this.ops = new Flat[positions.size()];
    this.function = function;
    this.definitions = definitions;
    List<MlirOperation> groups =
        function.body().stream().filter(op -> op.name().equals("tpu.Group")).toList();
    boolean properties =
        function.body().stream()
            .filter(op -> positions.containsKey(op.line()))
            .anyMatch(op -> MlirAttributes.of(file, text, op).hasProperties());
    this.words = new GroupTexts(file, text, groups, properties);
    flatten(positions);
  }

  /** Locations that are added at the file's end, each under a number of its own. */
  private static final class Definitions {
    private final StringBuilder text = new StringBuilder();
    private int next;

    Definitions(String file) {
      Matcher alias = ALIAS.matcher(file);
      while (alias.find()) {
        next = Math.max(next, Integer.parseInt(alias.group(1)) + 1);
      }
    }

    String add(String location) {
      String alias = "#loc" + next++;
      text.append(alias).append(" = loc(").append(location).append(")\n");
      return " loc(" + alias + ")";
    }
  }

  /**
   * Writes a copy of a file with other groups.
   *
   * @param source a file for a chip
   * @param network of {@link CompiledGroups#of} of the same file
   * @param units the groups and the ops by themselves, in an order in which they can run; the ops
   *     of a group are in one {@linkplain #functions function}
   * @param kept numbers of the file's groups that stay as they are; their ops are by themselves
   *     among the units
   * @param target the file to write
   * @throws InputException when the file's code is of a form that cannot be written so
   * @throws IOException when the file cannot be written
   */
  public static void write(
      Path source, Network network, List<Unit> units, Set<Integer> kept, Path target)
      throws IOException {
    TpuMlirReader.Result read = TpuMlirReader.read(source);
    MlirText parsed = MlirParser.parse(source, read.text());
    Map<Integer, Integer> positions = positions(source, read.module());
    List<MlirOperation> functions = functions(parsed);
    int[] functionOf = functionOf(functions, positions);
    Definitions definitions = new Definitions(read.text());
    Set<Integer> keptLines = new HashSet<>();
    kept.forEach(number -> keptLines.add(read.module().groups().get(number).op().line()));
    if (definitions.next == 0) {
      throw new InputException(
          source,
          "",
          "keeps names as attributes, as TPU-MLIR did in 2022; groups of ours are written into"
              + " files that keep them as locations (--partition file keeps the groups)");
    }
    String text = read.text();
    for (int number = functions.size() - 1; number >= 0; number--) {
      MlirOperation function = functions.get(number);
      List<Unit> own = new ArrayList<>();
      for (Unit unit : units) {
        int first = unit.group() == null ? unit.op() : unit.group().members().get(0);
        if (functionOf[first] == number) {
          own.add(unit);
        }
      }
      boolean grouped = function.body().stream().anyMatch(op -> op.name().equals("tpu.Group"));
      if (grouped || own.stream().anyMatch(unit -> unit.group() != null)) {
        TpuMlirRegroup regroup =
            new TpuMlirRegroup(
                source,
                read.text(),
                read.module(),
                network,
                positions,
                function,
                definitions,
                keptLines);
        text = regroup.written(own, text);
      }
    }
    boolean ended = text.endsWith("\n") || definitions.text.isEmpty();
    AtomicFiles.writeString(target, text + (ended ? "" : "\n") + definitions.text);
  }

  /**
   * By op of the network of a file, the number of the function that it is in; -1 for ops that no
   * group may have, since their function runs on the CPU.
   */
  public static int[] functions(Path source) {
    TpuMlirReader.Result read = TpuMlirReader.read(source);
    List<MlirOperation> functions = functions(MlirParser.parse(source, read.text()));
    int[] found = functionOf(functions, positions(source, read.module()));
    for (int position = 0; position < found.length; position++) {
      MlirOperation function = functions.get(found[position]);
      boolean cpu = String.valueOf(function.attributes().get("mode")).contains("CPU");
      found[position] = cpu ? -1 : found[position];
    }
    return found;
  }

  private static Map<Integer, Integer> positions(Path file, TpuMlirModule module) {
    Map<Integer, Integer> positions = new HashMap<>();
    List<Integer> lines = CompiledGroups.lines(module);
    for (int position = 0; position < lines.size(); position++) {
      if (positions.put(lines.get(position), position) != null) {
        throw new InputException(
            file,
            "line " + lines.get(position),
            "runs more than once or has several ops; groups are written where each has a line");
      }
    }
    return positions;
  }

  /** All functions with code, as they are in the text. */
  private static List<MlirOperation> functions(MlirText parsed) {
    List<MlirOperation> found = new ArrayList<>();
    find(parsed.operations(), found);
    return found;
  }

  private static void find(List<MlirOperation> operations, List<MlirOperation> found) {
    for (MlirOperation operation : operations) {
      if (operation.name().equals("func.func") && !operation.body().isEmpty()) {
        found.add(operation);
      } else if (operation.name().equals("builtin.module")) {
        find(operation.body(), found);
      }
    }
  }

  private static int[] functionOf(List<MlirOperation> functions, Map<Integer, Integer> positions) {
    int[] found = new int[positions.size()];
    for (int number = 0; number < functions.size(); number++) {
      mark(functions.get(number), number, positions, found);
    }
    return found;
  }

  private static void mark(
      MlirOperation operation, int number, Map<Integer, Integer> positions, int[] found) {
    Integer position = positions.get(operation.line());
    if (position != null) {
      found[position] = number;
    }
    for (MlirOperation.Region region : operation.regions()) {
      region.operations().forEach(inner -> mark(inner, number, positions, found));
    }
  }

  private void flatten(Map<Integer, Integer> positions) {
    for (MlirOperation.Argument argument : function.regions().get(0).arguments()) {
      define(argument.value(), argument.type());
    }
    int number = 0;
    for (MlirOperation operation : function.body()) {
      if (operation.name().equals("func.return")) {
        continue;
      }
      if (!operation.regions().isEmpty()
          && (!operation.name().equals("tpu.Group") || keptLines.contains(operation.line()))) {
        verbatim(operation, positions);
      } else if (operation.name().equals("tpu.Group")) {
        group(operation, "group" + number++ + ":", positions);
      } else {
        add(operation, "", positions);
      }
    }
  }

  private String resolved(String key) {
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
    types.put(key, ADDRESS.matcher(type.text()).replaceAll(">"));
    if (type.address().isPresent()) {
      addresses.put(key, type.address().getAsLong());
    }
  }

  /** An op whose nested code stays as it is. */
  private void verbatim(MlirOperation operation, Map<Integer, Integer> positions) {
    Set<String> reads = new LinkedHashSet<>();
    captured(operation, reads);
    List<String> makes = new ArrayList<>();
    for (int k = 0; k < operation.results().size(); k++) {
      define(operation.results().get(k), operation.resultTypes().get(k));
      makes.add(operation.results().get(k));
    }
    Flat flat = new Flat(operation, List.copyOf(reads), makes, "");
    makes.forEach(key -> makers.put(key, flat));
    flats.add(flat);
    place(operation, flat, positions);
    Integer position = positions.get(operation.line());
    if (position != null) {
      name(makes, network.ops().get(position).outputs());
    }
    named(operation, positions);
  }

  /** The values from outside that an op and its nested code read. */
  private void captured(MlirOperation operation, Set<String> reads) {
    for (String operand : operation.operands()) {
      if (types.containsKey(operand) || aliases.containsKey(operand)) {
        reads.add(resolved(operand));
      }
    }
    operation
        .regions()
        .forEach(region -> region.operations().forEach(inner -> captured(inner, reads)));
  }

  private void place(MlirOperation operation, Flat flat, Map<Integer, Integer> positions) {
    Integer position = positions.get(operation.line());
    if (position != null) {
      ops[position] = flat;
    }
    operation
        .regions()
        .forEach(region -> region.operations().forEach(inner -> place(inner, flat, positions)));
  }

  /**
   * The names of what a group that is kept stores: those of the values that it stores them from.
   */
  private void named(MlirOperation group, Map<Integer, Integer> positions) {
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
      } else if (step.name().equals("tpu.Store")) {
        byInner.put(step.results().get(0), byInner.get(step.operands().get(0)));
      }
    }
    List<String> yielded = group.body().get(group.body().size() - 1).operands();
    for (int k = 0; k < Math.min(yielded.size(), group.results().size()); k++) {
      String tensor = byInner.get(yielded.get(k));
      if (tensor != null && !tensor.isEmpty()) {
        names.put(group.results().get(k), tensor);
        keys.putIfAbsent(tensor, group.results().get(k));
      }
    }
  }

  private void add(MlirOperation operation, String scope, Map<Integer, Integer> positions) {
    List<String> reads = new ArrayList<>();
    for (String operand : operation.operands()) {
      reads.add(keyOf(scope, operand));
    }
    List<String> makes = new ArrayList<>();
    for (int k = 0; k < operation.results().size(); k++) {
      String key = scope + operation.results().get(k);
      define(key, operation.resultTypes().get(k));
      makes.add(key);
    }
    Flat flat = new Flat(operation, reads, makes, scope);
    makes.forEach(key -> makers.put(key, flat));
    flats.add(flat);
    attributes.put(operation, MlirAttributes.of(file, text, operation));
    Integer position = positions.get(operation.line());
    if (position == null) {
      if (!flat.isConstant() && !operation.operands().isEmpty()) {
        throw new InputException(
            file,
            "line " + operation.line(),
            "is of no op of the network (" + operation.name() + "); groups are not written there");
      }
      return;
    }
    ops[position] = flat;
    Op op = network.ops().get(position);
    name(reads, op.inputs());
    name(makes, op.outputs());
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
  private void group(MlirOperation group, String scope, Map<Integer, Integer> positions) {
    MlirOperation end = group.body().get(group.body().size() - 1);
    for (MlirOperation step : group.body()) {
      if (step == end) {
        continue;
      }
      boolean load = step.name().equals("tpu.Load");
      boolean store = step.name().equals("tpu.Store");
      if (!load && !store) {
        add(step, scope, positions);
        continue;
      }
      String moved = keyOf(scope, step.operands().get(0));
      aliases.put(scope + step.results().get(0), moved);
      if (load) {
        ownLoads.putIfAbsent(moved, MlirAttributes.of(file, text, step));
        ownLoadLocations.putIfAbsent(moved, location(step));
      } else if (step.resultTypes().get(0).address().isPresent()) {
        addresses.put(moved, step.resultTypes().get(0).address().getAsLong());
      }
    }
    for (int k = 0; k < group.results().size(); k++) {
      aliases.put(group.results().get(k), resolved(scope + end.operands().get(k)));
    }
  }

  private String location(MlirOperation operation) {
    String own = text.substring(operation.start(), operation.end());
    int at = own.lastIndexOf(" loc(");
    return at < 0 ? " loc(unknown)" : own.substring(at);
  }

  /**
   * A text with the function's code in these groups.
   *
   * @param whole the file's text, the same up to the function's end
   */
  private String written(List<Unit> units, String whole) {
    for (MlirOperation.Argument argument : function.regions().get(0).arguments()) {
      outer.put(argument.value(), argument.value());
    }
    Matcher number = NUMBER.matcher(text);
    while (number.find()) {
      nextValue = Math.max(nextValue, Integer.parseInt(number.group(1)) + 1);
    }
    flats.stream().filter(flat -> flat.operation().name().equals("top.None")).forEach(this::alone);
    emit(units);
    flats.stream().filter(Flat::isConstant).forEach(this::alone);
    MlirOperation end = function.body().get(function.body().size() - 1);
    List<String> returned = new ArrayList<>();
    List<String> returnedTypes = new ArrayList<>();
    for (String operand : end.operands()) {
      String key = resolved(operand);
      constants(List.of(key));
      returned.add(read(key, Map.of()));
      returnedTypes.add(inGmem(key));
    }
    body.append(INDENT).append("return ").append(String.join(", ", returned));
    body.append(returned.isEmpty() ? "" : " : " + String.join(", ", returnedTypes));
    body.append(location(end));
    int first = text.lastIndexOf('\n', function.body().get(0).start()) + 1;
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
          constants(ops[unit.op()].reads());
          alone(ops[unit.op()]);
        } else {
          group(unit.group());
        }
      }
      if (waiting.size() == left.size()) {
        throw new InputException(
            file, "", "its groups would wait for each other; another --partition may not");
      }
      left = waiting;
    }
  }

  private boolean isReady(Unit unit) {
    if (unit.group() == null) {
      return ops[unit.op()].reads().stream().allMatch(this::isThere);
    }
    return unit.group().events().stream()
        .filter(event -> event.kind() == Kind.LOAD)
        .allMatch(event -> isThere(key(event)));
  }

  /** Whether a value has been made, or is a constant that can be made when it is read. */
  private boolean isThere(String key) {
    Flat maker = makers.get(key);
    return outer.containsKey(key) || (maker != null && maker.reads().isEmpty());
  }

  /** Emits constants, and what else reads nothing, where they have not been yet. */
  private void constants(List<String> reads) {
    for (String key : reads) {
      Flat maker = makers.get(key);
      if (maker != null && maker.reads().isEmpty() && !emitted.contains(maker)) {
        alone(maker);
      }
    }
  }

  private String inGmem(String key) {
    String type = types.get(key);
    if (!type.startsWith("tensor<")) {
      return type;
    }
    Long address = addresses.get(key);
    boolean weight = makers.containsKey(key) && makers.get(key).isConstant();
    if (address == null && weight) {
      return type;
    }
    return type.substring(0, type.length() - 1)
        + ", "
        + (address == null ? base : address)
        + " : i64>";
  }

  private String read(String key, Map<String, String> inner) {
    String name = inner.getOrDefault(key, outer.get(key));
    if (name == null) {
      throw new InputException(
          file,
          "tensor \"" + names.getOrDefault(key, key) + "\"",
          "would be read before it is made; the order of the groups does not hold");
    }
    return name;
  }

  private void alone(Flat flat) {
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
    List<String> operands = flat.reads().stream().map(key -> read(key, Map.of())).toList();
    List<String> operandTypes = flat.reads().stream().map(this::inGmem).toList();
    body.append(INDENT);
    body.append(renamed ? results(flat.makes(), outer, nextValue++) : ownResults(op));
    statement(
        op.name(),
        operands,
        operandTypes,
        GroupTexts.alone(attributes.get(op)),
        flat.makes().stream().map(this::inGmem).toList(),
        location(op));
  }

  /** The results as they are written. */
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
  private void verbatim(Flat flat) {
    String own = text.substring(flat.operation().start(), flat.operation().end());
    Matcher value = VALUE.matcher(own);
    StringBuilder renamed = new StringBuilder(INDENT);
    while (value.find()) {
      String key = resolved(value.group());
      String now = flat.reads().contains(key) ? outer.get(key) : value.group();
      value.appendReplacement(renamed, Matcher.quoteReplacement(now));
    }
    value.appendTail(renamed);
    body.append(renamed).append("\n");
  }

  /** {@code %8:2 = }, and what the results are called. */
  private static String results(List<String> keys, Map<String, String> called, int number) {
    for (int k = 0; k < keys.size(); k++) {
      called.put(keys.get(k), "%" + number + (keys.size() > 1 ? "#" + k : ""));
    }
    return keys.isEmpty() ? "" : "%" + number + (keys.size() > 1 ? ":" + keys.size() : "") + " = ";
  }

  private void statement(
      String name,
      List<String> operands,
      List<String> operandTypes,
      MlirAttributes given,
      List<String> resultTypes,
      String location) {
    body.append('"').append(name).append("\"(").append(String.join(", ", operands)).append(")");
    body.append(given.propertiesText()).append(given.attributesText());
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
        constants(ops[event.op()].reads());
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
    body.append(INDENT).append("  ");
    statement(
        "tpu.Yield",
        List.copyOf(stored.values()),
        resultTypes,
        new MlirAttributes(),
        List.of(),
        location);
    body.append(INDENT).append("})").append(own.attributesText()).append(" : (");
    body.append(String.join(", ", operands.stream().map(this::inGmem).toList())).append(") -> ");
    boolean one = resultTypes.size() == 1;
    body.append(one ? resultTypes.get(0) : "(" + String.join(", ", resultTypes) + ")");
    body.append(location).append("\n");
    results(List.copyOf(stored.keySet()), outer, number);
  }

  private String key(Event event) {
    if (event.kind() == Kind.COMPUTE) {
      return ops[event.op()].makes().get(0);
    }
    String key = keys.get(event.tensor());
    if (key == null) {
      throw new InputException(
          file, "tensor \"" + event.tensor() + "\"", "is moved by a group, but not in the file");
    }
    return key;
  }

  private boolean isWeight(String key) {
    return makers.containsKey(key) && makers.get(key).operation().name().equals("top.Weight");
  }

  /** What a convolution of the group that reads a tensor first says of rearranging it, or null. */
  private String rearranging(CompiledGroup group, String key) {
    for (Event event : group.events()) {
      if (event.kind() == Kind.COMPUTE) {
        Flat flat = ops[event.op()];
        String says = attributes.get(flat.operation()).get("use_3ic_optimize");
        if (says != null && !says.startsWith("0") && flat.reads().get(0).equals(key)) {
          return says;
        }
      }
    }
    return null;
  }

  private void load(Event event, int id, Map<String, String> inner, String rearranging) {
    String key = key(event);
    String from = read(key, Map.of());
    body.append(results(List.of(key), inner, nextValue++));
    MlirAttributes own = words.load(ownLoads.get(key), event, id, isWeight(key), rearranging);
    String location = ownLoadLocations.remove(key);
    statement(
        "tpu.Load",
        List.of(from),
        List.of(inGmem(key)),
        own,
        List.of(types.get(key)),
        location == null ? named("load_" + event.tensor()) : location);
  }

  private void compute(Event event, int id, Map<String, String> inner) {
    Flat flat = ops[event.op()];
    emitted.add(flat);
    List<String> operands = new ArrayList<>();
    List<String> operandTypes = new ArrayList<>();
    for (String key : flat.reads()) {
      operands.add(read(key, inner));
      operandTypes.add(inner.containsKey(key) ? types.get(key) : inGmem(key));
    }
    body.append(results(flat.makes(), inner, nextValue++));
    statement(
        flat.operation().name(),
        operands,
        operandTypes,
        words.computed(attributes.get(flat.operation()), event, id),
        flat.makes().stream().map(types::get).toList(),
        location(flat.operation()));
  }

  private String store(Event event, int id, Map<String, String> inner) {
    String key = key(event);
    List<String> operands = new ArrayList<>(List.of(read(key, inner)));
    List<String> operandTypes = new ArrayList<>(List.of(types.get(key)));
    if (words.storesReadNone()) {
      operands.add(none());
      operandTypes.add("none");
    }
    String name = "%" + nextValue++;
    body.append(name).append(" = ");
    statement(
        "tpu.Store",
        operands,
        operandTypes,
        words.store(event, id),
        List.of(inGmem(key)),
        location(List.of(key)));
    return name;
  }

  private String none() {
    for (Flat flat : flats) {
      if (flat.operation().name().equals("top.None")) {
        return read(flat.makes().get(0), Map.of());
      }
    }
    throw new InputException(
        file, "", "has no top.None, which stores of this version of TPU-MLIR read");
  }

  /** The location of values: that of the op of a single one, else the names of all. */
  private String location(List<String> values) {
    if (values.size() == 1 && makers.get(values.get(0)).makes().size() == 1) {
      return location(makers.get(values.get(0)).operation());
    }
    List<String> parts = new ArrayList<>();
    for (String key : values) {
      String own =
          makers.get(key).makes().size() == 1
              ? location(makers.get(key).operation())
              : named(names.get(key));
      parts.add(own.substring(" loc(".length(), own.length() - 1));
    }
    return parts.size() == 1
        ? " loc(" + parts.get(0) + ")"
        : definitions.add("fused[" + String.join(", ", parts) + "]");
  }

  private String named(String name) {
    return definitions.add("\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
  }
}

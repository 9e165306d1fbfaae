package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import stowage.importer.io.InputException;
import stowage.importer.io.Scope;
import stowage.importer.io.UniqueNames;
import stowage.importer.tpumlir.TpuMlirFile.TypeUse;
import stowage.network.ElementType;
import stowage.network.Tensor;

/**
 * Inliner that turns functions that call each other into one sequence of ops.
 *
 * <p>A call's operands become the function's arguments, what it returns becomes the call's results,
 * and nothing remains of the call. {@code top.Input} names an argument of main, {@code top.Weight}
 * makes a constant, {@code top.None} marks an absent operand: none of them is an op here.
 *
 * <p>A {@code tpu.Group} is one op whose code is kept apart. So is a {@code tpu.CoreParallel},
 * except for the scratch memory that {@code tpu.Buffer} claims in GMEM. Of any other op with nested
 * code (loops, branches) the code is laid out before the op: first, if the code has arguments, an
 * op {@code <type>.enter} that makes them; then the code; then the op itself, which reads all that
 * the code reads from outside, its arguments and what it yields. So all that must survive from one
 * turn of a loop to the next is alive during all of it.
 */
final class FunctionInliner {
  /**
   * More ops and values than any file has; functions that call each other over and over could make
   * more.
   */
  private static final int MOST_OPS = 1 << 20;

  private static final Set<String> GROUPS = Set.of("tpu.Group", "tpu.CoreParallel");
  private static final Set<String> ENDS =
      Set.of("tpu.Yield", "top.Yield", "func.return", "tpu.ReturnOp", "scf.yield");

  private final Path file;
  private final Map<String, MlirOperation> functions;
  private final MlirLocations locations;
  private final List<TpuValue> inputs = new ArrayList<>();
  private List<TpuValue> outputs = List.of();
  private final List<TpuOp> ops = new ArrayList<>();
  private final List<TpuGroup> groups = new ArrayList<>();

  /** The places in the text where types of values are written. */
  final List<TypeUse> uses = new ArrayList<>();

  private final UniqueNames opNames = new UniqueNames();
  private final Deque<String> calling = new ArrayDeque<>();
  private final Set<String> read = new HashSet<>();
  private final Set<String> renamed = new HashSet<>();
  private final UniqueNames names = new UniqueNames();
  private int counted;
  private int made;

  FunctionInliner(Path file, MlirLocations locations, Map<String, MlirOperation> functions) {
    this.file = file;
    this.locations = locations;
    this.functions = functions;
  }

  TpuMlirModule module(String name, Map<String, Object> attributes) {
    return new TpuMlirModule(name, attributes, inputs, outputs, ops, groups);
  }

  void run(MlirOperation main) {
    Scope<TpuValue> scope = new Scope<>(null);
    List<TpuValue> arguments = new ArrayList<>();
    for (MlirOperation.Argument argument : main.regions().get(0).arguments()) {
      TpuValue value = argument(argument, main.line());
      arguments.add(value);
      define(scope, argument.value(), argument.type(), value);
    }
    calling.push(main.symbol());
    outputs = code(main.regions().get(0).operations(), scope);
    arguments.stream()
        .filter(given -> read.contains(given.id()) || !renamed.contains(given.id()))
        .forEach(inputs::add);
    functionResults(main, outputs);
  }

  private void functionResults(MlirOperation function, List<TpuValue> returned) {
    for (int k = 0; k < Math.min(function.resultTypes().size(), returned.size()); k++) {
      use(function.resultTypes().get(k), returned.get(k));
    }
  }

  private void define(Scope<TpuValue> scope, String name, MlirType type, TpuValue value) {
    scope.define(name, value);
    use(type, value);
  }

  private void use(MlirType type, TpuValue value) {
    if (type.tensor() && type.start() >= 0) {
      uses.add(new TypeUse(type, value.id()));
    }
  }

  /** Lays out a piece of code and gives what it returns or yields. */
  private List<TpuValue> code(List<MlirOperation> operations, Scope<TpuValue> scope) {
    List<TpuValue> returned = List.of();
    for (MlirOperation operation : operations) {
      if (++counted + made > MOST_OPS) {
        throw fault(operation, "the functions call each other too often");
      }
      List<TpuValue> operands = operands(operation, scope);
      switch (operation.name()) {
        case "top.None" ->
            operation.results().forEach(result -> scope.define(result, TpuValue.ABSENT));
        case "top.Weight" -> results(operation, scope, true);
        case "top.Input" -> graphInput(operation, operands, scope);
        case "func.call" -> call(operation, operands, scope);
        default -> {
          if (ENDS.contains(operation.name())) {
            returned = operands;
          } else {
            op(operation, operands, scope);
          }
        }
      }
    }
    return returned;
  }

  private List<TpuValue> operands(MlirOperation operation, Scope<TpuValue> scope) {
    List<TpuValue> operands = new ArrayList<>();
    for (int k = 0; k < operation.operands().size(); k++) {
      TpuValue value = scope.find(operation.operands().get(k));
      if (value == null) {
        String what = "%s is not defined before \"%s\"";
        throw fault(operation, what, operation.operands().get(k), operation.name());
      }
      use(operation.operandTypes().get(k), value);
      operands.add(value);
      if (!operation.name().equals("top.Input")) {
        read.add(value.id());
      }
    }
    return operands;
  }

  private void graphInput(MlirOperation operation, List<TpuValue> operands, Scope<TpuValue> scope) {
    // The argument after it loses its name, because it is the same tensor.
    for (TpuValue operand : operands) {
      renamed.add(operand.id());
      names.release(operand.name());
    }
    inputs.addAll(results(operation, scope, false));
  }

  private void call(MlirOperation call, List<TpuValue> operands, Scope<TpuValue> scope) {
    MlirOperation function = functions.get(call.symbol());
    if (function == null) {
      throw fault(call, "calls @" + call.symbol() + ", which is not defined");
    }
    List<MlirOperation.Argument> arguments = function.regions().get(0).arguments();
    if (arguments.size() != operands.size()) {
      String what = "calls @%s with %s operands; it takes %s";
      throw fault(call, what, call.symbol(), operands.size(), arguments.size());
    }
    if (calling.contains(call.symbol()) || calling.size() > 100) {
      throw fault(call, "@" + call.symbol() + " calls itself");
    }
    calling.push(call.symbol());
    Scope<TpuValue> inner = new Scope<>(null);
    for (int k = 0; k < operands.size(); k++) {
      define(inner, arguments.get(k).value(), arguments.get(k).type(), operands.get(k));
    }
    List<TpuValue> returned = code(function.regions().get(0).operations(), inner);
    calling.pop();
    if (returned.size() != call.results().size()) {
      throw fault(
          call,
          "@%s returns %s values; the call has %s"
              .formatted(call.symbol(), returned.size(), call.results().size()));
    }
    functionResults(function, returned);
    for (int k = 0; k < returned.size(); k++) {
      define(scope, call.results().get(k), call.resultTypes().get(k), returned.get(k));
    }
  }

  private void op(MlirOperation operation, List<TpuValue> operands, Scope<TpuValue> scope) {
    if (operation.regions().isEmpty()) {
      add(operation, operands, results(operation, scope, false));
    } else if (GROUPS.contains(operation.name())) {
      group(operation, operands, scope);
    } else {
      nested(operation, operands, scope);
    }
  }

  /** Adds an op, which keeps the name of its first result. */
  private TpuOp add(MlirOperation operation, List<TpuValue> operands, List<TpuValue> results) {
    String numbered = operation.name() + "@" + operation.line();
    String name = opNames.of(results.isEmpty() ? numbered : results.get(0).name());
    TpuOp op = op(name, operation, operands, results);
    ops.add(op);
    return op;
  }

  private static TpuOp op(
      String name, MlirOperation given, List<TpuValue> operands, List<TpuValue> results) {
    return new TpuOp(name, given.name(), given.attributes(), operands, results, given.line());
  }

  private void group(MlirOperation operation, List<TpuValue> operands, Scope<TpuValue> scope) {
    Scope<TpuValue> inner = new Scope<>(scope);
    List<TpuGroup.GroupOp> body = new ArrayList<>();
    List<TpuValue> results = null;
    List<TpuValue> scratch = new ArrayList<>();
    List<MlirOperation> code = operation.body();
    MlirOperation end = code.isEmpty() ? null : code.get(code.size() - 1);
    for (MlirOperation step : code) {
      if (step.name().equals("tpu.Buffer") && operation.name().equals("tpu.CoreParallel")) {
        op(step, operands(step, inner), inner);
        scratch.addAll(ops.get(ops.size() - 1).outputs());
        continue;
      }
      List<TpuValue> read = operands(step, inner);
      if (step == end && ENDS.contains(step.name())) {
        break;
      }
      boolean yielded = end != null && end.operands().containsAll(step.results());
      if (yielded && results == null && !step.results().isEmpty()) {
        results = results(operation, scope, false);
      }
      List<TpuValue> made = new ArrayList<>();
      for (int k = 0; k < step.results().size(); k++) {
        int at = yielded ? end.operands().indexOf(step.results().get(k)) : -1;
        TpuValue value = at >= 0 && at < results.size() ? results.get(at) : inside(step, k);
        define(inner, step.results().get(k), step.resultTypes().get(k), value);
        made.add(value);
      }
      String name = made.isEmpty() ? step.name() : made.get(0).name();
      Map<?, ?> ginfo =
          step.attributes().get("ginfo") instanceof Map<?, ?> placed ? placed : Map.of();
      body.add(new TpuGroup.GroupOp(op(name, step, read, made), ginfo));
    }
    if (end != null && results != null && ENDS.contains(end.name())) {
      operands(end, inner);
    }
    if (results == null) {
      results = results(operation, scope, false);
    }
    Set<TpuValue> read = new LinkedHashSet<>(operands);
    inner.captured().stream().filter(TpuValue::present).forEach(read::add);
    read.addAll(scratch);
    read.removeAll(results);
    TpuOp op = add(operation, List.copyOf(read), results);
    if (operation.name().equals("tpu.Group")) {
      groups.add(TpuGroup.of(op, body));
    }
  }

  private void nested(MlirOperation operation, List<TpuValue> operands, Scope<TpuValue> scope) {
    List<Scope<TpuValue>> scopes = new ArrayList<>();
    List<TpuValue> arguments = new ArrayList<>();
    for (MlirOperation.Region region : operation.regions()) {
      Scope<TpuValue> inner = new Scope<>(scope);
      scopes.add(inner);
      for (MlirOperation.Argument argument : region.arguments()) {
        TpuValue value = argument(argument, operation.line());
        inner.define(argument.value(), value);
        arguments.add(value);
      }
    }
    boolean alternatives = operation.name().endsWith(".If");
    List<Integer> borders = new ArrayList<>();
    if (alternatives || !arguments.isEmpty()) {
      borders.add(border(operation, ".enter", operands, arguments));
    }
    Set<TpuValue> read = new LinkedHashSet<>(operands);
    read.addAll(arguments);
    for (int k = 0; k < operation.regions().size(); k++) {
      if (alternatives && k > 0) {
        borders.add(border(operation, ".call", List.of(), List.of()));
      }
      read.addAll(code(operation.regions().get(k).operations(), scopes.get(k)));
    }
    scopes.forEach(inner -> read.addAll(inner.captured()));
    List<TpuValue> results = results(operation, scope, false);
    read.removeIf(value -> !value.present());
    String name = add(operation, List.copyOf(read), results).name();
    for (int at : borders) {
      TpuOp op = ops.get(at);
      String own = opNames.of(name + op.type().substring(op.type().lastIndexOf('.')));
      ops.set(at, new TpuOp(own, op.type(), op.attributes(), op.inputs(), op.outputs(), op.line()));
    }
  }

  /** Adds an op where code of another begins, or the next part of it; its name is to come. */
  private int border(
      MlirOperation operation, String kind, List<TpuValue> operands, List<TpuValue> made) {
    ops.add(new TpuOp("", operation.name() + kind, Map.of(), operands, made, operation.line()));
    return ops.size() - 1;
  }

  private List<TpuValue> results(MlirOperation operation, Scope<TpuValue> scope, boolean weight) {
    List<TpuValue> made = new ArrayList<>();
    List<String> called = resultNames(operation);
    for (int k = 0; k < operation.results().size(); k++) {
      MlirType type = operation.resultTypes().get(k);
      String result = operation.results().get(k);
      if (type.none()) {
        scope.define(result, TpuValue.ABSENT);
        made.add(TpuValue.ABSENT);
        continue;
      }
      String name =
          k < called.size() ? called.get(k) : (called.isEmpty() ? result : called.get(0) + "#" + k);
      TpuValue value = value(name, type, weight, operation.line());
      define(scope, result, type, value);
      made.add(value);
    }
    return made;
  }

  private TpuValue value(String name, MlirType type, boolean weight, int line) {
    String id = "value:" + made++;
    Tensor tensor = tensor(names.of(name.isEmpty() ? "value" : name), type, weight, line);
    return new TpuValue(id, tensor, type.address());
  }

  /** What code is given, named by its location where it has one. */
  private TpuValue argument(MlirOperation.Argument argument, int line) {
    List<String> located = locations.names(argument.location(), 1);
    String name = located.isEmpty() ? argument.value().substring(1) : located.get(0);
    return value(name, argument.type(), false, line);
  }

  /** The k-th result of a step inside of a group: its name may equal one outside. */
  private TpuValue inside(MlirOperation step, int k) {
    List<String> located = locations.names(step.location(), k + 1);
    String name = located.isEmpty() ? "" : located.get(located.size() - 1);
    return new TpuValue(
        "inside:" + step.line() + ":" + step.results().get(0) + ":" + made++,
        tensor(name.isEmpty() ? step.name() : name, step.resultTypes().get(k), false, step.line()),
        OptionalLong.empty());
  }

  /** What a file calls an op's results: in locations today, in attributes in 2022. */
  private List<String> resultNames(MlirOperation operation) {
    Object attribute = operation.attributes().get("name");
    if (attribute instanceof String name && !name.isEmpty()) {
      return List.of(name);
    }
    if (attribute instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    return locations.names(operation.location(), operation.results().size());
  }

  private Tensor tensor(String name, MlirType type, boolean weight, int line) {
    if (type.shape().contains(-1L)) {
      throw InputException.atLine(
          file, line, type.text() + " has an extent that is not known; all should be numbers");
    }
    ElementType found = type.elementType();
    if (found == null) {
      String element = type.tensor() ? type.element() : type.text();
      throw InputException.atLine(file, line, "element type \"" + element + "\" is not known");
    }
    Tensor.Kind kind = weight ? Tensor.Kind.WEIGHT : Tensor.Kind.ACTIVATION;
    return InputException.checked(
        file, "line " + line, () -> new Tensor(name, type.shape(), found, kind));
  }

  private InputException fault(MlirOperation operation, String what, Object... arguments) {
    return InputException.atLine(file, operation.line(), what, arguments);
  }
}

package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import stowage.importer.InputException;
import stowage.importer.UniqueNames;
import stowage.network.ElementType;
import stowage.network.InvalidNetworkException;

/**
 * Turns functions that call each other into one sequence of ops.
 *
 * <p>A call's operands become the function's arguments, what it returns becomes the call's results,
 * and nothing remains of the call. {@code top.Input} names an argument of main, {@code top.Weight}
 * makes a constant, {@code top.None} stands for an absent operand: none of them is an op here.
 *
 * <p>A {@code tpu.Group} is one op whose code is kept apart. So is a {@code tpu.CoreParallel}, but
 * for the scratch memory that {@code tpu.Buffer} claims in GMEM. Of any other op with nested code
 * (loops, branches) the code is laid out before the op: first, if the code has arguments, an op
 * {@code <type>.enter} that makes them; then the code; then the op itself, which reads all that the
 * code reads from outside, its arguments and what it yields. So all that must survive from one turn
 * of a loop to the next is alive during all of it.
 */
final class FunctionInliner {
  /** More ops than any file has; functions that call each other over and over could make more. */
  private static final int MOST_OPS = 1 << 20;

  private static final Set<String> GROUPS = Set.of("tpu.Group", "tpu.CoreParallel");
  private static final Set<String> ENDS =
      Set.of("tpu.Yield", "top.Yield", "func.return", "tpu.ReturnOp", "scf.yield");

  private final Path file;
  private final MlirText text;
  private final Map<String, MlirOperation> functions;
  private final List<TpuValue> inputs = new ArrayList<>();
  private List<TpuValue> outputs = List.of();
  private final List<TpuOp> ops = new ArrayList<>();
  private final List<TpuGroup> groups = new ArrayList<>();
  private final List<TpuMlirReader.TypeUse> uses = new ArrayList<>();
  private final UniqueNames valueNames = new UniqueNames();
  private final UniqueNames opNames = new UniqueNames();
  private final Deque<String> calling = new ArrayDeque<>();
  private final Set<String> read = new HashSet<>();
  private final Set<String> renamed = new HashSet<>();
  private int counted;

  FunctionInliner(Path file, MlirText text, Map<String, MlirOperation> functions) {
    this.file = file;
    this.text = text;
    this.functions = functions;
  }

  List<TpuValue> inputs() {
    return inputs;
  }

  List<TpuValue> outputs() {
    return outputs;
  }

  List<TpuOp> ops() {
    return ops;
  }

  List<TpuGroup> groups() {
    return groups;
  }

  List<TpuMlirReader.TypeUse> uses() {
    return uses;
  }

  /** The values known in a piece of code, and those it took from the code around it. */
  private static final class Scope {
    final Scope outer;
    final Map<String, TpuValue> values = new HashMap<>();
    final Set<TpuValue> captured = new LinkedHashSet<>();

    Scope(Scope outer) {
      this.outer = outer;
    }

    TpuValue find(String name) {
      TpuValue found = values.get(name);
      if (found == null && outer != null) {
        found = outer.find(name);
        if (found != null && found.present()) {
          captured.add(found);
        }
      }
      return found;
    }
  }

  /** Lays out the function that starts. */
  void run(MlirOperation main) {
    Scope scope = new Scope(null);
    List<TpuValue> arguments = new ArrayList<>();
    for (MlirOperation.Argument argument : main.regions().get(0).arguments()) {
      List<String> names = text.names(argument.location(), 1);
      String name = names.isEmpty() ? argument.value().substring(1) : names.get(0);
      TpuValue value = value(name, argument.type(), false, main.line());
      arguments.add(value);
      scope.values.put(argument.value(), value);
      use(argument.type(), value);
    }
    calling.push(main.symbol());
    outputs = code(main.regions().get(0).operations(), scope);
    for (TpuValue argument : arguments) {
      if (read.contains(argument.id()) || !renamed.contains(argument.id())) {
        inputs.add(argument);
      }
    }
    functionResults(main, outputs);
  }

  private void functionResults(MlirOperation function, List<TpuValue> returned) {
    for (int k = 0; k < Math.min(function.resultTypes().size(), returned.size()); k++) {
      use(function.resultTypes().get(k), returned.get(k));
    }
  }

  private void use(MlirType type, TpuValue value) {
    if (type.tensor() && type.start() >= 0) {
      uses.add(new TpuMlirReader.TypeUse(type, value.id()));
    }
  }

  /** Lays out a piece of code and gives what it returns or yields. */
  private List<TpuValue> code(List<MlirOperation> operations, Scope scope) {
    List<TpuValue> returned = List.of();
    for (MlirOperation operation : operations) {
      if (++counted > MOST_OPS) {
        throw fault(operation, "the functions call each other too often");
      }
      List<TpuValue> operands = operands(operation, scope);
      switch (operation.name()) {
        case "top.None" -> scope.values.put(operation.results().get(0), TpuValue.ABSENT);
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

  private List<TpuValue> operands(MlirOperation operation, Scope scope) {
    List<TpuValue> operands = new ArrayList<>();
    for (int k = 0; k < operation.operands().size(); k++) {
      TpuValue value = scope.find(operation.operands().get(k));
      if (value == null) {
        throw fault(
            operation,
            operation.operands().get(k) + " is not defined before \"" + operation.name() + "\"");
      }
      use(operation.operandTypes().get(k), value);
      operands.add(value);
      if (!operation.name().equals("top.Input")) {
        read.add(value.id());
      }
    }
    return operands;
  }

  private void graphInput(MlirOperation operation, List<TpuValue> operands, Scope scope) {
    // The argument behind it gives up its name, for it is the same tensor.
    for (TpuValue operand : operands) {
      renamed.add(operand.id());
      valueNames.release(operand.name());
    }
    List<TpuValue> made = results(operation, scope, false);
    inputs.addAll(made);
  }

  private void call(MlirOperation call, List<TpuValue> operands, Scope scope) {
    MlirOperation function = functions.get(call.symbol());
    if (function == null) {
      throw fault(call, "calls @" + call.symbol() + ", which is not defined");
    }
    List<MlirOperation.Argument> arguments = function.regions().get(0).arguments();
    if (arguments.size() != operands.size()) {
      throw fault(
          call,
          "calls @"
              + call.symbol()
              + " with "
              + operands.size()
              + " operands; it takes "
              + arguments.size());
    }
    if (calling.contains(call.symbol()) || calling.size() > 100) {
      throw fault(call, "@" + call.symbol() + " calls itself");
    }
    calling.push(call.symbol());
    Scope inner = new Scope(null);
    for (int k = 0; k < operands.size(); k++) {
      inner.values.put(arguments.get(k).value(), operands.get(k));
      use(arguments.get(k).type(), operands.get(k));
    }
    List<TpuValue> returned = code(function.regions().get(0).operations(), inner);
    calling.pop();
    if (returned.size() != call.results().size()) {
      throw fault(
          call,
          "@"
              + call.symbol()
              + " returns "
              + returned.size()
              + " values; the call has "
              + call.results().size());
    }
    functionResults(function, returned);
    for (int k = 0; k < returned.size(); k++) {
      scope.values.put(call.results().get(k), returned.get(k));
      use(call.resultTypes().get(k), returned.get(k));
    }
  }

  private void op(MlirOperation operation, List<TpuValue> operands, Scope scope) {
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
    TpuOp op =
        new TpuOp(
            opNames.of(opName(operation, results)),
            operation.name(),
            operation.attributes(),
            operands,
            results,
            operation.line());
    ops.add(op);
    return op;
  }

  private static String opName(MlirOperation operation, List<TpuValue> results) {
    return results.isEmpty() ? operation.name() + "@" + operation.line() : results.get(0).name();
  }

  private void group(MlirOperation operation, List<TpuValue> operands, Scope scope) {
    Scope inner = new Scope(scope);
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
        TpuValue value =
            at >= 0 && at < results.size()
                ? results.get(at)
                : inside(text.names(step.location(), k + 1), step.resultTypes().get(k), step);
        inner.values.put(step.results().get(k), value);
        use(step.resultTypes().get(k), value);
        made.add(value);
      }
      Object info = step.attributes().get("ginfo");
      body.add(
          new TpuGroup.GroupOp(
              new TpuOp(
                  made.isEmpty() ? step.name() : made.get(0).name(),
                  step.name(),
                  step.attributes(),
                  read,
                  made,
                  step.line()),
              LayerInfo.of(info instanceof Map<?, ?> map ? map : Map.of())));
    }
    if (end != null && results != null && ENDS.contains(end.name())) {
      operands(end, inner);
    }
    if (results == null) {
      results = results(operation, scope, false);
    }
    Set<TpuValue> read = new LinkedHashSet<>(operands);
    read.addAll(inner.captured);
    read.addAll(scratch);
    read.removeAll(results);
    TpuOp op = add(operation, List.copyOf(read), results);
    if (operation.name().equals("tpu.Group")) {
      groups.add(
          new TpuGroup(op, body, TpuGroup.rows(LayerInfo.integers(op.attributes(), "flow"))));
    }
  }

  /** A value inside of a group: its name may equal one outside. */
  private TpuValue inside(List<String> names, MlirType type, MlirOperation step) {
    String name = names.isEmpty() ? step.name() : names.get(names.size() - 1);
    return new TpuValue(
        "inside:" + step.line() + ":" + step.results().get(0) + ":" + counted++,
        name,
        shape(type, step.line()),
        elementType(type, step.line()),
        false,
        OptionalLong.empty());
  }

  private void nested(MlirOperation operation, List<TpuValue> operands, Scope scope) {
    Scope inner = new Scope(scope);
    List<TpuValue> arguments = new ArrayList<>();
    for (MlirOperation.Region region : operation.regions()) {
      for (MlirOperation.Argument argument : region.arguments()) {
        List<String> names = text.names(argument.location(), 1);
        String name = names.isEmpty() ? argument.value().substring(1) : names.get(0);
        TpuValue value = value(name, argument.type(), false, operation.line());
        inner.values.put(argument.value(), value);
        arguments.add(value);
      }
    }
    if (!arguments.isEmpty()) {
      ops.add(
          new TpuOp(
              opNames.of(arguments.get(0).name()),
              operation.name() + ".enter",
              Map.of(),
              operands,
              arguments,
              operation.line()));
    }
    Set<TpuValue> read = new LinkedHashSet<>(operands);
    read.addAll(arguments);
    for (MlirOperation.Region region : operation.regions()) {
      List<TpuValue> yielded = code(region.operations(), inner);
      read.addAll(yielded);
    }
    read.addAll(inner.captured);
    List<TpuValue> results = results(operation, scope, false);
    read.removeIf(value -> !value.present());
    add(operation, List.copyOf(read), results);
  }

  private List<TpuValue> results(MlirOperation operation, Scope scope, boolean weight) {
    List<TpuValue> made = new ArrayList<>();
    List<String> names = names(operation);
    for (int k = 0; k < operation.results().size(); k++) {
      MlirType type = operation.resultTypes().get(k);
      String result = operation.results().get(k);
      if (type.none()) {
        scope.values.put(result, TpuValue.ABSENT);
        made.add(TpuValue.ABSENT);
        continue;
      }
      String name =
          k < names.size() ? names.get(k) : (names.isEmpty() ? result : names.get(0) + "#" + k);
      TpuValue value = value(name, type, weight, operation.line());
      scope.values.put(result, value);
      use(type, value);
      made.add(value);
    }
    return made;
  }

  /** What a file calls an op's results: in locations today, in attributes in 2022. */
  private List<String> names(MlirOperation operation) {
    Object attribute = operation.attributes().get("name");
    if (attribute instanceof String name && !name.isEmpty()) {
      return List.of(name);
    }
    if (attribute instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    return text.names(operation.location(), operation.results().size());
  }

  private TpuValue value(String name, MlirType type, boolean weight, int line) {
    TpuValue value =
        new TpuValue(
            "value:" + counted++,
            valueNames.of(name.isEmpty() ? "value" : name),
            shape(type, line),
            elementType(type, line),
            weight,
            type.address());
    try {
      value.bytes();
      return value;
    } catch (InvalidNetworkException tooLarge) {
      throw new InputException(file, "line " + line, tooLarge.getMessage(), tooLarge);
    }
  }

  private List<Long> shape(MlirType type, int line) {
    if (type.shape().contains(-1L)) {
      throw new InputException(
          file,
          "line " + line,
          type.text() + " has an extent that is not known; all should be numbers");
    }
    return type.shape();
  }

  private ElementType elementType(MlirType type, int line) {
    String element = type.tensor() ? type.element() : type.text();
    ElementType found = ElementTypes.of(element);
    if (found == null) {
      throw new InputException(
          file, "line " + line, "element type \"" + element + "\" is not known");
    }
    return found;
  }

  private InputException fault(MlirOperation operation, String what) {
    return new InputException(file, "line " + operation.line(), what);
  }
}

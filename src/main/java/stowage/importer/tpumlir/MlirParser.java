package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.importer.tpumlir.MlirOperation.Argument;
import stowage.importer.tpumlir.MlirOperation.Region;

/**
 * Parser of MLIR text: operations in generic form, and modules, functions, calls and returns in
 * their own short forms.
 *
 * <pre>
 * %r:2 = "tpu.Op"(%a, %b#1) ({ nested code }) {key = value} : (types) -> (types) loc(#loc7)
 * module @name attributes {key = value} { ... } loc(#loc)
 * func.func @main(%arg0: type loc("x")) -> (types) attributes {..} { ... } loc(#loc)
 * %1:2 = call @subfunc_0(%0) : (types) -> (types) loc(#loc)
 * return %1#0, %1#1 : types loc(#loc)
 * #loc7 = loc("name")
 * </pre>
 *
 * <p>The grammar is that of the MLIR Language Reference (mlir.llvm.org/docs/LangRef), with what the
 * printer wrote in 2022 ({@code func}, {@code return} without a dialect, names as attributes) and
 * writes today ({@code <{properties}>}). Other ops in forms of their own are refused: only their
 * dialects know how to read them. Blocks with several successors do not occur and are refused too.
 */
final class MlirParser {
  private final MlirCursor cursor;
  private final MlirValues values;

  /** The locations that the text defines, once it is parsed. */
  final MlirLocations locations;

  MlirParser(Path file, String text) {
    this.cursor = new MlirCursor(file, text);
    this.values = new MlirValues(cursor);
    this.locations = values.locations;
  }

  /** What is at the text's outermost level. O(length). */
  List<MlirOperation> parse() {
    List<MlirOperation> operations = new ArrayList<>();
    while (!cursor.atEnd()) {
      char next = cursor.peek();
      if (next == '#' || next == '!') {
        definition();
      } else {
        operations.add(operation());
      }
    }
    locations.checkDefined();
    return List.copyOf(operations);
  }

  /** {@code #loc1 = loc("x")}, {@code #map = affine_map<..>} or {@code !alias = type}. */
  private void definition() {
    int line = cursor.line(cursor.position());
    char sigil = cursor.peek();
    String name = sigil + cursor.suffix(sigil, "an alias");
    cursor.expect("=", "after " + name);
    if (sigil == '#' && cursor.seesWord("loc")) {
      if (!locations.define(name, locations.location())) {
        throw cursor.fault(line, name + " is defined twice");
      }
    } else if (sigil == '#') {
      values.define(name, values.attribute());
    } else {
      values.defineType(name, values.type());
    }
  }

  private final class Draft {
    private final int start = cursor.position();
    private final int line = cursor.line(start);
    private String name;
    private List<String> results = List.of();
    private List<String> operands = List.of();
    private final Map<String, Object> attributes = new LinkedHashMap<>();
    private MlirAttributes written = new MlirAttributes(false);
    private List<Region> regions = List.of();
    private List<MlirType> operandTypes = List.of();
    private List<MlirType> resultTypes = List.of();

    private void signature(String what) {
      cursor.expect(":", "before the types of " + what);
      operandTypes = values.several(true);
      cursor.expect("->", "between operand and result types");
      resultTypes = values.several(false);
      checkCount(what, "operand", operandTypes, operands);
    }

    private void checkCount(String what, String side, List<MlirType> types, List<String> named) {
      if (types.size() != named.size()) {
        throw cursor.fault(
            line, "%s has %s %s types for %s %ss", what, types.size(), side, named.size(), side);
      }
    }

    private MlirOperation finished() {
      List<MlirLocations.Part> location = locations.trailing();
      if (!name.equals("func.func")) {
        checkCount(name, "result", resultTypes, results);
      }
      return new MlirOperation(
          name,
          results,
          operands,
          attributes,
          written,
          regions,
          operandTypes,
          resultTypes,
          location,
          line,
          start,
          cursor.end());
    }
  }

  private MlirOperation operation() {
    return cursor.nested(
        () -> {
          Draft draft = new Draft();
          draft.results = cursor.peek() == '%' ? results() : List.of();
          if (cursor.peek() == '"') {
            generic(draft);
          } else {
            shortForm(draft);
          }
          return draft.finished();
        });
  }

  /** {@code %1 =}, {@code %1:2 =} or {@code %a, %b =}. */
  private List<String> results() {
    List<String> results = new ArrayList<>();
    do {
      String name = "%" + cursor.suffix('%', "a value");
      if (cursor.accept(":")) {
        cursor.position();
        long count = values.count("results of " + name);
        for (long k = 0; k < count; k++) {
          results.add(name + "#" + k);
        }
      } else {
        results.add(name);
      }
    } while (cursor.accept(","));
    cursor.expect("=", "after the results");
    return results;
  }

  private void operands(Draft draft, String after) {
    cursor.expect("(", "after " + after);
    draft.operands = values.operands(')');
    cursor.expect(")", "after the operands");
  }

  private void generic(Draft draft) {
    String name = cursor.string();
    draft.name = full(name);
    operands(draft, "\"" + name + "\"");
    if (cursor.sees("[")) {
      throw cursor.fault("blocks with successors are not understood; only straight code is");
    }
    if (cursor.accept("<")) {
      draft.written = new MlirAttributes(true);
      draft.attributes.putAll(values.dictionary(draft.written.properties()));
      cursor.expect(">", "after the properties");
    }
    if (cursor.sees("(")) {
      draft.regions = new ArrayList<>();
      cursor.list("(", ')', "the nested code", () -> draft.regions.add(region(List.of())));
    }
    if (cursor.sees("{")) {
      draft.attributes.putAll(values.dictionary(draft.written.values()));
    }
    draft.signature("\"" + name + "\"");
    if (draft.name.equals("func.func")) {
      draft.resultTypes = values.functionResults(draft.attributes);
    }
  }

  private static String full(String name) {
    return switch (name) {
      case "module" -> "builtin.module";
      case "func", "call", "return" -> "func." + name;
      case "builtin.func" -> "func.func";
      case "std.call", "std.return" -> "func" + name.substring(3);
      default -> name;
    };
  }

  private void shortForm(Draft draft) {
    int start = cursor.position();
    draft.name = full(cursor.word("an operation"));
    switch (draft.name) {
      case "builtin.module" -> module(draft);
      case "func.func" -> function(draft);
      case "func.call" -> call(draft);
      case "func.return" -> returning(draft);
      default -> {
        String what = "\"%s\" should be in generic form, as \"dialect.Op\"(..) : (..) -> (..)";
        throw cursor.fault(draft.line, what, cursor.between(start, cursor.end()));
      }
    }
  }

  private void module(Draft draft) {
    if (cursor.peek() == '@') {
      draft.attributes.put("sym_name", values.symbol());
    }
    attributes(draft);
    draft.regions = List.of(region(List.of()));
  }

  private void attributes(Draft draft) {
    if (cursor.acceptWord("attributes")) {
      draft.attributes.putAll(values.dictionary(new TreeMap<>()));
    }
  }

  private void function(Draft draft) {
    List.of("private", "public", "nested").forEach(cursor::acceptWord);
    draft.attributes.put("sym_name", values.symbol());
    List<Argument> arguments = arguments(true);
    draft.operandTypes = arguments.stream().map(Argument::type).toList();
    draft.resultTypes = cursor.accept("->") ? values.several(false) : List.of();
    attributes(draft);
    draft.regions = cursor.sees("{") ? List.of(region(arguments)) : List.of();
  }

  private void call(Draft draft) {
    draft.attributes.put("callee", values.symbol());
    operands(draft, "the function's name");
    values.skipDictionary();
    draft.signature("the call");
  }

  private void returning(Draft draft) {
    draft.operands = cursor.peek() == '%' ? values.operands(':') : List.of();
    List<MlirType> types = new ArrayList<>();
    if (cursor.accept(":")) {
      do {
        types.add(values.type());
      } while (cursor.accept(","));
    }
    draft.operandTypes = types;
    draft.checkCount("return", "operand", types, draft.operands);
  }

  /** {@code (%a: type {..} loc(..), ..)}; a function's may have no names where it has no code. */
  private List<Argument> arguments(boolean function) {
    List<Argument> arguments = new ArrayList<>();
    cursor.list(
        "(",
        ')',
        "the arguments",
        () -> {
          String value = "";
          if (!function || cursor.peek() == '%') {
            value = "%" + cursor.suffix('%', "an argument");
            cursor.expect(":", "after the argument");
          }
          MlirType type = values.type();
          values.skipDictionary();
          arguments.add(new Argument(value, type, locations.trailing()));
        });
    return arguments;
  }

  /** {@code { ^bb0(%a: type, ..): operations }}. */
  private Region region(List<Argument> given) {
    cursor.expect("{", "before nested code");
    List<Argument> arguments = new ArrayList<>(given);
    if (cursor.peek() == '^') {
      cursor.suffix('^', "a block");
      if (cursor.sees("(")) {
        arguments.addAll(arguments(false));
      }
      cursor.expect(":", "after the block's name");
    }
    List<MlirOperation> operations = new ArrayList<>();
    while (!cursor.accept("}")) {
      if (cursor.peek() == '^') {
        throw cursor.fault("a second block is not understood; only straight code is");
      }
      operations.add(operation());
    }
    return new Region(List.copyOf(arguments), List.copyOf(operations));
  }
}

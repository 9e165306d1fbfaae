package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;

/**
 * Parses MLIR text: operations in generic form, and modules, functions, calls and returns in their
 * own short forms.
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
  private final Map<String, MlirLocation> locations = new LinkedHashMap<>();

  private MlirParser(Path file, String text) {
    this.cursor = new MlirCursor(file, text);
    this.values = new MlirValues(cursor);
  }

  /**
   * Parses a whole file. O(length).
   *
   * @throws InputException naming the line, what is there and what should
   */
  static MlirText parse(Path file, String text) {
    MlirParser parser = new MlirParser(file, text);
    List<MlirOperation> operations = new ArrayList<>();
    while (!parser.cursor.atEnd()) {
      char next = parser.cursor.peek();
      if (next == '#' || next == '!') {
        parser.definition();
      } else {
        operations.add(parser.operation());
      }
    }
    parser.values.locations().checkDefined(parser.locations.keySet());
    return new MlirText(text, List.copyOf(operations), parser.locations);
  }

  /** {@code #loc1 = loc("x")}, {@code #map = affine_map<..>} or {@code !alias = type}. */
  private void definition() {
    int line = cursor.line(cursor.position());
    char sigil = cursor.peek();
    String name = sigil + cursor.suffix(sigil, "an alias");
    cursor.expect("=", "after " + name);
    if (sigil == '#' && cursor.seesWord("loc")) {
      if (locations.put(name, values.locations().location()) != null) {
        throw cursor.fault(line, name + " is defined twice");
      }
    } else if (sigil == '#') {
      values.define(name, values.attribute());
    } else {
      values.types().define(name, values.types().type().text());
    }
  }

  private MlirOperation operation() {
    return cursor.nested(
        () -> {
          int start = cursor.position();
          int line = cursor.line(start);
          List<String> results = cursor.peek() == '%' ? results() : List.of();
          MlirOperation operation =
              cursor.peek() == '"' ? generic(results, line) : shortForm(results, line);
          if (operation.results().size() != operation.resultTypes().size()
              && !operation.name().equals("func.func")) {
            throw cursor.fault(
                line,
                "%s has %s result types for %s results"
                    .formatted(
                        operation.name(),
                        operation.resultTypes().size(),
                        operation.results().size()));
          }
          return operation.at(start, cursor.end());
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

  private MlirOperation generic(List<String> results, int line) {
    String name = cursor.string();
    cursor.expect("(", "after \"" + name + "\"");
    List<String> operands = values.operands(')');
    cursor.expect(")", "after the operands");
    Map<String, Object> attributes = new LinkedHashMap<>();
    if (cursor.sees("[")) {
      throw cursor.fault("blocks with successors are not understood; only straight code is");
    }
    if (cursor.accept("<")) {
      attributes.putAll(values.dictionary());
      cursor.expect(">", "after the properties");
    }
    List<MlirOperation.Region> regions = new ArrayList<>();
    if (cursor.accept("(")) {
      do {
        regions.add(region(List.of()));
      } while (cursor.accept(","));
      cursor.expect(")", "after the nested code");
    }
    if (cursor.sees("{")) {
      attributes.putAll(values.dictionary());
    }
    cursor.expect(":", "before the types of \"" + name + "\"");
    List<MlirType> operandTypes = values.types().several(true);
    cursor.expect("->", "between operand and result types");
    List<MlirType> resultTypes = values.types().several(false);
    checkCount(name, operands, operandTypes, line);
    MlirLocation location = values.locations().trailing();
    boolean function = name.equals("func.func") || name.equals("func");
    return new MlirOperation(
        full(name),
        results,
        operands,
        attributes,
        regions,
        operandTypes,
        function ? values.types().functionResults(attributes) : resultTypes,
        location,
        line);
  }

  private void checkCount(String name, List<String> operands, List<MlirType> types, int line) {
    if (operands.size() != types.size()) {
      throw cursor.fault(
          line,
          "\"%s\" has %s operand types for %s operands"
              .formatted(name, types.size(), operands.size()));
    }
  }

  private static String full(String name) {
    return switch (name) {
      case "module" -> "builtin.module";
      case "func", "call", "return" -> "func." + name;
      case "std.call", "std.return" -> "func" + name.substring(3);
      default -> name;
    };
  }

  private MlirOperation shortForm(List<String> results, int line) {
    int start = cursor.position();
    String name = full(cursor.word("an operation"));
    return switch (name) {
      case "builtin.module" -> module(line);
      case "func.func", "builtin.func" -> function(line);
      case "func.call" -> call(results, line);
      case "func.return" -> returning(line);
      default ->
          throw cursor.fault(
              line,
              "\"%s\" should be in generic form, as \"dialect.Op\"(..) : (..) -> (..)"
                  .formatted(cursor.between(start, cursor.end())));
    };
  }

  private MlirOperation module(int line) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    if (cursor.peek() == '@') {
      attributes.put("sym_name", values.symbol());
    }
    if (cursor.acceptWord("attributes")) {
      attributes.putAll(values.dictionary());
    }
    MlirOperation.Region body = region(List.of());
    return new MlirOperation(
        "builtin.module",
        List.of(),
        List.of(),
        attributes,
        List.of(body),
        List.of(),
        List.of(),
        values.locations().trailing(),
        line);
  }

  private MlirOperation function(int line) {
    for (String visibility : List.of("private", "public", "nested")) {
      cursor.acceptWord(visibility);
    }
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("sym_name", values.symbol());
    cursor.expect("(", "after the function's name");
    List<MlirOperation.Argument> arguments = new ArrayList<>();
    while (cursor.peek() != ')') {
      String value = cursor.peek() == '%' ? "%" + cursor.suffix('%', "an argument") : "";
      if (!value.isEmpty()) {
        cursor.expect(":", "after the argument");
      }
      MlirType type = values.types().type();
      if (cursor.sees("{")) {
        values.dictionary();
      }
      arguments.add(new MlirOperation.Argument(value, type, values.locations().trailing()));
      if (!cursor.accept(",")) {
        break;
      }
    }
    cursor.expect(")", "after the arguments");
    List<MlirType> results = cursor.accept("->") ? values.types().several(false) : List.of();
    if (cursor.acceptWord("attributes")) {
      attributes.putAll(values.dictionary());
    }
    List<MlirOperation.Region> regions = cursor.sees("{") ? List.of(region(arguments)) : List.of();
    return new MlirOperation(
        "func.func",
        List.of(),
        List.of(),
        attributes,
        regions,
        arguments.stream().map(MlirOperation.Argument::type).toList(),
        results,
        values.locations().trailing(),
        line);
  }

  private MlirOperation call(List<String> results, int line) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("callee", values.symbol());
    cursor.expect("(", "after the function's name");
    List<String> operands = values.operands(')');
    cursor.expect(")", "after the operands");
    if (cursor.sees("{")) {
      values.dictionary();
    }
    cursor.expect(":", "before the types of the call");
    List<MlirType> operandTypes = values.types().several(true);
    cursor.expect("->", "between operand and result types");
    List<MlirType> resultTypes = values.types().several(false);
    checkCount("call", operands, operandTypes, line);
    return new MlirOperation(
        "func.call",
        results,
        operands,
        attributes,
        List.of(),
        operandTypes,
        resultTypes,
        values.locations().trailing(),
        line);
  }

  private MlirOperation returning(int line) {
    List<String> operands = cursor.peek() == '%' ? values.operands(':') : List.of();
    List<MlirType> types = new ArrayList<>();
    if (cursor.accept(":")) {
      do {
        types.add(values.types().type());
      } while (cursor.accept(","));
    }
    checkCount("return", operands, types, line);
    return new MlirOperation(
        "func.return",
        List.of(),
        operands,
        Map.of(),
        List.of(),
        types,
        List.of(),
        values.locations().trailing(),
        line);
  }

  /** {@code { ^bb0(%a: type, ..): operations }}. */
  private MlirOperation.Region region(List<MlirOperation.Argument> given) {
    cursor.expect("{", "before nested code");
    List<MlirOperation.Argument> arguments = new ArrayList<>(given);
    if (cursor.peek() == '^') {
      cursor.suffix('^', "a block");
      if (cursor.accept("(")) {
        while (cursor.peek() != ')') {
          String value = "%" + cursor.suffix('%', "an argument");
          cursor.expect(":", "after the argument");
          MlirType type = values.types().type();
          arguments.add(new MlirOperation.Argument(value, type, values.locations().trailing()));
          if (!cursor.accept(",")) {
            break;
          }
        }
        cursor.expect(")", "after the arguments");
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
    return new MlirOperation.Region(List.copyOf(arguments), List.copyOf(operations));
  }
}

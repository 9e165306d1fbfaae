package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Reader of MLIR's types; of those that are no tensors only the text matters. */
final class MlirTypes {
  private final MlirCursor cursor;
  private final MlirValues values;
  private final Map<String, String> aliases = new HashMap<>();

  MlirTypes(MlirCursor cursor, MlirValues values) {
    this.cursor = cursor;
    this.values = values;
  }

  /** Gives a type a name, such as {@code !quant0}. */
  void define(String alias, String text) {
    aliases.put(alias, text);
  }

  /** {@code (type, type)}, or a single type where the brackets may be left out. */
  List<MlirType> several(boolean brackets) {
    List<MlirType> types = new ArrayList<>();
    if (!brackets && !cursor.sees("(")) {
      types.add(type());
      return types;
    }
    cursor.list(
        "(",
        ')',
        "types",
        () -> {
          types.add(type());
          values.skipDictionary();
        });
    return types;
  }

  /** The types a function in generic form returns, which are in an attribute. */
  List<MlirType> functionResults(Map<String, Object> attributes) {
    Object type = attributes.getOrDefault("function_type", attributes.get("type"));
    if (!(type instanceof String text) || !text.contains("->")) {
      return List.of();
    }
    MlirCursor inner = cursor.over(text.substring(text.indexOf("->") + 2));
    List<MlirType> types = new MlirValues(inner).types().several(false);
    types.replaceAll(one -> one.at(-1, -1));
    return types;
  }

  MlirType type() {
    return cursor.nested(
        () -> {
          int start = cursor.position();
          if (cursor.acceptWord("tensor")) {
            return tensor(start);
          }
          if (cursor.peek() == '(') {
            several(true);
            cursor.expect("->", "in a function's type");
            several(false);
          } else if (cursor.peek() == '!') {
            String alias = "!" + cursor.suffix('!', "a type");
            cursor.skipParameters("a type");
            String defined = aliases.get(alias);
            if (defined != null && cursor.next() != '<') {
              MlirCursor inner = cursor.over(defined);
              return new MlirValues(inner).types().type().at(start, cursor.end());
            }
          } else {
            cursor.word("a type");
            cursor.skipParameters("a type");
          }
          int end = cursor.end();
          String text = cursor.between(start, end);
          return new MlirType(false, List.of(), text, OptionalLong.empty(), text, start, end);
        });
  }

  /** {@code tensor<1x3x?xf16, 4096 : i64>}, its first word read. */
  private MlirType tensor(int start) {
    cursor.expect("<", "after tensor");
    cursor.position();
    List<Long> shape = new ArrayList<>();
    while (cursor.next() == '?' || cursor.next() == '*' || MlirCursor.isDigit(cursor.next())) {
      if (cursor.next() == '*') {
        throw cursor.fault("tensors without a rank are not understood; shapes should be given");
      }
      if (cursor.next() == '?') {
        cursor.skip();
        shape.add(-1L);
      } else {
        String digits = cursor.digits();
        if (digits.length() > 18) {
          throw cursor.fault("extent " + digits + " is too large");
        }
        shape.add(Long.parseLong(digits));
      }
      cursor.expectNext('x', "after an extent");
    }
    int from = cursor.position();
    cursor.balanced(",>", "a tensor's element type");
    String element = cursor.between(from, cursor.end()).strip();
    if (element.isEmpty()) {
      throw cursor.fault("expected a tensor's element type");
    }
    OptionalLong address = OptionalLong.empty();
    while (cursor.accept(",")) {
      Object encoding = values.attribute();
      if (encoding instanceof Long value) {
        address = OptionalLong.of(value);
      }
    }
    cursor.expect(">", "after a tensor's type");
    String stored = aliases.getOrDefault(element, element);
    int end = cursor.end();
    return new MlirType(true, shape, stored, address, cursor.between(start, end), start, end);
  }
}

package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The attributes of an operation as they are in its text: the text of each value, by name. Printed
 * they are in the order of their names, as MLIR prints them.
 */
final class MlirAttributes {
  private final TreeMap<String, String> values = new TreeMap<>();

  /** Attributes that are none yet. */
  MlirAttributes() {}

  /** A copy. */
  MlirAttributes(MlirAttributes other) {
    values.putAll(other.values);
  }

  /**
   * The attributes of an operation in generic form.
   *
   * @throws stowage.importer.io.InputException when it has properties ({@code <{..}>}), which are
   *     not understood as text
   */
  static MlirAttributes of(Path file, String text, MlirOperation operation) {
    MlirCursor cursor = new MlirCursor(file, text.substring(operation.start(), operation.end()));
    if (cursor.peek() == '%') {
      cursor.balanced("=", "the results");
      cursor.expect("=", "after the results");
    }
    cursor.string();
    skip(cursor, "(", ")");
    if (cursor.sees("<")) {
      throw new stowage.importer.io.InputException(
          file,
          "line " + operation.line(),
          "has properties in angle brackets; groups are written into files with attributes in"
              + " braces alone");
    }
    if (cursor.sees("(")) {
      skip(cursor, "(", ")");
    }
    MlirAttributes attributes = new MlirAttributes();
    if (cursor.accept("{")) {
      while (cursor.peek() != '}') {
        String key =
            cursor.peek() == '"'
                ? "\"" + cursor.string() + "\""
                : cursor.word("an attribute's name");
        String value = null;
        if (cursor.accept("=")) {
          value = cursor.balanced(",}", "an attribute").strip();
        }
        attributes.values.put(key, value == null ? "" : value);
        if (!cursor.accept(",")) {
          break;
        }
      }
    }
    return attributes;
  }

  private static void skip(MlirCursor cursor, String open, String close) {
    cursor.expect(open, "after the name");
    cursor.balanced(close, "an operation");
    cursor.expect(close, "after an operation's parts");
  }

  /** The fields of {@code #tpu.lg<..>}, in their order. */
  static Map<String, String> fields(Path file, String layerInfo) {
    Map<String, String> fields = new LinkedHashMap<>();
    MlirCursor cursor = new MlirCursor(file, layerInfo.substring(layerInfo.indexOf('<') + 1));
    while (cursor.peek() != '>') {
      String key = cursor.word("a field's name");
      cursor.expect("=", "after " + key);
      fields.put(key, cursor.balanced(",>", "a field").strip());
      if (!cursor.accept(",")) {
        break;
      }
    }
    return fields;
  }

  /** The text of a value, or null. */
  String get(String key) {
    return values.get(key);
  }

  /** Sets a value. */
  MlirAttributes with(String key, String value) {
    values.put(key, value);
    return this;
  }

  /** Removes a value. */
  MlirAttributes without(String key) {
    values.remove(key);
    return this;
  }

  /** Whether there is a value of a name. */
  boolean has(String key) {
    return values.containsKey(key);
  }

  /** All names with their values. */
  Map<String, String> all() {
    return values;
  }

  /** {@code {a = 1, flag}}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    values.forEach(
        (key, value) -> {
          text.append(text.length() > 1 ? ", " : "").append(key);
          text.append(value.isEmpty() ? "" : " = " + value);
        });
    return text.append("}").toString();
  }
}

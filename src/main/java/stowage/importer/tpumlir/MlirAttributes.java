package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The attributes of an operation as they are in its text: the text of each value, by name, in
 * braces ({@code {a = 1}}) and, in files of newer versions of MLIR, as properties ({@code <{a =
 * 1}>}). Printed they are in the order of their names, as MLIR prints them. What is added to an
 * operation with properties is one of them.
 */
final class MlirAttributes {
  private final TreeMap<String, String> values = new TreeMap<>();
  private TreeMap<String, String> properties;

  /** Attributes that are none yet. */
  MlirAttributes() {}

  /** A copy. */
  MlirAttributes(MlirAttributes other) {
    values.putAll(other.values);
    properties = other.properties == null ? null : new TreeMap<>(other.properties);
  }

  /** The same, all of them properties. */
  MlirAttributes asProperties() {
    MlirAttributes other = new MlirAttributes();
    other.properties = new TreeMap<>(values);
    return other;
  }

  /** Whether there are properties. */
  boolean hasProperties() {
    return properties != null;
  }

  /** The attributes of an operation in generic form. */
  static MlirAttributes of(Path file, String text, MlirOperation operation) {
    MlirCursor cursor = new MlirCursor(file, text.substring(operation.start(), operation.end()));
    if (cursor.peek() == '%') {
      cursor.balanced("=", "the results");
      cursor.expect("=", "after the results");
    }
    cursor.string();
    skip(cursor, "(", ")");
    MlirAttributes attributes = new MlirAttributes();
    if (cursor.accept("<")) {
      attributes.properties = new TreeMap<>();
      dictionary(cursor, attributes.properties);
      cursor.expect(">", "after the properties");
    }
    if (cursor.sees("(")) {
      skip(cursor, "(", ")");
    }
    if (cursor.sees("{")) {
      dictionary(cursor, attributes.values);
    }
    return attributes;
  }

  private static void dictionary(MlirCursor cursor, Map<String, String> into) {
    cursor.expect("{", "before attributes");
    while (cursor.peek() != '}') {
      String key =
          cursor.peek() == '"' ? "\"" + cursor.string() + "\"" : cursor.word("an attribute's name");
      String value = "";
      if (cursor.accept("=")) {
        value = cursor.balanced(",}", "an attribute").strip();
      }
      into.put(key, value);
      if (!cursor.accept(",")) {
        break;
      }
    }
    cursor.expect("}", "after attributes");
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
    String value = values.get(key);
    return value == null && properties != null ? properties.get(key) : value;
  }

  /** Sets a value. */
  MlirAttributes with(String key, String value) {
    boolean property = properties != null && !values.containsKey(key);
    (property ? properties : values).put(key, value);
    return this;
  }

  /** Removes a value. */
  MlirAttributes without(String key) {
    values.remove(key);
    if (properties != null) {
      properties.remove(key);
    }
    return this;
  }

  /** Whether there is a value of a name. */
  boolean has(String key) {
    return get(key) != null;
  }

  /** All names with their values. */
  Map<String, String> all() {
    Map<String, String> all = new TreeMap<>(values);
    if (properties != null) {
      all.putAll(properties);
    }
    return all;
  }

  /** {@code <{a = 1}>}, after a blank; empty without properties. */
  String propertiesText() {
    return properties == null ? "" : " <" + text(properties) + ">";
  }

  /** {@code {a = 1, flag}}, after a blank; empty without attributes. */
  String attributesText() {
    return values.isEmpty() ? "" : " " + text(values);
  }

  private static String text(Map<String, String> values) {
    StringBuilder text = new StringBuilder("{");
    values.forEach(
        (key, value) -> {
          text.append(text.length() > 1 ? ", " : "").append(key);
          text.append(value.isEmpty() ? "" : " = " + value);
        });
    return text.append("}").toString();
  }
}

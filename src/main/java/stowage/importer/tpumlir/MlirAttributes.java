package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The attributes of an operation as they are in its text: the text of each value, by name, in
 * braces ({@code {a = 1}}) and, in files of newer versions of MLIR, as properties ({@code <{a =
 * 1}>}). Printed they are in the order of their names, as MLIR prints them. What is added to an
 * operation with properties is one of them.
 *
 * @param values in braces
 * @param properties null where there are none
 */
record MlirAttributes(TreeMap<String, String> values, TreeMap<String, String> properties) {
  /** Attributes that are none yet. */
  MlirAttributes(boolean properties) {
    this(new TreeMap<>(), properties ? new TreeMap<>() : null);
  }

  MlirAttributes copy() {
    return new MlirAttributes(
        new TreeMap<>(values), properties == null ? null : new TreeMap<>(properties));
  }

  /** The fields of {@code #tpu.lg<..>}, in their order. */
  static Map<String, String> fields(Path file, String layerInfo) {
    Map<String, String> fields = new LinkedHashMap<>();
    MlirCursor cursor = new MlirCursor(file, layerInfo.substring(layerInfo.indexOf('<') + 1));
    cursor.list(
        '>',
        () -> {
          String key = cursor.word("a field's name");
          cursor.expect("=", "after " + key);
          fields.put(key, cursor.balanced(",>", "a field").strip());
        });
    return fields;
  }

  String get(String key) {
    String value = values.get(key);
    return value == null && properties != null ? properties.get(key) : value;
  }

  MlirAttributes with(String key, String value) {
    (properties != null && !values.containsKey(key) ? properties : values).put(key, value);
    return this;
  }

  MlirAttributes without(String key) {
    parts().forEach(part -> part.remove(key));
    return this;
  }

  /** The two kinds of attributes, as far as there are any. */
  List<Map<String, String>> parts() {
    return properties == null ? List.of(values) : List.of(values, properties);
  }

  boolean has(String key) {
    return get(key) != null;
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
    return values.entrySet().stream()
        .map(e -> e.getValue().isEmpty() ? e.getKey() : e.getKey() + " = " + e.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}

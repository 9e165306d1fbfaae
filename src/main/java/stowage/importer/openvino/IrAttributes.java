package stowage.importer.openvino;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Attributes of layers, which are texts in IR files, as values. */
final class IrAttributes {
  private IrAttributes() {}

  /** Attributes as numbers, lists of numbers and flags where they can be read as such. */
  static Map<String, Object> of(Map<String, String> data) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    data.forEach((key, text) -> attributes.put(key, value(text.strip())));
    return attributes;
  }

  /** The whole numbers of a list such as {@code 1,1}; empty when it is none. */
  static List<Long> integers(Map<String, String> data, String key) {
    Object value = value(data.getOrDefault(key, "").strip());
    List<Long> integers = new ArrayList<>();
    for (Object element : value instanceof List<?> list ? list : List.of(value)) {
      if (!(element instanceof Long integer)) {
        return List.of();
      }
      integers.add(integer);
    }
    return integers;
  }

  static boolean flag(Map<String, String> data, String key) {
    Object value = value(data.getOrDefault(key, "").strip());
    return value.equals(Boolean.TRUE) || value.equals(1L);
  }

  private static Object value(String text) {
    if (text.matches("-?\\d{1,18}")) {
      return Long.parseLong(text);
    }
    if (text.matches("-?\\d{1,18}(\\s*,\\s*-?\\d{1,18})++")) {
      List<Long> integers = new ArrayList<>();
      for (String part : text.split(",")) {
        integers.add(Long.parseLong(part.strip()));
      }
      return integers;
    }
    if (text.matches("-?\\d{1,30}\\.\\d{0,30}([eE][+-]?\\d{1,3})?")) {
      return Double.parseDouble(text);
    }
    return switch (text) {
      case "true", "True" -> Boolean.TRUE;
      case "false", "False" -> Boolean.FALSE;
      default -> text;
    };
  }
}

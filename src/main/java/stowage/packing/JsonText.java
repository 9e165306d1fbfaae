package stowage.packing;

import java.util.Map;

/**
 * JSON of plain values, on one line: the core has no library for it.
 *
 * <p>Maps become objects, in their order; iterables become arrays; numbers that JSON does not know
 * (NaN, infinite) become null.
 */
final class JsonText {
  private JsonText() {}

  /** Text of a value made of maps, iterables, strings, numbers, booleans and null. */
  static String of(Object value) {
    StringBuilder out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  private static void append(StringBuilder out, Object value) {
    if (value instanceof Map<?, ?> fields) {
      char separator = '{';
      for (Map.Entry<?, ?> field : fields.entrySet()) {
        quote(out.append(separator), String.valueOf(field.getKey()));
        append(out.append(':'), field.getValue());
        separator = ',';
      }
      out.append(fields.isEmpty() ? "{}" : "}");
    } else if (value instanceof Iterable<?> elements) {
      int begin = out.length();
      for (Object element : elements) {
        append(out.append(out.length() == begin ? '[' : ','), element);
      }
      out.append(out.length() == begin ? "[]" : "]");
    } else if (value instanceof String text) {
      quote(out, text);
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      out.append("null");
    } else {
      out.append(value);
    }
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case '"', '\\' -> out.append('\\').append(letter);
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> {
          if (letter < ' ' || Character.isSurrogate(letter)) {
            out.append(String.format("\\u%04x", (int) letter));
          } else {
            out.append(letter);
          }
        }
      }
    }
    out.append('"');
  }
}

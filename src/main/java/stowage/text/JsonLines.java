package stowage.text;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Text of JSON files with an element of their outer lists a line, so that files can be compared
 * line by line: {@code {"a": 1, "b": [2, 3]}} is how such an element looks.
 */
public final class JsonLines {
  private JsonLines() {}

  /**
   * Writes an object as the whole of a file.
   *
   * @param fields values are texts, numbers, flags, lists and maps of these, each in one line; of a
   *     stream each element is a line
   */
  public static void write(Appendable out, Map<String, ?> fields) throws IOException {
    String before = "{\n  ";
    for (Map.Entry<String, ?> field : fields.entrySet()) {
      out.append(before).append(text(field.getKey())).append(": ");
      before = ",\n  ";
      if (!(field.getValue() instanceof Stream<?> rows)) {
        out.append(text(field.getValue()));
        continue;
      }
      Iterator<?> row = rows.iterator();
      out.append(row.hasNext() ? "[\n    " : "[]");
      while (row.hasNext()) {
        out.append(text(row.next())).append(row.hasNext() ? ",\n    " : "\n  ]");
      }
    }
    out.append("\n}\n");
  }

  /** Adds a field to those of an object if {@code given}. */
  public static void put(Map<String, Object> fields, boolean given, String name, Object value) {
    if (given) {
      fields.put(name, value);
    }
  }

  private static String text(Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, Object value) {
    String before = "";
    if (value instanceof Map<?, ?> fields) {
      text.append('{');
      for (Map.Entry<?, ?> field : fields.entrySet()) {
        append(text.append(before), field.getKey());
        append(text.append(": "), field.getValue());
        before = ", ";
      }
      text.append('}');
    } else if (value instanceof List<?> list) {
      text.append('[');
      for (Object element : list) {
        append(text.append(before), element);
        before = ", ";
      }
      text.append(']');
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      // JSON has no word for these; a literal beyond double's range is read back as infinite.
      text.append(number.isNaN() ? "\"NaN\"" : number > 0 ? "1e999" : "-1e999");
    } else if (value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else {
      text.append('"');
      JsonStringEncoder.getInstance().quoteAsString((CharSequence) value.toString(), text);
      text.append('"');
    }
  }
}

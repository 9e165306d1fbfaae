package stowage.importer.io;

import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A JSON file as a tree whose every value knows its line, column and field, so that an error can
 * say where; for documents whose parts refer to each other, which one pass over the text ({@link
 * JsonCursor}) cannot resolve. Nesting is limited, a field is defined once, and nothing may follow
 * the document; every fault is an {@link InputException}.
 */
public final class JsonDocument {
  /** Far more than any of our formats nests, and far less than a thread's stack allows. */
  private static final int DEEPEST = 64;

  private final Path file;
  private final JsonCursor json;
  private int depth;

  private JsonDocument(Path file, JsonCursor json) {
    this.file = file;
    this.json = json;
  }

  /** Reads a file of one well-formed JSON document whole. O(bytes). */
  public static Value read(Path file) {
    return read(file, InputFiles.open(file));
  }

  /** Reads a document from a stream; {@code file} is what messages call it. */
  public static Value read(Path file, InputStream bytes) {
    try (JsonCursor json = new JsonCursor(file, bytes)) {
      Value root = new JsonDocument(file, json).value(null);
      json.end();
      return root;
    }
  }

  private Value value(Field field) {
    if (++depth > DEEPEST) {
      throw json.fault("nesting is deeper than " + DEEPEST);
    }
    int line = json.line();
    int column = json.column();
    Object content;
    if (json.isObject()) {
      Map<String, Value> fields = new LinkedHashMap<>();
      json.object(
          null,
          name -> {
            if (fields.containsKey(name)) {
              throw json.fault("field \"" + name + "\" is defined twice; define it once");
            }
            fields.put(name, value(new Field(field, name, -1)));
            return true;
          });
      content = fields;
    } else if (json.isArray()) {
      List<Value> elements = new ArrayList<>();
      json.array(() -> elements.add(value(new Field(field, null, elements.size()))));
      content = elements;
    } else {
      content = json.scalar();
    }
    depth--;
    return new Value(file, field, line, column, content);
  }

  /**
   * Where in the document a value is; its text is built only for an error.
   *
   * @param parent the object or array around it, null for the document itself
   * @param name the field's name, null in an array
   * @param index the position in an array
   */
  record Field(Field parent, String name, int index) {
    @Override
    public String toString() {
      String before = parent == null ? "" : parent.toString();
      if (name == null) {
        return before + "[" + index + "]";
      }
      return before.isEmpty() ? name : before + "." + name;
    }
  }

  /**
   * One value with its place; {@code field} is null for the document itself. The content is a Map
   * or List of Values, a String, Long, BigInteger, Double or Boolean, or null.
   */
  public record Value(Path file, Field field, int line, int column, Object content) {
    /**
     * An error at this value: {@code what} names the value and what would be right, as a pattern
     * where there are arguments.
     */
    public InputException fault(String what, Object... arguments) {
      return new InputException(file, where(), what, arguments);
    }

    private String where() {
      String where = "line " + line + ", column " + column;
      return field == null ? where : where + ", field \"" + field + "\"";
    }

    /** What a maker makes; a contradiction that it finds is a fault at this value. */
    public <T> T checked(Supplier<T> maker) {
      return InputException.checked(file, where(), maker);
    }

    private InputException expected(String right) {
      return fault(shown() + " should be " + right);
    }

    private String shown() {
      return content instanceof Map<?, ?>
          ? "an object"
          : content instanceof List<?> ? "an array" : JsonCursor.shown(content);
    }

    /** The fields of an object; a fault names one that is not among {@code known}. */
    public Map<String, Value> fields(Collection<String> known) {
      for (Map.Entry<String, Value> field : fields().entrySet()) {
        if (!known.contains(field.getKey())) {
          String advice = Suggestion.advice(field.getKey(), known);
          throw field.getValue().fault("field \"%s\" is not known%s", field.getKey(), advice);
        }
      }
      return fields();
    }

    /** The fields of an object, whatever their names. */
    @SuppressWarnings("unchecked")
    public Map<String, Value> fields() {
      if (content instanceof Map<?, ?> fields) {
        return (Map<String, Value>) fields;
      }
      throw expected("an object { ... }");
    }

    /** A field that must be there. */
    public Value required(String name) {
      Value found = fields().get(name);
      if (found == null) {
        throw fault("the field \"" + name + "\" is missing");
      }
      return found;
    }

    /** A field that may be missing, or another value in its place. */
    public <T> T optional(String name, Function<Value, T> reader, T otherwise) {
      Value found = fields().get(name);
      return found == null ? otherwise : reader.apply(found);
    }

    /** The elements of an array, each read. */
    public <T> List<T> each(Function<Value, T> reader) {
      return new ArrayList<>(elements().stream().map(reader).toList());
    }

    public boolean isList() {
      return content instanceof List<?>;
    }

    /** The elements of an array. */
    @SuppressWarnings("unchecked")
    public List<Value> elements() {
      if (content instanceof List<?> elements) {
        return (List<Value>) elements;
      }
      throw expected("an array [ ... ]");
    }

    public String text() {
      if (content instanceof String text) {
        return text;
      }
      throw expected("a text in quotes");
    }

    /** A text that is not empty. */
    public String name() {
      String text = text();
      if (text.isEmpty()) {
        throw expected("a name that is not empty");
      }
      return text;
    }

    /** A text that is one of those known; a fault says so of it by a pattern. */
    public String oneOf(List<String> known, String fault) {
      String text = text();
      if (!known.contains(text)) {
        throw fault(fault.formatted(text) + Suggestion.advice(text, known));
      }
      return text;
    }

    /** One of an enumeration, in lower case with hyphens; a fault says so of it by a pattern. */
    public <E extends Enum<E>> E oneOf(E[] all, String fault) {
      List<String> known =
          Arrays.stream(all).map(e -> e.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList();
      return all[known.indexOf(oneOf(known, fault))];
    }

    public List<String> texts() {
      return each(Value::text);
    }

    /** A whole number of a range, both ends included. */
    public long integer(long least, long most) {
      if (content instanceof Long number && number >= least && number <= most) {
        return number;
      }
      throw expected(
          "a whole number "
              + (most == Long.MAX_VALUE ? "of " + least + " or more" : least + " to " + most)
              + (content instanceof BigInteger ? " and fit into 64 bits" : ""));
    }

    /** A finite number of 0 or more, or above 0. */
    public double number(boolean zeroAllowed) {
      double value = content instanceof Number number ? number.doubleValue() : Double.NaN;
      if ((value > 0 || (value == 0 && zeroAllowed)) && !Double.isInfinite(value)) {
        return value;
      }
      throw expected(zeroAllowed ? "a number of 0 or more" : "a number above 0");
    }

    /** A number of a range, both ends included. */
    public double number(double least, double most) {
      double value = content instanceof Number number ? number.doubleValue() : Double.NaN;
      if (value >= least && value <= most) {
        return value;
      }
      throw expected("a number from " + plain(least) + " to " + plain(most));
    }

    private static String plain(double number) {
      return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    public boolean isNull() {
      return content == null;
    }

    public boolean flag() {
      if (content instanceof Boolean flag) {
        return flag;
      }
      throw expected("true or false");
    }

    /** The value as Long, Double, Boolean, String, or a List of these, as attributes hold it. */
    public Object plain() {
      if (content instanceof List<?>) {
        return List.copyOf(each(Value::plain));
      }
      if (content instanceof Long
          || content instanceof Double
          || content instanceof Boolean
          || content instanceof String) {
        return content;
      }
      throw expected(
          content instanceof BigInteger
              ? "a whole number that fits into 64 bits"
              : "a number, a text, true, false, or an array of these");
    }
  }
}

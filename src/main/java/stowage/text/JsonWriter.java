package stowage.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writer of JSON to a stream, field by field. The outer fields and the rows of lists are on lines
 * of their own, what is deeper stays on its line, so that a plan of a thousand buffers is read row
 * by row.
 *
 * <p>Every method gives the writer back and throws {@link UncheckedIOException} where the stream
 * fails; {@link #write} turns it into the {@link IOException} that it wraps.
 */
public final class JsonWriter {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator json;

  private JsonWriter(JsonGenerator json) {
    this.json = json;
  }

  /** Writer of one JSON value. */
  public interface Content {
    void writeTo(JsonWriter json) throws IOException;
  }

  private interface Call {
    void run() throws IOException;
  }

  /** Writes one value as UTF-8 and a line's end; the stream stays open. */
  public static void write(OutputStream out, Content content) throws IOException {
    write(out, new RowPrinter(0), content, true);
  }

  /** The same with every field and every entry of a list on a line of its own. */
  public static void writeSpread(OutputStream out, Content content) throws IOException {
    write(out, new DefaultPrettyPrinter(), content, true);
  }

  /** The same without any space or line of its own. */
  public static void writeDense(OutputStream out, Content content) throws IOException {
    write(out, null, content, true);
  }

  /**
   * Writes the value of a field of the outermost object, laid out as it would be there; the stream
   * stays open.
   */
  public static void writeFieldValue(OutputStream out, Content content) throws IOException {
    write(out, new RowPrinter(1), content, false);
  }

  private static void write(OutputStream out, PrettyPrinter layout, Content content, boolean end)
      throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.setPrettyPrinter(layout);
      content.writeTo(new JsonWriter(json));
      if (end) {
        json.writeRaw('\n');
      }
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
  }

  /** One value as text. */
  public static String text(Content content) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      write(bytes, content);
      return bytes.toString(StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private JsonWriter call(Call call) {
    try {
      call.run();
      return this;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Begins an object, in a list or as the whole value. */
  public JsonWriter object() {
    return call(json::writeStartObject);
  }

  /** Begins an object that is the value of a field. */
  public JsonWriter object(String field) {
    return call(() -> json.writeObjectFieldStart(field));
  }

  /** Begins a list, in a list or as the whole value. */
  public JsonWriter array() {
    return call(json::writeStartArray);
  }

  /** Begins a list that is the value of a field. */
  public JsonWriter array(String field) {
    return call(() -> json.writeArrayFieldStart(field));
  }

  /** A field with a list of what {@code row} writes of each item. */
  public <T> JsonWriter array(String field, Iterable<T> items, Consumer<T> row) {
    array(field);
    items.forEach(row);
    return end();
  }

  /** Ends what was begun last and has not ended. */
  public JsonWriter end() {
    return call(json.getOutputContext().inArray() ? json::writeEndArray : json::writeEndObject);
  }

  /** A field with a text; null too. */
  public JsonWriter put(String field, String text) {
    try {
      json.writeStringField(field, text);
      return this;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A field with a text; nothing where that is null. */
  public JsonWriter putIfKnown(String field, String text) {
    return text == null ? this : put(field, text);
  }

  /** A field with a whole number. */
  public JsonWriter put(String field, long number) {
    try { // not by a call, as there are millions of these
      json.writeNumberField(field, number);
      return this;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A field with a number. */
  public JsonWriter put(String field, double number) {
    return call(() -> json.writeNumberField(field, number));
  }

  /** A field that is true or false. */
  public JsonWriter put(String field, boolean flag) {
    return call(() -> json.writeBooleanField(field, flag));
  }

  /** A field with null. */
  public JsonWriter putNull(String field) {
    return call(() -> json.writeNullField(field));
  }

  /** A field with a figure that may be missing: negative, infinite or no number becomes null. */
  public JsonWriter figure(String field, double figure) {
    boolean known = !Double.isNaN(figure) && !Double.isInfinite(figure) && figure >= 0;
    return known ? put(field, figure) : putNull(field);
  }

  /** A field with bytes or a count that may be missing: negative becomes null. */
  public JsonWriter bytes(String field, long bytes) {
    return bytes < 0 ? putNull(field) : put(field, bytes);
  }

  /** A field with a value made of maps, lists, texts, numbers, booleans and null. */
  public JsonWriter value(String field, Object value) {
    return name(field).value(value);
  }

  /** Such a value in a list or as the whole value. */
  public JsonWriter value(Object value) {
    if (value instanceof Map<?, ?> fields) {
      object();
      fields.forEach((field, inner) -> value(String.valueOf(field), inner));
      return end();
    } else if (value instanceof List<?> elements) {
      array();
      elements.forEach(this::value);
      return end();
    } else if (value instanceof Boolean flag) {
      return call(() -> json.writeBoolean(flag));
    } else if (value instanceof Double number) {
      return add(number.doubleValue());
    } else if (value instanceof Number number) {
      return add(number.longValue());
    }
    return add((String) value);
  }

  /** A field with a list of whole numbers. */
  public JsonWriter list(String field, long[] numbers) {
    return name(field).list(numbers);
  }

  /** A field with a list of whole numbers. */
  public JsonWriter list(String field, int[] numbers) {
    return name(field).list(numbers);
  }

  /** A field with a list of texts. */
  public JsonWriter list(String field, List<String> texts) {
    return value(field, texts);
  }

  /** A list of whole numbers, in a list. */
  public JsonWriter list(long[] numbers) {
    return call(() -> json.writeArray(numbers, 0, numbers.length));
  }

  /** A list of whole numbers, in a list. */
  public JsonWriter list(int[] numbers) {
    return call(() -> json.writeArray(numbers, 0, numbers.length));
  }

  /** A text in a list; null too. */
  public JsonWriter add(String text) {
    return call(() -> json.writeString(text));
  }

  /** A whole number in a list. */
  public JsonWriter add(long number) {
    return call(() -> json.writeNumber(number));
  }

  /** A number in a list. */
  public JsonWriter add(double number) {
    return call(() -> json.writeNumber(number));
  }

  /** The name of a field, whose value comes next. */
  public JsonWriter name(String field) {
    return call(() -> json.writeFieldName(field));
  }

  /** What is not to be looked at: it is JSON already, or between values. */
  public JsonWriter raw(String text) {
    return call(() -> json.writeRaw(text));
  }

  /** A value that is JSON already. */
  public JsonWriter rawValue(String text) {
    return call(() -> json.writeRawValue(text));
  }

  /** Sends what was written so far to the stream. */
  public JsonWriter flush() {
    return call(json::flush);
  }

  /**
   * Printer that breaks lines around the outermost object's fields, and the entries of lists right
   * in it.
   */
  private static final class RowPrinter extends DefaultPrettyPrinter {
    private static final long serialVersionUID = 1;
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");

    /** A printer that begins within so many objects and lists. */
    RowPrinter(int nesting) {
      super(
          Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER));
      indentObjectsWith(new DownTo(1));
      indentArraysWith(new DownTo(2));
      _nesting = nesting;
    }

    @Override
    public void writeEndObject(JsonGenerator json, int entries) throws IOException {
      close(json, entries, 0, '}');
    }

    @Override
    public void writeEndArray(JsonGenerator json, int entries) throws IOException {
      close(json, entries, 1, ']');
    }

    private void close(JsonGenerator json, int entries, int depth, char bracket)
        throws IOException {
      _nesting--;
      if (entries > 0) {
        new DownTo(depth).writeIndentation(json, _nesting);
      }
      json.writeRaw(bracket);
    }

    /** Indenter that breaks lines down to a depth, and leaves a space below. */
    private record DownTo(int depth) implements Indenter {
      @Override
      public void writeIndentation(JsonGenerator json, int level) throws IOException {
        if (level <= depth) {
          LINES.writeIndentation(json, level);
        } else {
          json.writeRaw(' ');
        }
      }

      @Override
      public boolean isInline() {
        return false;
      }
    }
  }
}

package stowage.report.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
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

/**
 * How JSON is laid out: the outer fields and the rows of lists are on lines of their own, what is
 * deeper stays on its line, so that a plan of a thousand buffers is read row by row.
 */
public final class JsonLayout {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonLayout() {}

  /** Writes one JSON value. */
  public interface Content {
    /** Writes the value. */
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** Writes one value as UTF-8 and a line's end; the stream stays open. */
  public static void write(OutputStream out, Content content) throws IOException {
    JsonGenerator json = FACTORY.createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new RowPrinter());
    content.writeTo(json);
    json.writeRaw('\n');
    json.close();
  }

  /**
   * Writes what is the value of a field of the outermost object, laid out as it would be there; the
   * stream stays open.
   */
  public static void writeFieldValue(OutputStream out, Content content) throws IOException {
    JsonGenerator json = FACTORY.createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new RowPrinter(1));
    content.writeTo(json);
    json.close();
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

  /** Writes a value made of maps, lists, strings, numbers, booleans and null. */
  public static void writeValue(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Map<?, ?> fields) {
      json.writeStartObject();
      for (Map.Entry<?, ?> field : fields.entrySet()) {
        json.writeFieldName(String.valueOf(field.getKey()));
        writeValue(json, field.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> elements) {
      json.writeStartArray();
      for (Object element : elements) {
        writeValue(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else {
      json.writeString((String) value); // null too
    }
  }

  /** A figure that may be missing: negative, infinite or no number at all becomes null. */
  public static void writeFigure(JsonGenerator json, String field, double figure)
      throws IOException {
    if (Double.isNaN(figure) || Double.isInfinite(figure) || figure < 0) {
      json.writeNullField(field);
    } else {
      json.writeNumberField(field, figure);
    }
  }

  /** Bytes that may be missing: negative becomes null. */
  public static void writeBytes(JsonGenerator json, String field, long bytes) throws IOException {
    if (bytes < 0) {
      json.writeNullField(field);
    } else {
      json.writeNumberField(field, bytes);
    }
  }

  /** Breaks lines around the outermost object's fields, and the entries of lists right in it. */
  private static final class RowPrinter extends DefaultPrettyPrinter {
    private static final long serialVersionUID = 1;
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");

    RowPrinter() {
      this(0);
    }

    /**
     * A printer that begins within something.
     *
     * @param nesting how many objects and lists are open already
     */
    RowPrinter(int nesting) {
      super(
          Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER));
      indentObjectsWith(new DownTo(1));
      indentArraysWith(new DownTo(2));
      _nesting = nesting;
    }

    @Override
    public DefaultPrettyPrinter createInstance() {
      return new RowPrinter();
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

    /** Breaks lines down to a depth, and leaves a space below. */
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

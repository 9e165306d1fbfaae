package stowage.importer.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import stowage.packing.InvalidProblemException;

/**
 * Single walk through a JSON file, without building a tree: for documents that may hold millions of
 * values. Every fault is an {@link InputException} that names the line, the column and the field.
 *
 * <p>The cursor always is on a value; reading it leaves the cursor on its last token.
 */
public final class JsonCursor implements AutoCloseable {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final Pattern SOURCE =
      Pattern.compile(
          "\\((?:start marker at|for \\w+ starting at) \\[.*?line: (\\d+), column: (\\d+)\\]\\)");

  /** What the parser's own words advise those who write programs with it. */
  private static final Pattern ADVICE =
      Pattern.compile("(: enable \\S+ to allow| \\(not recognized as one since .*?\\)).*");

  private final Path file;
  private final JsonParser parser;

  /** What trees need, which takes long to load. */
  private static final class Trees {
    private static final ObjectMapper MAPPER = new ObjectMapper();
  }

  /** Reader of the value of one field of an object. */
  @FunctionalInterface
  public interface FieldReader {
    /** Reads it; the cursor is on it. Returns false to leave the rest of the object unread. */
    boolean read(String name);
  }

  /** Opens a file and goes to its first value. */
  public JsonCursor(Path file) {
    this(file, InputFiles.open(file));
  }

  /** Goes to the first value of a document in UTF-8, which is closed with the cursor. */
  public JsonCursor(Path name, InputStream document) {
    this.file = name;
    this.parser = reading(() -> FACTORY.createParser(document));
    try {
      if (next() == null) {
        throw new InputException(file, "", "is empty; it should hold a JSON object");
      }
    } catch (InputException failure) {
      close();
      throw failure;
    }
  }

  private interface Reading<T> {
    T get() throws IOException;
  }

  private <T> T reading(Reading<T> reading) {
    try {
      return reading.get();
    } catch (IOException failure) {
      throw failure(file, failure);
    }
  }

  private JsonToken next() {
    return reading(parser::nextToken);
  }

  private static InputException failure(Path file, IOException failure) {
    if (failure instanceof JsonProcessingException malformed) {
      String what = ADVICE.matcher(malformed.getOriginalMessage()).replaceFirst("");
      return new InputException(
          file,
          place(malformed.getLocation()),
          "is not well-formed JSON: "
              + SOURCE.matcher(what).replaceAll("(opened at line $1, column $2)"),
          failure);
    }
    return InputFiles.unreadable(file, failure);
  }

  /** Reads each field of an object that may have the known ones, or any where that is null. */
  public void object(List<String> known, FieldReader reader) {
    if (!isObject()) {
      throw expected("an object { ... }");
    }
    long seen = 0;
    while (next() == JsonToken.FIELD_NAME) {
      String name = reading(parser::currentName);
      int index = known == null ? -1 : known.indexOf(name);
      if (known != null && index < 0) {
        throw fault("field \"" + name + "\" is not known" + Suggestion.advice(name, known));
      }
      if (index >= 0 && (seen & 1L << index) != 0) {
        throw fault("field \"" + name + "\" is defined twice");
      }
      seen |= index < 0 ? 0 : 1L << index;
      next();
      if (!reader.read(name)) {
        return;
      }
    }
  }

  /**
   * Reads an object that is no millions of: what the reader makes of its fields, by name, without
   * those of which it makes null; {@code known} as for {@link #object}.
   */
  public Map<String, Object> fields(List<String> known, Function<String, Object> reader) {
    Map<String, Object> fields = new HashMap<>();
    object(
        known,
        name -> {
          Object value = reader.apply(name);
          if (value != null) {
            fields.put(name, value);
          }
          return true;
        });
    return fields;
  }

  /** Reads an array; the element reader is run with the cursor on each element. */
  public void array(Runnable element) {
    if (!isArray()) {
      throw expected("an array [ ... ]");
    }
    while (next() != JsonToken.END_ARRAY) {
      element.run();
    }
  }

  /** Passes over the value, whatever it is. */
  public void skip() {
    reading(parser::skipChildren);
  }

  /** Passes over the value, and is null. */
  public Object skipped() {
    skip();
    return null;
  }

  /** Makes sure that nothing follows the document. */
  public void end() {
    if (next() != null) {
      throw new InputException(
          file, place(), "text follows the end of the document; it should end there");
    }
  }

  boolean isObject() {
    return parser.currentToken() == JsonToken.START_OBJECT;
  }

  boolean isArray() {
    return parser.currentToken() == JsonToken.START_ARRAY;
  }

  /** A text, a number or a flag as String, Long, BigInteger, Double or Boolean; or null. */
  Object scalar() {
    return reading(
        () ->
            switch (parser.currentToken()) {
              case VALUE_STRING -> parser.getText();
              case VALUE_NUMBER_INT ->
                  parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                      ? parser.getBigIntegerValue()
                      : (Object) parser.getLongValue();
              case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
              case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
              default -> null;
            });
  }

  /** Whether the value is {@code null}. */
  public boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  public String text() {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw expected("a text in quotation marks");
    }
    return raw();
  }

  /** A text that can be in our files as a name: not empty, no zero byte, sound Unicode. */
  public String label() {
    String text = text();
    if (text.isEmpty()) {
      throw expected("a name that is not empty");
    }
    for (int k = 0; k < text.length(); k = text.offsetByCodePoints(k, 1)) {
      int letter = text.codePointAt(k);
      if (letter == 0 || Character.getType(letter) == Character.SURROGATE) {
        throw fault("a name should contain no zero character and no half of a surrogate pair");
      }
    }
    return text;
  }

  /** A whole number of a range, both ends included. */
  public long integer(long least, long most) {
    boolean whole =
        parser.currentToken() == JsonToken.VALUE_NUMBER_INT
            && reading(parser::getNumberType) != JsonParser.NumberType.BIG_INTEGER;
    long value = whole ? reading(parser::getLongValue) : 0;
    if (whole && value >= least && value <= most) {
      return value;
    }
    throw expected(
        "a whole number "
            + (most == Long.MAX_VALUE
                ? "of " + least + " or more, and at most " + most
                : "between " + least + " and " + most));
  }

  /** A number of a range, both ends included; it may have a fraction. */
  public double number(double least, double most) {
    double value = parser.currentToken().isNumeric() ? reading(parser::getDoubleValue) : Double.NaN;
    if (value >= least && value <= most) {
      return value;
    }
    throw expected("a number between " + least + " and " + most);
  }

  public boolean flag() {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw expected("true or false");
    }
    return token == JsonToken.VALUE_TRUE;
  }

  /** Any value, as a tree: for those that are small. */
  public JsonNode tree() {
    return reading(() -> Trees.MAPPER.<JsonNode>readTree(parser));
  }

  private String raw() {
    return reading(parser::getText);
  }

  private InputException expected(String right) {
    boolean text = parser.currentToken() == JsonToken.VALUE_STRING;
    String shown = isObject() ? "an object" : isArray() ? "an array" : cut(raw(), text ? "\"" : "");
    return fault(shown + " should be " + right);
  }

  /** A text, a number, a flag or null as messages show it. */
  static String shown(Object value) {
    return cut(String.valueOf(value), value instanceof String ? "\"" : "");
  }

  private static String cut(String text, String quote) {
    return quote + (text.length() > 60 ? text.substring(0, 60) + "..." : text) + quote;
  }

  /** Refuses an object, just read, without some of the fields that it needs. */
  public void require(Map<String, Object> read, String... fields) {
    for (String field : fields) {
      require(read.containsKey(field), field);
    }
  }

  /** Refuses an object, just read, without a field that it needs. */
  public void require(boolean present, String field) {
    if (!present) {
      throw fault("field \"" + field + "\" is missing");
    }
  }

  /** What a maker makes; its {@link InvalidProblemException} as a fault at the cursor's place. */
  public <T> T checked(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (InvalidProblemException failure) {
      throw fault(failure.getMessage());
    }
  }

  /** A fault at the place of the cursor; {@code what} is a pattern where there are arguments. */
  public InputException fault(String what, Object... arguments) {
    String field = field();
    String where = field.isEmpty() ? place() : place() + ", field \"" + field + "\"";
    return new InputException(file, where, what, arguments);
  }

  /** The line of the cursor, counted from 1. */
  public int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  /** The column of the cursor, counted from 1. */
  int column() {
    return parser.currentTokenLocation().getColumnNr();
  }

  private String place() {
    return place(parser.currentTokenLocation());
  }

  private static String place(JsonLocation at) {
    return at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  /** Where the cursor is in the document, such as {@code buffers[3].size}. */
  private String field() {
    StringBuilder path = new StringBuilder();
    for (JsonStreamContext at = parser.getParsingContext(); at != null; at = at.getParent()) {
      if (at.inObject() && at.hasCurrentName()) {
        path.insert(0, at.getCurrentName()).insert(0, '.');
      } else if (at.inArray() && at.hasCurrentIndex()) {
        path.insert(0, "[" + at.getCurrentIndex() + "]");
      }
    }
    return path.length() > 0 && path.charAt(0) == '.' ? path.substring(1) : path.toString();
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException ignored) {
      // Nothing was written, and what was read is valid; there is nothing to lose.
    }
  }
}

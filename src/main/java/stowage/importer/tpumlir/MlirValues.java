package stowage.importer.tpumlir;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reader of the small parts of MLIR: attributes, operands, symbols, counts. */
final class MlirValues {
  /** More than any number needs; reading a number takes time that grows with their square. */
  private static final int MOST_DIGITS = 1_000;

  /**
   * The most results or the like that a count may give; keeps a forged count from filling memory.
   */
  private static final long MOST = 100_000;

  private final MlirCursor cursor;
  private final Map<String, Object> attributeAliases = new HashMap<>();
  private final MlirLocations locations;
  private final MlirTypes types;

  MlirValues(MlirCursor cursor) {
    this.cursor = cursor;
    this.locations = new MlirLocations(cursor);
    this.types = new MlirTypes(cursor, this);
  }

  /** Reads locations; those of this file share the names that are used before they are defined. */
  MlirLocations locations() {
    return locations;
  }

  /** Reads types; those of this file share the names that are defined. */
  MlirTypes types() {
    return types;
  }

  void define(String alias, Object value) {
    attributeAliases.put(alias, value);
  }

  long count(String what) {
    String digits = cursor.digits();
    if (digits.isEmpty() || digits.length() > 9 || Long.parseLong(digits) > MOST) {
      throw cursor.fault("the count of " + what + " should be between 0 and " + MOST);
    }
    return Long.parseLong(digits);
  }

  /** {@code %a, %b#1} up to a closing character, which is not read. */
  List<String> operands(char closer) {
    List<String> operands = new ArrayList<>();
    cursor.list(
        closer,
        () -> {
          String name = "%" + cursor.suffix('%', "an operand");
          if (cursor.next() == '#') {
            cursor.skip();
            name += "#" + count("the result");
          }
          operands.add(name);
        });
    return operands;
  }

  /** A name after {@code @}, or several joined by {@code ::}. */
  String symbol() {
    cursor.expect("@", "before a symbol's name");
    String name = cursor.next() == '"' ? cursor.string() : cursor.word("a symbol's name");
    while (cursor.accept("::")) {
      name += "::" + symbol();
    }
    return name;
  }

  /** Passes over {@code {key = value, flag}} if it is next. */
  void skipDictionary() {
    if (cursor.sees("{")) {
      dictionary(new HashMap<>());
    }
  }

  /**
   * {@code {key = value, flag}}.
   *
   * @param texts gets each value's text, empty for a flag, by the key as it is written
   */
  Map<String, Object> dictionary(Map<String, String> texts) {
    return cursor.nested(
        () -> {
          Map<String, Object> entries = new LinkedHashMap<>();
          cursor.list("{", '}', "attributes", () -> entry(entries, texts));
          return entries;
        });
  }

  private void entry(Map<String, Object> entries, Map<String, String> texts) {
    int start = cursor.position();
    String key = cursor.peek() == '"' ? cursor.string() : cursor.word("an attribute's name");
    String written = cursor.between(start, cursor.end());
    Object value = Boolean.TRUE;
    String text = "";
    if (cursor.accept("=")) {
      int from = cursor.position();
      value = attribute();
      text = cursor.between(from, cursor.end());
    }
    if (entries.put(key, value) != null) {
      throw cursor.fault("attribute " + key + " is defined twice");
    }
    texts.put(written, text);
  }

  /**
   * The value of an attribute: Long, Double, Boolean, String, List or Map. A type after a number is
   * passed over. What has no such form, such as {@code dense<..>}, comes as its text.
   */
  Object attribute() {
    return cursor.nested(this::attributeValue);
  }

  private Object attributeValue() {
    char c = cursor.peek();
    if (c == '[') {
      List<Object> elements = new ArrayList<>();
      cursor.list("[", ']', "a list", () -> elements.add(attribute()));
      return elements;
    } else if (c == '{') {
      return dictionary(new HashMap<>());
    } else if (c == '"') {
      return typed(cursor.string());
    } else if (c == '@') {
      return symbol();
    } else if (c == '#') {
      return dialectAttribute();
    } else if (c == '!' || c == '(') {
      return types.type().text();
    } else if (c == '-' || MlirCursor.isDigit(c)) {
      return number();
    }
    if (cursor.acceptWord("true") || cursor.acceptWord("unit")) {
      return Boolean.TRUE;
    }
    if (cursor.acceptWord("false")) {
      return Boolean.FALSE;
    }
    if (cursor.seesWord("loc")) {
      locations.location();
      return "";
    }
    if (cursor.acceptWord("array")) {
      return array();
    }
    for (String opaque : List.of("dense", "dense_resource", "sparse", "opaque")) {
      if (cursor.acceptWord(opaque)) {
        cursor.expect("<", "after " + opaque);
        String value = opaque + "<" + cursor.balanced(">", opaque) + ">";
        cursor.skip();
        return typed(value);
      }
    }
    return types.type().text();
  }

  /** {@code array<i64: 1, 2>}, its first word read. */
  private List<Object> array() {
    cursor.expect("<", "after array");
    cursor.word("the array's element type");
    List<Object> elements = new ArrayList<>();
    if (cursor.accept(":")) {
      do {
        elements.add(attribute());
      } while (cursor.accept(","));
    }
    cursor.expect(">", "after an array");
    return elements;
  }

  private Object number() {
    int start = cursor.position();
    boolean negative = cursor.accept("-");
    if (negative && cursor.acceptWord("inf")) {
      return typed(Double.NEGATIVE_INFINITY);
    }
    int from = cursor.position();
    cursor.digits();
    if (cursor.end() == from) {
      throw cursor.fault("expected a number");
    }
    boolean hexadecimal = cursor.next() == 'x' && cursor.end() == from + 1;
    boolean decimal = false;
    if (hexadecimal) {
      cursor.skip();
      cursor.word("hexadecimal digits");
    } else if (cursor.next() == '.') {
      decimal = true;
      cursor.skip();
      cursor.digits();
      if (cursor.next() == 'e' || cursor.next() == 'E') {
        cursor.skip();
        if (cursor.next() == '-' || cursor.next() == '+') {
          cursor.skip();
        }
        cursor.digits();
      }
    }
    String digits = cursor.between(from, cursor.end());
    if (digits.length() > MOST_DIGITS) {
      throw cursor.fault("a number has " + digits.length() + " digits");
    }
    try {
      if (decimal) {
        return typed(Double.parseDouble((negative ? "-" : "") + digits));
      }
      BigInteger whole =
          hexadecimal ? new BigInteger(digits.substring(2), 16) : new BigInteger(digits);
      whole = negative ? whole.negate() : whole;
      return typed(whole.bitLength() < 64 ? (Object) whole.longValue() : whole.doubleValue());
    } catch (NumberFormatException malformed) {
      throw cursor.fault("\"" + cursor.between(start, cursor.end()) + "\" is not a number");
    }
  }

  /** A value behind which a type may be, which is passed over. */
  private Object typed(Object value) {
    if (cursor.sees(":") && !cursor.sees("::")) {
      cursor.expect(":", "before a type");
      types.type();
    }
    return value;
  }

  /**
   * {@code #alias}, {@code #tpu<kind VALUE>}, {@code #tpu.kind<VALUE>} or {@code #tpu.lg<key =
   * value, ..>}: the value's text, or a map where there are keys.
   */
  private Object dialectAttribute() {
    String name = "#" + cursor.suffix('#', "an attribute");
    if (cursor.next() != '<') {
      Object defined = attributeAliases.get(name);
      if (defined != null) {
        return defined;
      }
      if (name.startsWith("#loc")) {
        locations.use(name, cursor.line(cursor.position()));
      }
      return name;
    }
    cursor.skip();
    if (!name.contains(".")) {
      cursor.word("the attribute's kind"); // #tpu<round_mode HalfUp>
      if (cursor.next() == '<') {
        cursor.skip();
        Object value = dialectBody();
        cursor.expect(">", "after an attribute");
        return value;
      }
    }
    return dialectBody();
  }

  /** What is between the angle brackets, and the closing one. */
  private Object dialectBody() {
    int start = cursor.position();
    if (MlirCursor.isWord(cursor.peek())) {
      String word = cursor.word("a value");
      if (cursor.accept(">")) {
        return word;
      }
      if (cursor.accept("=")) {
        Map<String, Object> entries = new LinkedHashMap<>();
        entries.put(word, attribute());
        if (cursor.accept(",")) {
          cursor.list('>', () -> entry(entries, new HashMap<>()));
        }
        cursor.expect(">", "after an attribute");
        return entries;
      }
    }
    cursor.balanced(">", "an attribute");
    String body = cursor.between(start, cursor.end());
    cursor.skip();
    return body;
  }
}

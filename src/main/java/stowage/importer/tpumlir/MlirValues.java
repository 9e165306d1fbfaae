package stowage.importer.tpumlir;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Reader of the small parts of MLIR: attributes, operands, symbols, counts, and types; of those
 * that are no tensors only the text matters.
 */
final class MlirValues {
  /** More than any number needs; reading a number takes time that grows with their square. */
  private static final int MOST_DIGITS = 1_000;

  /** Digits with what may follow them, {@code 0x} and hexadecimal ones too. */
  private static final Pattern NUMBER =
      Pattern.compile("\\dx[\\w.$]+|\\d+(?:\\.\\d*(?:[eE][-+]?\\d*)?)?");

  /** The most results or the like that a count may give: a forged count could fill memory. */
  private static final long MOST = 100_000;

  private final MlirCursor cursor;
  private final Map<String, Object> attributeAliases = new HashMap<>();

  /** Reader of locations; those of this file share the names that are used before defined. */
  final MlirLocations locations;

  private final Map<String, MlirType> typeAliases = new HashMap<>();

  MlirValues(MlirCursor cursor) {
    this.cursor = cursor;
    this.locations = new MlirLocations(cursor);
  }

  /** Gives a type a name, such as {@code !quant0}. */
  void defineType(String alias, MlirType type) {
    typeAliases.put(alias, type);
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

  /** {@code {key = value, flag}}; {@code texts} gets each value's text by key, empty for a flag. */
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
      return type().text();
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
    return type().text();
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
    String sign = cursor.accept("-") ? "-" : "";
    if (!sign.isEmpty() && cursor.acceptWord("inf")) {
      return typed(Double.NEGATIVE_INFINITY);
    }
    cursor.position();
    String digits = cursor.match(NUMBER);
    if (digits.isEmpty()) {
      throw cursor.fault("expected a number");
    }
    if (digits.length() > MOST_DIGITS) {
      throw cursor.fault("a number has " + digits.length() + " digits");
    }
    boolean hexadecimal = digits.indexOf('x') == 1;
    try {
      if (!hexadecimal && digits.contains(".")) {
        return typed(Double.parseDouble(sign + digits));
      }
      BigInteger whole =
          hexadecimal
              ? new BigInteger(sign + digits.substring(2), 16)
              : new BigInteger(sign + digits);
      return typed(whole.bitLength() < 64 ? (Object) whole.longValue() : whole.doubleValue());
    } catch (NumberFormatException malformed) {
      throw cursor.fault("\"" + sign + digits + "\" is not a number");
    }
  }

  /** A value; a type that follows it is passed over. */
  private Object typed(Object value) {
    if (cursor.sees(":") && !cursor.sees("::")) {
      cursor.expect(":", "before a type");
      type();
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

  /** {@code (type, type)}, or a single type where the brackets may be left out. */
  List<MlirType> several(boolean brackets) {
    List<MlirType> types = new ArrayList<>();
    if (!brackets && !cursor.sees("(")) {
      types.add(type());
      return types;
    }
    cursor.list(
        "(",
        ')',
        "types",
        () -> {
          types.add(type());
          skipDictionary();
        });
    return types;
  }

  /** The types a function in generic form returns, which are in an attribute. */
  List<MlirType> functionResults(Map<String, Object> attributes) {
    Object type = attributes.getOrDefault("function_type", attributes.get("type"));
    if (!(type instanceof String text) || !text.contains("->")) {
      return List.of();
    }
    MlirCursor inner = cursor.over(text.substring(text.indexOf("->") + 2));
    List<MlirType> types = new MlirValues(inner).several(false);
    types.replaceAll(one -> one.at(-1, -1));
    return types;
  }

  MlirType type() {
    return cursor.nested(
        () -> {
          int start = cursor.position();
          if (cursor.acceptWord("tensor")) {
            return tensor(start);
          }
          if (cursor.peek() == '(') {
            several(true);
            cursor.expect("->", "in a function's type");
            several(false);
          } else if (cursor.peek() == '!') {
            String alias = "!" + cursor.suffix('!', "a type");
            cursor.skipParameters("a type");
            MlirType defined = typeAliases.get(alias);
            if (defined != null && cursor.next() != '<') {
              return defined.at(start, cursor.end());
            }
          } else {
            cursor.word("a type");
            cursor.skipParameters("a type");
          }
          int end = cursor.end();
          String text = cursor.between(start, end);
          return new MlirType(false, List.of(), text, OptionalLong.empty(), text, start, end);
        });
  }

  /** {@code tensor<1x3x?xf16, 4096 : i64>}, its first word read. */
  private MlirType tensor(int start) {
    cursor.expect("<", "after tensor");
    cursor.position();
    List<Long> shape = new ArrayList<>();
    while (cursor.next() == '?' || cursor.next() == '*' || MlirCursor.isDigit(cursor.next())) {
      if (cursor.next() == '*') {
        throw cursor.fault("tensors without a rank are not understood; shapes should be given");
      }
      if (cursor.next() == '?') {
        cursor.skip();
        shape.add(-1L);
      } else {
        String digits = cursor.digits();
        if (digits.length() > 18) {
          throw cursor.fault("extent " + digits + " is too large");
        }
        shape.add(Long.parseLong(digits));
      }
      cursor.expectNext('x', "after an extent");
    }
    int from = cursor.position();
    cursor.balanced(",>", "a tensor's element type");
    String element = cursor.between(from, cursor.end()).strip();
    if (element.isEmpty()) {
      throw cursor.fault("expected a tensor's element type");
    }
    OptionalLong address = OptionalLong.empty();
    while (cursor.accept(",")) {
      Object encoding = attribute();
      if (encoding instanceof Long value) {
        address = OptionalLong.of(value);
      }
    }
    cursor.expect(">", "after a tensor's type");
    MlirType defined = typeAliases.get(element);
    String stored = defined == null ? element : defined.text();
    int end = cursor.end();
    return new MlirType(true, shape, stored, address, cursor.between(start, end), start, end);
  }
}

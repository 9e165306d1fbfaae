package stowage.importer.tpumlir;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Reads the small parts of MLIR: attributes, types, locations, operands. */
final class MlirValues {
  /** More than any number needs; reading a number takes time that grows with their square. */
  private static final int MOST_DIGITS = 1_000;

  /**
   * The most results or the like a count may stand for; keeps a forged count from filling memory.
   */
  private static final long MOST = 100_000;

  private final MlirCursor cursor;
  private final Map<String, Object> attributeAliases = new HashMap<>();
  private final Map<String, String> typeAliases = new HashMap<>();
  private final Map<String, Integer> usedLocations = new LinkedHashMap<>();

  MlirValues(MlirCursor cursor) {
    this.cursor = cursor;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  void define(String alias, Object value) {
    attributeAliases.put(alias, value);
  }

  void defineType(String alias, String text) {
    typeAliases.put(alias, text);
  }

  /** Makes sure that every location used by name is defined. */
  void checkAliases(Collection<String> defined) {
    usedLocations.forEach(
        (alias, line) -> {
          if (!defined.contains(alias)) {
            throw cursor.fault(
                line, "location " + alias + " is not defined; it should be, at the file's end");
          }
        });
  }

  /** A count after a colon. */
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
    while (cursor.peek() != closer) {
      String name = "%" + cursor.suffix('%', "an operand");
      if (cursor.next() == '#') {
        cursor.skip();
        name += "#" + count("the result");
      }
      operands.add(name);
      if (!cursor.accept(",")) {
        break;
      }
    }
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

  /** {@code {key = value, flag}}. */
  Map<String, Object> dictionary() {
    return cursor.nested(
        () -> {
          cursor.expect("{", "before attributes");
          Map<String, Object> entries = entries('}');
          cursor.expect("}", "after attributes");
          return entries;
        });
  }

  private Map<String, Object> entries(char closer) {
    Map<String, Object> entries = new LinkedHashMap<>();
    while (cursor.peek() != closer) {
      String key = cursor.peek() == '"' ? cursor.string() : cursor.word("an attribute's name");
      Object value = cursor.accept("=") ? attribute() : Boolean.TRUE;
      if (entries.put(key, value) != null) {
        throw cursor.fault("attribute " + key + " stands twice");
      }
      if (!cursor.accept(",")) {
        break;
      }
    }
    return entries;
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
    switch (c) {
      case '[':
        return list();
      case '{':
        return dictionary();
      case '"':
        String text = cursor.string();
        typeSuffix();
        return text;
      case '@':
        return symbol();
      case '#':
        return dialectAttribute();
      case '!', '(':
        return type().text();
      default:
        break;
    }
    if (c == '-' || isDigit(c)) {
      return number();
    }
    if (cursor.acceptWord("true")) {
      return Boolean.TRUE;
    }
    if (cursor.acceptWord("false")) {
      return Boolean.FALSE;
    }
    if (cursor.acceptWord("unit")) {
      return Boolean.TRUE;
    }
    if (cursor.seesWord("loc")) {
      location();
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
        typeSuffix();
        return value;
      }
    }
    return type().text();
  }

  private List<Object> list() {
    cursor.expect("[", "before a list");
    List<Object> elements = new ArrayList<>();
    while (cursor.peek() != ']') {
      elements.add(attribute());
      if (!cursor.accept(",")) {
        break;
      }
    }
    cursor.expect("]", "after a list");
    return elements;
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
      typeSuffix();
      return Double.NEGATIVE_INFINITY;
    }
    int from = cursor.position();
    cursor.digits();
    if (cursor.end() == from) {
      throw cursor.fault("a number should stand");
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
      Object value;
      if (decimal) {
        value = Double.parseDouble((negative ? "-" : "") + digits);
      } else {
        BigInteger whole =
            hexadecimal ? new BigInteger(digits.substring(2), 16) : new BigInteger(digits);
        whole = negative ? whole.negate() : whole;
        value = whole.bitLength() < 64 ? (Object) whole.longValue() : (Object) whole.doubleValue();
      }
      typeSuffix();
      return value;
    } catch (NumberFormatException malformed) {
      throw cursor.fault("\"" + cursor.between(start, cursor.end()) + "\" is no number");
    }
  }

  private void typeSuffix() {
    if (cursor.sees(":") && !cursor.sees("::")) {
      cursor.expect(":", "before a type");
      type();
    }
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
        usedLocations.putIfAbsent(name, cursor.line(cursor.position()));
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

  /** What stands between the angle brackets, and the closing one. */
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
          entries.putAll(entries('>'));
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
  List<MlirType> types(boolean brackets) {
    List<MlirType> types = new ArrayList<>();
    if (!brackets && !cursor.sees("(")) {
      types.add(type());
      return types;
    }
    cursor.expect("(", "before types");
    while (cursor.peek() != ')') {
      types.add(type());
      if (cursor.sees("{")) {
        dictionary();
      }
      if (!cursor.accept(",")) {
        break;
      }
    }
    cursor.expect(")", "after types");
    return types;
  }

  /** The types a function in generic form returns, which stand in an attribute. */
  List<MlirType> functionResults(Map<String, Object> attributes) {
    Object type = attributes.getOrDefault("function_type", attributes.get("type"));
    if (!(type instanceof String text) || !text.contains("->")) {
      return List.of();
    }
    MlirCursor inner = cursor.over(text.substring(text.indexOf("->") + 2));
    List<MlirType> types = new MlirValues(inner).types(false);
    types.replaceAll(MlirType::withoutPlace);
    return types;
  }

  /** A type. */
  MlirType type() {
    return cursor.nested(
        () -> {
          int start = cursor.position();
          if (cursor.acceptWord("tensor")) {
            return tensor(start);
          }
          if (cursor.peek() == '(') {
            types(true);
            cursor.expect("->", "in a function's type");
            types(false);
          } else if (cursor.peek() == '!') {
            String alias = "!" + cursor.suffix('!', "a type");
            parameters();
            String defined = typeAliases.get(alias);
            if (defined != null && cursor.next() != '<') {
              MlirCursor inner = cursor.over(defined);
              MlirType type = new MlirValues(inner).type();
              return new MlirType(
                  type.tensor(),
                  type.shape(),
                  type.element(),
                  type.address(),
                  type.text(),
                  start,
                  cursor.end());
            }
          } else {
            cursor.word("a type");
            parameters();
          }
          return other(start);
        });
  }

  private void parameters() {
    if (cursor.next() == '<') {
      cursor.skip();
      cursor.balanced(">", "a type");
      cursor.skip();
    }
  }

  private MlirType other(int start) {
    String text = cursor.between(start, cursor.end());
    return new MlirType(false, List.of(), text, OptionalLong.empty(), text, start, cursor.end());
  }

  /** {@code tensor<1x3x?xf16, 4096 : i64>}, its first word read. */
  private MlirType tensor(int start) {
    cursor.expect("<", "after tensor");
    cursor.position();
    List<Long> shape = new ArrayList<>();
    while (cursor.next() == '?' || cursor.next() == '*' || isDigit(cursor.next())) {
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
      throw cursor.fault("a tensor's element type should stand");
    }
    OptionalLong address = OptionalLong.empty();
    while (cursor.accept(",")) {
      Object encoding = attribute();
      if (encoding instanceof Long value) {
        address = OptionalLong.of(value);
      }
    }
    cursor.expect(">", "after a tensor's type");
    return new MlirType(
        true,
        shape,
        typeAliases.getOrDefault(element, element),
        address,
        cursor.between(start, cursor.end()),
        start,
        cursor.end());
  }

  /** {@code loc(..)} if it stands next. */
  MlirLocation trailingLocation() {
    return cursor.seesWord("loc") ? location() : new MlirLocation.Unknown();
  }

  /** {@code loc(..)}. */
  MlirLocation location() {
    cursor.expect("loc", "before a location");
    cursor.expect("(", "after loc");
    MlirLocation location = locationBody();
    cursor.expect(")", "after a location");
    return location;
  }

  private MlirLocation locationBody() {
    return cursor.nested(
        () -> {
          if (cursor.peek() == '#') {
            int line = cursor.line(cursor.position());
            String alias = "#" + cursor.suffix('#', "a location");
            usedLocations.putIfAbsent(alias, line);
            return new MlirLocation.Alias(alias, line);
          }
          if (cursor.peek() == '"') {
            return namedLocation();
          }
          if (cursor.acceptWord("fused")) {
            return fusedLocation();
          }
          if (cursor.acceptWord("callsite")) {
            return callSite();
          }
          cursor.balanced(",)]", "a location"); // unknown
          return new MlirLocation.Unknown();
        });
  }

  /**
   * {@code (callee at caller)}; a tensor's name is what stands in the function that is called. A
   * callee without a name is skipped together with its caller.
   */
  private MlirLocation callSite() {
    cursor.expect("(", "after callsite");
    MlirLocation callee = locationBody();
    if (cursor.acceptWord("at")) {
      locationBody();
    }
    cursor.expect(")", "after a call site");
    return callee;
  }

  /** {@code "name"}, {@code "name"(inner)} or {@code "file":line:column}. */
  private MlirLocation namedLocation() {
    String name = cursor.string();
    if (cursor.accept(":")) {
      cursor.balanced(",)]", "a location");
      return new MlirLocation.Unknown();
    }
    if (cursor.accept("(")) {
      locationBody();
      cursor.expect(")", "after a location");
    }
    return new MlirLocation.Named(name);
  }

  /** {@code fused[..]} or {@code fused<metadata>[..]}, its first word read. */
  private MlirLocation fusedLocation() {
    parameters();
    cursor.expect("[", "after fused");
    List<MlirLocation> parts = new ArrayList<>();
    while (cursor.peek() != ']') {
      parts.add(cursor.acceptWord("loc") ? bracketed() : locationBody());
      if (!cursor.accept(",")) {
        break;
      }
    }
    cursor.expect("]", "after fused locations");
    return new MlirLocation.Fused(List.copyOf(parts));
  }

  private MlirLocation bracketed() {
    cursor.expect("(", "after loc");
    MlirLocation location = locationBody();
    cursor.expect(")", "after a location");
    return location;
  }
}

package stowage.importer.inductor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Evaluator of the whole numbers that PyTorch Inductor writes into its wrapper code: sums,
 * differences, products, quotients rounded down, powers, {@code align(..)} (up to the next 64),
 * {@code max} and {@code min}, over numbers and the names of free dimensions such as {@code s0}.
 */
final class PythonSizes {
  private static final long POOL_ALIGNMENT = 64;
  private static final int DEEPEST = 200;

  private final String text;
  private final Map<String, Long> dimensions;
  private final Set<String> free;
  private int at;
  private int depth;

  private PythonSizes(String text, Map<String, Long> dimensions, Set<String> free) {
    this.text = text;
    this.dimensions = dimensions;
    this.free = free;
  }

  /**
   * The value of an expression by values of names; 1 where names, which {@code free} gets, have
   * none. It is a fault when it is no number, or exceeds a long.
   */
  static long of(String text, Map<String, Long> dimensions, Set<String> free) {
    PythonSizes sizes = new PythonSizes(text, dimensions, new TreeSet<>());
    long value = sizes.sum();
    if (sizes.peek() != 0) {
      throw new ArithmeticException("\"" + text + "\" is no whole number");
    }
    free.addAll(sizes.free);
    return sizes.free.isEmpty() ? value : 1;
  }

  /**
   * Elements from the first to the last one of an array, by its shape and its strides, such as
   * {@code (4, 8)} and {@code (8, 1)}.
   *
   * @throws ArithmeticException when these are no tuples of as many numbers, or exceed a long
   */
  static long elements(
      String shape, String strides, Map<String, Long> dimensions, Set<String> free) {
    List<String> extents = split(inside(shape));
    List<String> steps = split(inside(strides));
    if (extents.size() != steps.size()) {
      throw new ArithmeticException(
          "has " + extents.size() + " extents and " + steps.size() + " strides");
    }
    long elements = 1;
    for (int k = 0; k < extents.size(); k++) {
      long extent = of(extents.get(k), dimensions, free);
      if (extent == 0) {
        return 0;
      }
      long step = of(steps.get(k), dimensions, free);
      elements = Math.addExact(elements, Math.multiplyExact(extent - 1, step));
    }
    return elements;
  }

  private static String inside(String tuple) {
    String text = tuple.strip();
    if (!text.startsWith("(") || !text.endsWith(")")) {
      throw new ArithmeticException(
          "\"" + text + "\" should be a shape in parentheses, such as (4, 8)");
    }
    return text.substring(1, text.length() - 1);
  }

  private char peek() {
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean accept(String symbol) {
    if (peek() != 0 && text.startsWith(symbol, at)) {
      at += symbol.length();
      return true;
    }
    return false;
  }

  private long sum() {
    deepen();
    long value = product();
    while (true) {
      if (accept("+")) {
        value = Math.addExact(value, product());
      } else if (accept("-")) {
        value = Math.subtractExact(value, product());
      } else {
        depth--;
        return value;
      }
    }
  }

  private void deepen() {
    if (++depth > DEEPEST) {
      throw new ArithmeticException("\"" + text + "\" is nested too deeply");
    }
  }

  private long product() {
    long value = power();
    while (true) {
      if (accept("//")) {
        long by = power();
        value = free.isEmpty() ? Math.floorDiv(value, by) : 0;
      } else if (accept("*")) {
        value = Math.multiplyExact(value, power());
      } else {
        return value;
      }
    }
  }

  private long power() {
    deepen();
    long value = accept("-") ? Math.negateExact(power()) : raised(factor());
    depth--;
    return value;
  }

  private long raised(long base) {
    if (!accept("**")) {
      return base;
    }
    long exponent = power();
    if (exponent < 0) {
      throw new ArithmeticException("\"" + text + "\" is no whole number");
    }
    if (Math.abs(base) <= 1) {
      return exponent % 2 == 0 && (base != 0 || exponent == 0) ? 1 : base;
    }
    long value = 1;
    for (long k = 0; k < exponent; k++) {
      value = Math.multiplyExact(value, base);
    }
    return value;
  }

  private long factor() {
    if (accept("(")) {
      long value = sum();
      close();
      return value;
    }
    int start = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || "_.".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    String word = text.substring(start, at);
    if (word.isEmpty()) {
      throw new ArithmeticException("\"" + text + "\" is no whole number");
    }
    if (Character.isDigit(word.charAt(0))) {
      try {
        return Long.parseLong(word);
      } catch (NumberFormatException none) {
        throw new ArithmeticException("\"" + word + "\" is no whole number");
      }
    }
    return accept("(") ? function(word) : named(word);
  }

  private long named(String name) {
    Long value = dimensions.get(name);
    if (value == null) {
      free.add(name);
      return 1;
    }
    return value;
  }

  private long function(String name) {
    List<Long> values = new ArrayList<>();
    do {
      values.add(sum());
    } while (accept(","));
    close();
    return switch (name) {
      case "align" ->
          Math.multiplyExact(
              Math.floorDiv(Math.addExact(values.get(0), POOL_ALIGNMENT - 1), POOL_ALIGNMENT),
              POOL_ALIGNMENT);
      case "max" -> values.stream().mapToLong(Long::longValue).max().orElse(0);
      case "min" -> values.stream().mapToLong(Long::longValue).min().orElse(0);
      default -> throw new ArithmeticException("\"" + name + "\" is a function that is not known");
    };
  }

  private void close() {
    if (!accept(")")) {
      throw new ArithmeticException("\"" + text + "\" lacks a closing parenthesis");
    }
  }

  /** Splits at commas outside of brackets; nothing for an empty text, nor after a last comma. */
  static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int open = 0;
    int from = 0;
    for (int k = 0; k < text.length(); k++) {
      char c = text.charAt(k);
      open += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
      if (c == ',' && open == 0) {
        parts.add(text.substring(from, k).strip());
        from = k + 1;
      }
    }
    String last = text.substring(from).strip();
    if (!last.isEmpty()) {
      parts.add(last);
    }
    return parts;
  }
}

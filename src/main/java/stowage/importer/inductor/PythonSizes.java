package stowage.importer.inductor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Evaluates the whole numbers that PyTorch Inductor writes into its wrapper code: sums,
 * differences, products, quotients rounded down, powers, {@code align(..)} (up to the next 64),
 * {@code max} and {@code min}, over numbers and the names of free dimensions such as {@code s0}.
 */
final class PythonSizes {
  private static final long POOL_ALIGNMENT = 64;
  private static final int DEEPEST = 100;

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

  /** A name without a value. */
  static final class FreeException extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Set<String> names;

    FreeException(Set<String> names) {
      super("free: " + names);
      this.names = names;
    }

    /** The names. */
    Set<String> names() {
      return names;
    }
  }

  /**
   * The value of an expression.
   *
   * @throws FreeException when names in it have no value
   * @throws ArithmeticException when it is none, or exceeds a long
   */
  static long of(String text, Map<String, Long> dimensions) throws FreeException {
    Set<String> free = new TreeSet<>();
    PythonSizes sizes = new PythonSizes(text, dimensions, free);
    long value = sizes.sum();
    if (sizes.peek() != 0) {
      throw new ArithmeticException("\"" + text + "\" is no whole number");
    }
    if (!free.isEmpty()) {
      throw new FreeException(free);
    }
    return value;
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
    if (++depth > DEEPEST) {
      throw new ArithmeticException("\"" + text + "\" is nested too deeply");
    }
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
    long base = factor();
    if (!accept("**")) {
      return base;
    }
    long exponent = power();
    long value = 1;
    for (long k = 0; k < exponent && k < Long.SIZE; k++) {
      value = Math.multiplyExact(value, base);
    }
    return value;
  }

  private long factor() {
    if (accept("-")) {
      return Math.negateExact(factor());
    }
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

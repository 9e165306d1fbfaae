package stowage.cli.terminal;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reader of durations such as {@code 10}, {@code 500ms}, {@code 1.5h} and {@code 1m30s}. */
public final class Seconds implements ITypeConverter<Double> {
  private static final Map<String, BigDecimal> UNITS =
      Map.of(
          "ms",
          new BigDecimal("0.001"),
          "s",
          BigDecimal.ONE,
          "sec",
          BigDecimal.ONE,
          "m",
          BigDecimal.valueOf(60),
          "min",
          BigDecimal.valueOf(60),
          "h",
          BigDecimal.valueOf(3600));

  @Override
  public Double convert(String text) {
    String left = text.trim().toLowerCase(Locale.ROOT);
    if (!left.chars().allMatch(c -> c < 128)) {
      throw wrong(text);
    }
    try {
      return new BigDecimal(left).doubleValue();
    } catch (NumberFormatException withUnits) {
      // Read below.
    }
    boolean negative = left.startsWith("-");
    left = negative ? left.substring(1) : left;
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal last = null;
    while (!left.isEmpty()) {
      int digits = prefix(left, true);
      int unit = digits + prefix(left.substring(digits), false);
      BigDecimal seconds = UNITS.get(left.substring(digits, unit).trim());
      // Units fall, as in 1m30s; "30s1m" is a slip.
      if (digits == 0 || seconds == null || last != null && seconds.compareTo(last) >= 0) {
        throw wrong(text);
      }
      try {
        sum = sum.add(new BigDecimal(left.substring(0, digits)).multiply(seconds));
      } catch (NumberFormatException malformed) {
        throw wrong(text);
      }
      last = seconds;
      left = left.substring(unit).trim();
    }
    if (last == null) {
      throw wrong(text);
    }
    return negative ? -sum.doubleValue() : sum.doubleValue();
  }

  /** How many characters at the start belong to a number, or to a unit. */
  private static int prefix(String text, boolean number) {
    int length = 0;
    while (length < text.length() && "0123456789.".indexOf(text.charAt(length)) >= 0 == number) {
      length++;
    }
    return length;
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException(
        "'" + text + "' is not a duration: write seconds such as 10, or 10s, 500ms, 2m, 1h");
  }
}

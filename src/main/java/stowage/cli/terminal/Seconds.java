package stowage.cli.terminal;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reader of durations such as {@code 10}, {@code 500ms}, {@code 1.5h} and {@code 1m30s}. */
public final class Seconds implements ITypeConverter<Double> {
  private static final Map<String, BigDecimal> UNITS =
      Map.of(
          "ms", new BigDecimal("0.001"),
          "s", new BigDecimal(1),
          "sec", new BigDecimal(1),
          "m", new BigDecimal(60),
          "min", new BigDecimal(60),
          "h", new BigDecimal(3600));

  private static final Pattern PART = Pattern.compile("([0-9.]+)([^0-9.]+)");

  @Override
  public Double convert(String text) {
    String given = text.trim().toLowerCase(Locale.ROOT);
    if (!given.chars().allMatch(c -> c < 128)) {
      throw wrong(text);
    }
    try {
      return new BigDecimal(given).doubleValue();
    } catch (NumberFormatException withUnits) {
      // Read below.
    }
    if (!given.matches("-?(" + PART + ")+")) {
      throw wrong(text);
    }
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal last = null;
    for (Matcher part = PART.matcher(given); part.find(); ) {
      BigDecimal seconds = UNITS.get(part.group(2).trim());
      // Units fall, as in 1m30s; "30s1m" is a slip.
      if (seconds == null || last != null && seconds.compareTo(last) >= 0) {
        throw wrong(text);
      }
      try {
        sum = sum.add(new BigDecimal(part.group(1)).multiply(seconds));
      } catch (NumberFormatException malformed) {
        throw wrong(text);
      }
      last = seconds;
    }
    return given.startsWith("-") ? -sum.doubleValue() : sum.doubleValue();
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException(
        "'" + text + "' is not a duration: write seconds such as 10, or 10s, 500ms, 2m, 1h");
  }
}

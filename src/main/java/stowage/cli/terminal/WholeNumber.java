package stowage.cli.terminal;

import java.math.BigDecimal;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Numbers on the command line in ASCII digits, as files have them; Java's own readers take digits
 * of every script, and {@code 5f}, {@code 0x1p3} and {@code NaN} for numbers.
 */
public final class WholeNumber {
  private WholeNumber() {}

  /** A decimal such as {@code 5}, {@code -0.5} or {@code .5}; null for any other text. */
  public static BigDecimal decimal(String text) {
    return text.matches("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)") ? new BigDecimal(text) : null;
  }

  /** Has a command and all that are below it read their numbers so. */
  public static void register(CommandLine commandLine) {
    commandLine.registerConverter(Integer.class, new Ints());
    commandLine.registerConverter(int.class, new Ints());
    commandLine.registerConverter(Long.class, new Longs());
    commandLine.registerConverter(long.class, new Longs());
    commandLine.registerConverter(Double.class, new Decimals());
    commandLine.registerConverter(double.class, new Decimals());
  }

  // Classes and not lambdas: an archive of classes holds no lambdas of picocli's types.
  private static final class Ints implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      long number = whole(text);
      if (number != (int) number) {
        throw refusal(text);
      }
      return (int) number;
    }
  }

  private static final class Longs implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return whole(text);
    }
  }

  private static final class Decimals implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      BigDecimal number = decimal(text.strip());
      if (number == null) {
        throw new TypeConversionException("'" + text + "' is no number: write 2 or 0.5");
      }
      return number.doubleValue();
    }
  }

  private static long whole(String text) {
    try {
      if (text.chars().allMatch(c -> c < 128)) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException malformed) {
      // Refused below.
    }
    throw refusal(text);
  }

  private static TypeConversionException refusal(String text) {
    return new TypeConversionException("'" + text + "' is no whole number, or too large a one");
  }
}

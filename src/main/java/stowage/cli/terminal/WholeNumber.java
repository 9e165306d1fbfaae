package stowage.cli.terminal;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Whole numbers on the command line in ASCII digits, as files have them; Java's own reader takes
 * those of every script.
 */
public final class WholeNumber {
  private WholeNumber() {}

  /** Has a command and all that are below it read their whole numbers so. */
  public static void register(CommandLine commandLine) {
    commandLine.registerConverter(Integer.class, new Ints());
    commandLine.registerConverter(int.class, new Ints());
    commandLine.registerConverter(Long.class, new Longs());
    commandLine.registerConverter(long.class, new Longs());
  }

  // Classes and not lambdas: an archive of classes holds no lambdas of picocli's types.
  private static final class Ints implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      try {
        return Integer.valueOf(ascii(text));
      } catch (NumberFormatException malformed) {
        throw refusal(text);
      }
    }
  }

  private static final class Longs implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Long.valueOf(ascii(text));
      } catch (NumberFormatException malformed) {
        throw refusal(text);
      }
    }
  }

  private static String ascii(String text) {
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) >= 128) {
        throw refusal(text);
      }
    }
    return text;
  }

  private static TypeConversionException refusal(String text) {
    return new TypeConversionException("'" + text + "' is no whole number, or too large a one");
  }
}

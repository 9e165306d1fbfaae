package stowage.cli.terminal;

import java.util.function.Function;
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
    ITypeConverter<Integer> integers = text -> read(text, Integer::valueOf);
    ITypeConverter<Long> longs = text -> read(text, Long::valueOf);
    commandLine.registerConverter(Integer.class, integers);
    commandLine.registerConverter(int.class, integers);
    commandLine.registerConverter(Long.class, longs);
    commandLine.registerConverter(long.class, longs);
  }

  private static <T> T read(String text, Function<String, T> reader) {
    try {
      if (text.chars().allMatch(c -> c < 128)) {
        return reader.apply(text);
      }
    } catch (NumberFormatException malformed) {
      // Reported below.
    }
    throw new TypeConversionException("'" + text + "' is no whole number, or too large a one");
  }
}

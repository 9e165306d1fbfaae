package stowage.cli.terminal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reader of sizes as people and compilers write them: {@code 1048576}, {@code 0x100000}, {@code
 * 1MiB} or {@code 1M} (all the same), and {@code 1MB} for the decimal million.
 */
public final class ByteSize implements ITypeConverter<Long> {
  private static final String PREFIXES = "kmgt";

  /** A number, the letter of a prefix, and what follows it. */
  private static final Pattern SIZE = Pattern.compile("([0-9.]+)\\s*(?:b|([kmgt])(|ib|b))?");

  @Override
  public Long convert(String text) {
    String given = text.trim().toLowerCase(Locale.ROOT);
    if (given.matches("0x[0-9a-f]+")) {
      return fitting(new BigInteger(given.substring(2), 16), text);
    }
    Matcher size = SIZE.matcher(given);
    if (!size.matches()) {
      throw wrong(text);
    }
    int power = size.group(2) == null ? 0 : PREFIXES.indexOf(size.group(2)) + 1;
    BigDecimal base = BigDecimal.valueOf("b".equals(size.group(3)) ? 1000 : 1024);
    try {
      BigDecimal bytes = new BigDecimal(size.group(1)).multiply(base.pow(power));
      return fitting(bytes.toBigIntegerExact(), text);
    } catch (ArithmeticException | NumberFormatException malformed) {
      throw wrong(text);
    }
  }

  private static long fitting(BigInteger bytes, String text) {
    if (bytes.bitLength() > 63) {
      throw new TypeConversionException(
          "'" + text + "' is too large: sizes end at " + Long.MAX_VALUE + " bytes");
    }
    return bytes.longValue();
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException(
        "'" + text + "' is not a size: write whole bytes such as 1048576, 0x100000, 1MiB or 1M");
  }
}

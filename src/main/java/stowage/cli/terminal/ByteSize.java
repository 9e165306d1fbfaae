package stowage.cli.terminal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads sizes as people and compilers write them: {@code 1048576}, {@code 0x100000}, {@code 1MiB}
 * or {@code 1M} (all the same), and {@code 1MB} for the decimal million.
 */
public final class ByteSize implements ITypeConverter<Long> {
  private static final Map<String, Long> UNITS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("k", 1L << 10),
          Map.entry("kib", 1L << 10),
          Map.entry("m", 1L << 20),
          Map.entry("mib", 1L << 20),
          Map.entry("g", 1L << 30),
          Map.entry("gib", 1L << 30),
          Map.entry("t", 1L << 40),
          Map.entry("tib", 1L << 40),
          Map.entry("kb", 1_000L),
          Map.entry("mb", 1_000_000L),
          Map.entry("gb", 1_000_000_000L),
          Map.entry("tb", 1_000_000_000_000L));

  @Override
  public Long convert(String text) {
    String trimmed = text.trim();
    if (trimmed.matches("0[xX][0-9a-fA-F]+")) {
      return fitting(new BigInteger(trimmed.substring(2), 16), text);
    }
    int digits = 0;
    while (digits < trimmed.length() && "0123456789.".indexOf(trimmed.charAt(digits)) >= 0) {
      digits++;
    }
    Long unit = UNITS.get(trimmed.substring(digits).trim().toLowerCase(Locale.ROOT));
    if (digits == 0 || unit == null) {
      throw wrong(text);
    }
    try {
      return fitting(
          new BigDecimal(trimmed.substring(0, digits))
              .multiply(BigDecimal.valueOf(unit))
              .toBigIntegerExact(),
          text);
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

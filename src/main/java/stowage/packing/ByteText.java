package stowage.packing;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Text of byte counts for people: in binary units, or to the byte with separators. Formats are not
 * used where every buffer of a picture has such a text: they take longer than all the rest of it.
 */
public final class ByteText {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteText() {}

  /**
   * {@return a size with three or four significant digits in the largest fitting binary unit, such
   * as {@code 1.25 MiB}, {@code 1015 KiB} or {@code 12 B}} Zeros at the end are left out only where
   * the figure is exact: {@code 1 MiB} is a MiB, {@code 1.00 MiB} is about one.
   */
  public static String human(long bytes) {
    int unit = unitOf(bytes);
    double value = bytes / (double) (1L << 10 * unit);
    int decimals = unit == 0 || value >= 1000 ? 0 : value >= 100 ? 1 : 2;
    return withoutZeros(rounded(value, decimals), value, 0) + " " + UNITS[unit];
  }

  /** {@return a size to the byte, with separators: {@code 1,048,576}} */
  public static String exact(long bytes) {
    StringBuilder text = new StringBuilder().append(bytes);
    for (int at = text.length() - 3; at > (bytes < 0 ? 1 : 0); at -= 3) {
      text.insert(at, ',');
    }
    return text.toString();
  }

  /** Both: {@code 1 MiB (1,048,576 bytes)}; below a KiB only {@code 12 bytes}. */
  public static String both(long bytes) {
    if (Math.abs(bytes) < 1024) {
      return bytes == 1 ? "1 byte" : bytes + " bytes";
    }
    return human(bytes) + " (" + exact(bytes) + " bytes)";
  }

  /** {@return a number of things: {@code 1 op}, {@code 1,200 ops}} */
  public static String count(long number, String thing) {
    return exact(number) + " " + thing + (number == 1 ? "" : "s");
  }

  /**
   * {@return a share as percent: {@code 0 %}, {@code 0.42 %}, {@code 17.3 %}; what is not nothing
   * is never shown as 0} A dash where it is not a number or infinite.
   */
  public static String percent(double share) {
    if (Double.isNaN(share) || Double.isInfinite(share)) {
      return "-";
    }
    double percent = share * 100;
    if (percent != 0 && Math.abs(percent) < 0.005) {
      return percent < 0 ? "> -0.01 %" : "< 0.01 %";
    }
    int decimals = Math.abs(percent) < 10 ? 2 : 1;
    return withoutZeros(rounded(percent, decimals), percent, 1e-9) + " %";
  }

  /** {@return a duration in seconds: {@code 0.012 s}, {@code 3.4 s}, {@code 75 s}} */
  public static String seconds(double seconds) {
    int decimals = seconds < 1 ? 3 : seconds < 10 ? 2 : 1;
    return rounded(seconds, decimals) + " s";
  }

  /** {@return a number as people write it: {@code 60}, {@code 0.5}, {@code -1}, {@code NaN}} */
  public static String plain(double number) {
    if (number == 0) {
      return "0";
    }
    boolean everyday = Math.abs(number) >= 1e-6 && Math.abs(number) < 1e15; // false for NaN
    return everyday
        ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
        : Double.toString(number);
  }

  private static String rounded(double value, int decimals) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP).toString();
  }

  private static int unitOf(long bytes) {
    int unit = 0;
    double rest = Math.abs((double) bytes);
    while (rest >= 1024 && unit < UNITS.length - 1) {
      rest /= 1024;
      unit++;
    }
    return unit;
  }

  private static String withoutZeros(String decimal, double value, double tolerance) {
    if (decimal.indexOf('.') < 0 || Math.abs(Double.parseDouble(decimal) - value) > tolerance) {
      return decimal;
    }
    int end = decimal.length();
    while (decimal.charAt(end - 1) == '0') {
      end--;
    }
    return decimal.substring(0, decimal.charAt(end - 1) == '.' ? end - 1 : end);
  }
}

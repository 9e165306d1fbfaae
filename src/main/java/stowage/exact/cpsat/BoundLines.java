package stowage.exact.cpsat;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of the objective's bound from the lines of CP-SAT's search log, such as {@code #Bound
 * 0.02s best:33 next:[32,32] core}: the next solution, if there is one, is in that range.
 */
final class BoundLines {
  private static final Pattern NEXT =
      Pattern.compile("^#(?:Bound|\\d+)\\s.*\\bnext:\\[([-+.e\\d]+),");

  /** The log gives nine digits; a figure of more may have been rounded up. */
  private static final double LARGEST = 999_999_999;

  private BoundLines() {}

  /** The bound that a line speaks of, if it does and can be trusted to the last unit. */
  static OptionalLong lowest(String line) {
    Matcher matcher = NEXT.matcher(line);
    if (!matcher.find()) {
      return OptionalLong.empty();
    }
    double value = Double.parseDouble(matcher.group(1));
    return value == Math.rint(value) && Math.abs(value) <= LARGEST
        ? OptionalLong.of((long) value)
        : OptionalLong.empty();
  }
}

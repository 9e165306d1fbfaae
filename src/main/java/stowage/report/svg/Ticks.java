package stowage.report.svg;

import java.util.ArrayList;
import java.util.List;

/** Round values for axes. */
public final class Ticks {
  private Ticks() {}

  /** Multiples of a power of two from 0 up to {@code most}, at most nine of them. */
  public static List<Long> bytes(long most) {
    int bits = 0;
    while (most >> bits > 8) {
      bits++;
    }
    return multiples(0, most, 1L << bits);
  }

  /** Multiples of 1, 2 or 5 times a power of ten in [from, to], at most {@code count} of them. */
  public static List<Long> steps(long from, long to, int count) {
    long unit = 1;
    int[] factors = {1, 2, 5};
    for (int k = 0; ; k++) {
      long step = factors[k % 3] * unit;
      if ((to - from) / step < count) {
        return multiples(from, to, step);
      }
      if (k % 3 == 2) {
        unit *= 10;
      }
    }
  }

  private static List<Long> multiples(long from, long to, long step) {
    List<Long> values = new ArrayList<>();
    long at = Math.floorDiv(from + step - 1, step) * step;
    while (at <= to) {
      values.add(at);
      if (at > to - step) {
        break; // the next one may be beyond what a long holds
      }
      at += step;
    }
    return values;
  }
}

package stowage.packing;

/**
 * Divisors and multiples, and the rounding of offsets to what alignments and banks allow.
 *
 * <p><b>Banks.</b> An offset x suits a buffer of s bytes in banks of b bytes if x mod b is at most
 * b - s. Going from border to border looks at up to b / gcd(a, b) banks for an alignment a.
 * Instead, from the first multiple x0 of a, with r = x0 mod b above b - s, the least k is wanted
 * with (a * k) mod b between b - r and 2 * b - r - s: the first multiple of a residue that falls
 * into a range, which Euclid's algorithm finds.
 *
 * <p><b>The first multiple in a range.</b> Let 0 &lt; low &lt;= high &lt; m, and a &lt; m. If some
 * multiple of a is in [low, high], the least of them is the answer. Else a * k = m * y + v with v
 * in [low, high] for some y &gt;= 1, the larger k the larger y; and there is such a k for a y
 * exactly if (m * y) mod a is between -high mod a and -low mod a, since no multiple of a is between
 * low and high. That is the same question with a for m and m mod a for a, so O(log m) steps.
 *
 * <p>Example: a = 6, b = 10, s = 3: r = 6 at x0 = 6 suits. With s = 5 it does not: the least k with
 * 6 * k mod 10 in [4, 9] is 1, and 12 is at 2 in the second bank.
 */
public final class Rounding {
  /** Offsets in banks above it count as none. */
  private static final long HIGHEST = Long.MAX_VALUE / 2;

  private Rounding() {}

  /** {@return the greatest common divisor of two figures, 0 or more, of which one may be 0} */
  public static long gcd(long one, long other) {
    while (other != 0) {
      long rest = one % other;
      one = other;
      other = rest;
    }
    return one;
  }

  /** {@return the least common multiple of two positive figures, at most the largest long / 4} */
  public static long lcm(long one, long other) {
    long part = one / gcd(one, other);
    return part > Long.MAX_VALUE / 4 / other ? Long.MAX_VALUE / 4 : part * other;
  }

  /**
   * The smallest multiple of {@code alignment} not below {@code offset} at which {@code size} bytes
   * cross no multiple of {@code bankSize}. Monotone in {@code offset}. O(1) without banks or where
   * the first multiple suits, else O(log bankSize).
   *
   * @param offset 0 or more
   * @param size bytes, 0 or more
   * @param alignment every offset is a multiple of it; 1 when free
   * @param bankSize 0 where borders may be crossed
   * @return the offset; -1 for none below 2^62: the size exceeds a bank, or no multiple suits
   */
  public static long up(long offset, long size, long alignment, long bankSize) {
    long rest = alignment == 1 ? 0 : offset % alignment;
    long rounded = rest == 0 ? offset : offset - rest + alignment;
    if (bankSize == 0) {
      return rounded;
    }
    if (size > bankSize || rounded < 0 || rounded > HIGHEST) {
      return -1;
    }
    long phase = rounded % bankSize;
    if (phase <= bankSize - size) {
      return rounded;
    }
    long low = bankSize - phase;
    long steps = firstMultiple(alignment % bankSize, bankSize, low, low + bankSize - size);
    return steps < 0 || steps > (HIGHEST - rounded) / alignment ? -1 : rounded + steps * alignment;
  }

  /**
   * The largest multiple of {@code alignment} not above {@code offset} at which {@code size} bytes
   * cross no multiple of {@code bankSize}. O(log bankSize).
   *
   * @param size bytes, 0 or more
   * @param alignment every offset is a multiple of it; 1 when free
   * @param bankSize 0 where borders may be crossed
   * @return the offset; -1 where the given one is negative or the size exceeds a bank
   */
  public static long down(long offset, long size, long alignment, long bankSize) {
    if (offset < 0) {
      return -1;
    }
    long rounded = offset - offset % alignment;
    if (bankSize == 0) {
      return rounded;
    }
    if (size > bankSize) {
      return -1;
    }
    long phase = rounded % bankSize;
    if (phase <= bankSize - size) {
      return rounded;
    }
    // Offset 0 suits, so that there is an answer.
    long low = phase - (bankSize - size);
    return rounded - alignment * firstMultiple(alignment % bankSize, bankSize, low, phase);
  }

  /** The least k with (a * k) mod m in [low, high]; -1 for none with a * k below 2^63. */
  private static long firstMultiple(long a, long m, long low, long high) {
    if (low == 0) {
      return 0;
    }
    if (a == 0) {
      return -1;
    }
    long k = (low - 1) / a + 1;
    if (k <= high / a) {
      return k;
    }
    long turns = firstMultiple(m % a, a, (a - high % a) % a, (a - low % a) % a);
    if (turns < 0 || turns > (Long.MAX_VALUE - low) / m) {
      return -1;
    }
    return (m * turns + low - 1) / a + 1;
  }
}

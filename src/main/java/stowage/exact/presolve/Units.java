package stowage.exact.presolve;

/** Arithmetic of offsets: divisors, and rounding to what alignments and banks allow. */
public final class Units {
  private Units() {}

  /** The greatest common divisor of two figures, 0 or more, of which one may be 0. */
  public static long gcd(long one, long other) {
    while (other != 0) {
      long rest = one % other;
      one = other;
      other = rest;
    }
    return one;
  }

  /** The least common multiple of two positive figures, at most {@link Long#MAX_VALUE} / 4. */
  public static long lcm(long one, long other) {
    long part = one / gcd(one, other);
    return part > Long.MAX_VALUE / 4 / other ? Long.MAX_VALUE / 4 : part * other;
  }

  /**
   * The smallest multiple of {@code alignment} not below {@code offset} at which {@code size} bytes
   * cross no multiple of {@code bankSize}.
   *
   * @param bankSize 0 where borders may be crossed, else at least {@code size}
   * @return the offset; -1 where there is none below 2^62
   */
  public static long roundUp(long offset, long size, long alignment, long bankSize) {
    long rounded = ceiling(offset, alignment);
    if (bankSize == 0) {
      return rounded;
    }
    if (size > bankSize) {
      return -1;
    }
    // Offset 0 of a bank fits, and after bankSize / gcd banks the phases repeat: this ends.
    while (rounded >= 0 && rounded <= Long.MAX_VALUE / 4 && rounded % bankSize + size > bankSize) {
      rounded = ceiling((rounded / bankSize + 1) * bankSize, alignment);
    }
    return rounded > Long.MAX_VALUE / 4 ? -1 : rounded;
  }

  /**
   * The largest multiple of {@code alignment} not above {@code offset} at which {@code size} bytes
   * cross no multiple of {@code bankSize}; -1 where there is none.
   */
  public static long roundDown(long offset, long size, long alignment, long bankSize) {
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
    while (rounded % bankSize + size > bankSize) {
      long fitting = rounded / bankSize * bankSize + bankSize - size;
      rounded = fitting - fitting % alignment;
    }
    return rounded;
  }

  private static long ceiling(long offset, long multiple) {
    long rest = multiple == 1 ? 0 : offset % multiple;
    return rest == 0 ? offset : offset - rest + multiple;
  }
}

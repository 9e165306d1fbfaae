package stowage.exact.search.model;

/** Rounds offsets up to what a buffer's alignment and the banks allow. */
final class Rounding {
  private Rounding() {}

  /**
   * The smallest multiple of {@code alignment} not below {@code offset} at which {@code size} bytes
   * do not cross a multiple of {@code bankSize}. Monotone in {@code offset}, which is what makes
   * pushing buffers down well defined.
   *
   * @param bankSize the size of a bank, 0 where borders may be crossed
   * @return the offset, or -1 where there is none: the buffer is larger than a bank, or no aligned
   *     offset fits into any bank
   */
  static long roundUp(long offset, long size, long alignment, long bankSize) {
    long rounded = alignment == 1 ? offset : ceiling(offset, alignment);
    if (bankSize == 0) {
      return rounded;
    }
    if (size > bankSize) {
      return -1;
    }
    // The offsets tried differ in their phase against the borders, and there are so many phases.
    long phases = bankSize / gcd(alignment, bankSize);
    for (long attempt = 0; attempt <= phases; attempt++) {
      long border = (rounded / bankSize + 1) * bankSize;
      if (rounded + size <= border) {
        return rounded;
      }
      rounded = ceiling(border, alignment);
    }
    return -1;
  }

  /** The greatest common divisor of two figures of which one may be 0. */
  static long gcd(long one, long other) {
    while (other != 0) {
      long rest = one % other;
      one = other;
      other = rest;
    }
    return one;
  }

  private static long ceiling(long offset, long multiple) {
    long rest = offset % multiple;
    return rest == 0 ? offset : offset - rest + multiple;
  }
}

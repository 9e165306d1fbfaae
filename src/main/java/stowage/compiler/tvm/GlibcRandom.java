package stowage.compiler.tvm;

/**
 * The numbers of the C library function rand_r, as glibc draws them: three steps of a linear
 * congruential generator for 11, 10 and 10 bits.
 *
 * <p>Source: the documented behaviour of POSIX rand_r with glibc's constants (1103515245 and
 * 12345). Example: from seed 0 the first numbers are 1012484, 1716955679 and 1792309082.
 */
public final class GlibcRandom {
  private int state;

  public GlibcRandom(int seed) {
    state = seed;
  }

  /** The next number, from 0 to 2^31 - 1. */
  public int next() {
    int drawn = bits(2048);
    drawn = (drawn << 10) ^ bits(1024);
    return (drawn << 10) ^ bits(1024);
  }

  private int bits(int range) {
    state = state * 1103515245 + 12345;
    return (state >>> 16) % range;
  }
}

package stowage.compiler.vela;

import org.hipparchus.random.MersenneTwister;
import org.hipparchus.random.RandomGenerator;

/**
 * CPython's random numbers: the Mersenne Twister, seeded from an integer as CPython seeds it, and
 * its way to draw from a range, by rejection of random bits as in CPython's random.py. A port that
 * must meet a Python program's figures needs its very sequence.
 *
 * <p>Example: seeded with 1, {@code between(0, 100)} gives 17, 72, 97, 8, 32.
 */
public final class PythonRandom {
  private final RandomGenerator bits;

  /** The generator after {@code random.seed(seed)}, for a seed of up to 32 bits. */
  public PythonRandom(int seed) {
    bits = new MersenneTwister(new int[] {seed});
  }

  /** {@code random.randint(low, high)}: uniform from low to high, both included. */
  public int between(int low, int high) {
    int width = high - low + 1;
    if (width <= 0) {
      throw new IllegalArgumentException("no number between " + low + " and " + high);
    }
    int shift = Integer.numberOfLeadingZeros(width);
    int drawn;
    do {
      drawn = bits.nextInt() >>> shift;
    } while (drawn >= width);
    return low + drawn;
  }
}

package stowage.compiler.vela;

/**
 * CPython's random numbers: the Mersenne Twister MT19937, seeded from an integer as CPython seeds
 * it, and its way to draw from a range.
 *
 * <p>Source: Matsumoto and Nishimura, Mersenne Twister (1998, doi 10.1145/272991.272995), with
 * init_by_array of 2002; the range by rejection of random bits as in CPython's random.py.
 * java.util.Random and the JDK's generators draw other numbers, and a port that must meet a Python
 * program's figures needs its very sequence. Example: seeded with 1, {@code between(0, 100)} gives
 * 17, 72, 97, 8, 32.
 */
public final class MersenneTwister {
  private static final int SIZE = 624;
  private static final int MIDDLE = 397;

  private final int[] state = new int[SIZE];
  private int next = SIZE;

  /** The generator after {@code random.seed(seed)}, for a seed of up to 32 bits. */
  public MersenneTwister(int seed) {
    initialize(19650218);
    int i = 1;
    for (int k = 0; k < SIZE; k++) {
      state[i] = (state[i] ^ (mixed(i) * 1664525)) + seed;
      i = following(i);
    }
    for (int k = 0; k < SIZE - 1; k++) {
      state[i] = (state[i] ^ (mixed(i) * 1566083941)) - i;
      i = following(i);
    }
    state[0] = 0x80000000;
  }

  private void initialize(int seed) {
    state[0] = seed;
    for (int i = 1; i < SIZE; i++) {
      state[i] = 1812433253 * mixed(i) + i;
    }
  }

  private int mixed(int i) {
    return state[i - 1] ^ (state[i - 1] >>> 30);
  }

  private int following(int i) {
    if (i + 1 < SIZE) {
      return i + 1;
    }
    state[0] = state[SIZE - 1];
    return 1;
  }

  private void refill() {
    for (int i = 0; i < SIZE; i++) {
      int bits = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      int odd = (bits & 1) == 0 ? 0 : 0x9908b0df;
      state[i] = state[(i + MIDDLE) % SIZE] ^ (bits >>> 1) ^ odd;
    }
    next = 0;
  }

  /** The next 32 random bits. */
  public int nextInt() {
    if (next == SIZE) {
      refill();
    }
    int bits = state[next++];
    bits ^= bits >>> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    return bits ^ (bits >>> 18);
  }

  /** {@code random.randint(low, high)}: uniform from low to high, both included. */
  public int between(int low, int high) {
    int width = high - low + 1;
    if (width <= 0) {
      throw new IllegalArgumentException("no number between " + low + " and " + high);
    }
    int bits = 32 - Integer.numberOfLeadingZeros(width);
    int drawn;
    do {
      drawn = nextInt() >>> (32 - bits);
    } while (drawn >= width);
    return low + drawn;
  }
}

package stowage.exact.search.tree;

import java.util.SplittableRandom;

/**
 * 128-bit hashes of states, kept up to date by additions: the sum over the unplaced buffers of
 * {@code first + second * value}, with two random odd factors a buffer, modulo 2^64, done twice.
 *
 * <p>Such a multilinear hash is universal (Lemire and Kaser, doi 10.1093/comjnl/bxt070): the
 * difference of two different states is a sum of which at least one term is uniformly random, so
 * they meet with probability of about 2^-64 in each word whatever the problem is. The factors
 * depend on no input, so no problem can be made to collide except by knowing them.
 */
final class StateHash {
  private static final long SEED = 0x5eed0f57a7e5L;

  private final long[] presentHigh;
  private final long[] presentLow;
  private final long[] factorHigh;
  private final long[] factorLow;

  StateHash(int buffers) {
    SplittableRandom random = new SplittableRandom(SEED);
    this.presentHigh = numbers(random, buffers);
    this.presentLow = numbers(random, buffers);
    this.factorHigh = numbers(random, buffers);
    this.factorLow = numbers(random, buffers);
  }

  private static long[] numbers(SplittableRandom random, int count) {
    long[] numbers = new long[count];
    for (int k = 0; k < count; k++) {
      numbers[k] = random.nextLong() | 1;
    }
    return numbers;
  }

  /** The part of a buffer in the first word. */
  long high(int buffer, long offset, long unsupported) {
    return presentHigh[buffer] + factorHigh[buffer] * (offset << 1 | unsupported);
  }

  /** The part of a buffer in the second word. */
  long low(int buffer, long offset, long unsupported) {
    return presentLow[buffer] + factorLow[buffer] * (offset << 1 | unsupported);
  }
}

package stowage.generator;

import java.util.List;
import java.util.Random;

/**
 * Random choices that are the same on every machine: {@link Random}'s generator is laid down in its
 * documentation, and logarithms are {@link StrictMath}'s. The seed is mixed first (the finaliser of
 * SplitMix64; Steele, Lea and Flood, OOPSLA 2014, doi 10.1145/2660193.2660195), since neighbouring
 * seeds of {@code Random} begin alike.
 */
public final class Draws {
  private final Random random;

  public Draws(long seed) {
    long mixed = seed + 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    this.random = new Random(mixed ^ (mixed >>> 31));
  }

  /** A whole number of {@code [0, bound)}. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** A whole number of a range, both ends included, each alike. */
  public long uniform(long least, long most) {
    long width = most - least + 1;
    if (width <= 0) {
      throw new IllegalArgumentException("no numbers between " + least + " and " + most);
    }
    if (width <= Integer.MAX_VALUE) {
      return least + random.nextInt((int) width);
    }
    long bits;
    long value;
    do { // the last, incomplete run of numbers is drawn again, so that all are alike
      bits = random.nextLong() >>> 1;
      value = bits % width;
    } while (bits - value + (width - 1) < 0);
    return least + value;
  }

  /** A number of a range, each power alike: small ones are as frequent as large ones. */
  public long logUniform(long least, long most) {
    double low = StrictMath.log(least);
    double high = StrictMath.log((double) most + 1);
    long value = (long) StrictMath.floor(StrictMath.exp(low + random.nextDouble() * (high - low)));
    return Math.max(least, Math.min(most, value));
  }

  /** A number above {@code least} whose excess is exponential, cut at {@code most}. */
  public long exponential(long least, long most, double mean) {
    double excess = -mean * StrictMath.log(1 - random.nextDouble());
    return excess >= most - least ? most : least + (long) StrictMath.floor(excess);
  }

  /** Whether an event of the given probability happens. */
  public boolean happens(double probability) {
    return random.nextDouble() < probability;
  }

  /** One of several things. */
  public <T> T oneOf(List<T> things) {
    return things.get(below(things.size()));
  }

  /** Puts a list into random order (Fisher and Yates). */
  public void shuffle(List<?> list) {
    java.util.Collections.shuffle(list, random);
  }
}

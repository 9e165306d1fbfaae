package stowage.packing;

import java.util.Arrays;

/**
 * Sorting of events by their step, keeping the order of events at one step.
 *
 * <p>Millions of events are sorted digit by digit (least significant first, 11 bits a digit, only
 * as many digits as the range of steps has), which reads and writes memory in order and needs
 * neither boxes nor comparisons; few events are sorted as packed keys. See D. Knuth, The Art of
 * Computer Programming, volume 3, section 5.2.5.
 */
public final class StepOrder {
  private static final int DIGIT_BITS = 11;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int FEW = 4_000;

  private StepOrder() {}

  /**
   * {@return the indices 0 to {@code count - 1} by ascending step; equal steps by ascending index}
   * Later entries are not looked at. O(count) for many, O(count log count) for few.
   */
  public static int[] of(int[] steps, int count) {
    return count < FEW ? packed(steps, count) : digits(steps, count);
  }

  private static int[] packed(int[] steps, int count) {
    long[] keys = new long[count];
    for (int k = 0; k < count; k++) {
      keys[k] = (long) steps[k] << 32 | k;
    }
    Arrays.sort(keys);
    int[] order = new int[count];
    for (int k = 0; k < count; k++) {
      order[k] = (int) keys[k];
    }
    return order;
  }

  private static int[] digits(int[] steps, int count) {
    int least = Integer.MAX_VALUE;
    int most = Integer.MIN_VALUE;
    for (int k = 0; k < count; k++) {
      least = Math.min(least, steps[k]);
      most = Math.max(most, steps[k]);
    }
    long range = (long) most - least;
    // Keys and indices travel together, so that no pass jumps about in memory to read.
    long[] from = new long[count];
    for (int k = 0; k < count; k++) {
      from[k] = ((long) steps[k] - least) << 32 | k;
    }
    long[] to = new long[count];
    for (int shift = 0; range >> shift > 0; shift += DIGIT_BITS) {
      int[] position = new int[DIGITS + 1];
      int low = 32 + shift;
      for (long key : from) {
        position[(int) (key >>> low & (DIGITS - 1)) + 1]++;
      }
      for (int digit = 0; digit < DIGITS; digit++) {
        position[digit + 1] += position[digit];
      }
      for (long key : from) {
        to[position[(int) (key >>> low & (DIGITS - 1))]++] = key;
      }
      long[] swap = from;
      from = to;
      to = swap;
    }
    int[] order = new int[count];
    for (int k = 0; k < count; k++) {
      order[k] = (int) from[k];
    }
    return order;
  }
}

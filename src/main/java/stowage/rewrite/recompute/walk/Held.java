package stowage.rewrite.recompute.walk;

import java.util.Arrays;

/** A set of values held while an op runs, and how a walk came there; equal by its values. */
final class Held {
  final long[] values;

  /** The least extra cost of a way there. */
  long spent;

  /** No sequence through this set costs less extra. */
  long estimate;

  /** The set before, null at the begin. */
  Held before;

  /** The ops that run again on the way from there. */
  long[] ran;

  /** The number of the mark reached last; -1 at the begin. */
  int mark = -1;

  /** How many certificates there were when it was estimated. */
  int version;

  /** The op that runs again next to this set; -1 at a mark. */
  int again = -1;

  Held(long[] values) {
    this.values = values;
  }

  static boolean has(long[] bits, int i) {
    return (bits[i >> 6] >>> i & 1) != 0;
  }

  static boolean hasAll(long[] bits, int[] values) {
    for (int i : values) {
      if (!has(bits, i)) {
        return false;
      }
    }
    return true;
  }

  static void set(long[] bits, int i) {
    bits[i >> 6] |= 1L << i;
  }

  static void clear(long[] bits, int i) {
    bits[i >> 6] &= ~(1L << i);
  }

  static long[] union(long[] one, long[] other) {
    long[] union = one.clone();
    for (int w = 0; w < union.length; w++) {
      union[w] |= other[w];
    }
    return union;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Held held && Arrays.equals(held.values, values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }
}

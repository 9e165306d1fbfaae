package stowage.packing;

/**
 * A set of numbers below a limit that finds the neighbours of a number: a bit for each number, and
 * above them, level by level, a bit for each word that is not empty. Every call takes O(log n) to
 * the base of 64: four words for ten million numbers, all near each other in memory.
 *
 * <p>Example: {3, 70} of 128 numbers has the words {3} and {6} at the bottom and {0, 1} above. The
 * number above 3: nothing in its own word, the next word above is 1, its lowest bit 6, so 70.
 */
final class RankSet {
  private final long[][] levels;

  /** An empty set of numbers from 0 to {@code limit - 1}. */
  RankSet(int limit) {
    int depth = 1;
    for (long words = words(limit); words > 1; words = words(words)) {
      depth++;
    }
    levels = new long[depth][];
    long bits = limit;
    for (int level = 0; level < depth; level++) {
      bits = words(bits);
      levels[level] = new long[(int) bits];
    }
  }

  private static long words(long bits) {
    return Math.max(1, (bits + 63) >> 6);
  }

  void add(int number) {
    int bit = number;
    for (long[] level : levels) {
      level[bit >> 6] |= 1L << bit;
      bit >>= 6;
    }
  }

  void remove(int number) {
    int bit = number;
    for (long[] level : levels) {
      level[bit >> 6] &= ~(1L << bit);
      if (level[bit >> 6] != 0) {
        return;
      }
      bit >>= 6;
    }
  }

  /** The largest number in the set that is not above one, or -1. */
  int floor(int number) {
    int bit = number; // everything up to this
    for (int level = 0; level < levels.length && bit >= 0; level++) {
      long upTo = levels[level][bit >> 6] & -1L >>> 63 - (bit & 63);
      if (upTo != 0) {
        int found = (bit & ~63) + 63 - Long.numberOfLeadingZeros(upTo);
        while (level > 0) {
          found = (found << 6) + 63 - Long.numberOfLeadingZeros(levels[--level][found]);
        }
        return found;
      }
      bit = (bit >> 6) - 1;
    }
    return -1;
  }

  /** The smallest number in the set above one, or -1. */
  int higher(int number) {
    int bit = number + 1; // everything from this on
    for (int level = 0; level < levels.length; level++) {
      int word = bit >> 6;
      long above = word < levels[level].length ? levels[level][word] & -1L << bit : 0;
      if (above != 0) {
        int found = (word << 6) + Long.numberOfTrailingZeros(above);
        while (level > 0) {
          found = (found << 6) + Long.numberOfTrailingZeros(levels[--level][found]);
        }
        return found;
      }
      bit = word + 1;
    }
    return -1;
  }
}

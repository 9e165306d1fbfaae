package stowage.packing;

import java.util.Arrays;

/**
 * The steps during which a buffer is alive: half-open, {@code [start, end)}.
 *
 * <p>An empty range ({@code start == end}) is allowed: such a buffer never needs memory.
 *
 * @param start first step of the live range
 * @param end first step after the live range, not before {@code start}
 */
public record LiveRange(int start, int end) implements Comparable<LiveRange> {
  /** Checks that the range does not end before it starts. */
  public LiveRange {
    if (end < start) {
      throw new InvalidProblemException(
          "live range [" + start + ", " + end + ") ends before it starts");
    }
  }

  /** {@return the number of steps in the range} */
  public long length() {
    return (long) end - start;
  }

  /** {@return whether the range holds no step} */
  public boolean isEmpty() {
    return start == end;
  }

  /** {@return whether {@code step} is in the range} */
  public boolean contains(int step) {
    return start <= step && step < end;
  }

  /** {@return whether the two ranges share a step; an empty range shares none} */
  public boolean overlaps(LiveRange other) {
    return Math.max(start, other.start) < Math.min(end, other.end);
  }

  /**
   * {@return how many pairs of ranges share a step} O(n log n).
   *
   * @param starts their first steps; sorted in place
   * @param ends their ends, each after its start; sorted in place
   */
  public static long meetings(int[] starts, int[] ends) {
    Arrays.parallelSort(starts);
    Arrays.parallelSort(ends);
    long pairs = 0;
    int ended = 0;
    for (int started = 0; started < starts.length; started++) {
      while (ends[ended] <= starts[started]) {
        ended++;
      }
      pairs += started - ended;
    }
    return pairs;
  }

  @Override
  public int compareTo(LiveRange other) {
    return start != other.start
        ? Integer.compare(start, other.start)
        : Integer.compare(end, other.end);
  }

  @Override
  public String toString() {
    return "[" + start + ", " + end + ")";
  }
}

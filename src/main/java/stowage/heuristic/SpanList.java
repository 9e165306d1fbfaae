package stowage.heuristic;

import java.util.Arrays;

/**
 * Bytes that placed spans take in a stretch of time, by address: of each span with its live range,
 * or of all together. In flat arrays that are used repeatedly.
 */
final class SpanList {
  private long[] low = new long[4];
  private long[] high = new long[4];
  private int[] start = new int[4];
  private int[] end = new int[4];
  private int[] spans = new int[4];
  private int count;

  /** How many placed spans start in the stretch. */
  int begun;

  void clear() {
    count = 0;
    begun = 0;
  }

  /**
   * Adds the bytes that a span takes in [first, last), the whole stretch where that is all steps.
   * What touches them for the same time becomes one entry. O(log count), and what is above is
   * moved.
   */
  void insert(long from, long to, int first, int last) {
    int at = OrderKeys.lowerBound(low, count, from);
    if (at > 0 && high[at - 1] >= from && isDuring(at - 1, first, last)) {
      at--;
    }
    long least = from;
    long most = to;
    int together = 1;
    int next = at;
    for (; next < count && low[next] <= to && isDuring(next, first, last); next++) {
      least = Math.min(least, low[next]);
      most = Math.max(most, high[next]);
      together += spans[next];
    }
    if (next != at + 1) {
      move(next, at + 1);
    }
    low[at] = least;
    high[at] = most;
    start[at] = first;
    end[at] = last;
    spans[at] = together;
  }

  private boolean isDuring(int k, int first, int last) {
    return start[k] == first && end[k] == last;
  }

  /** Moves what is from one place on to another, and the count with it. */
  private void move(int from, int to) {
    if (count + to - from > low.length) {
      int length = 2 * low.length;
      low = Arrays.copyOf(low, length);
      high = Arrays.copyOf(high, length);
      start = Arrays.copyOf(start, length);
      end = Arrays.copyOf(end, length);
      spans = Arrays.copyOf(spans, length);
    }
    System.arraycopy(low, from, low, to, count - from);
    System.arraycopy(high, from, high, to, count - from);
    System.arraycopy(start, from, start, to, count - from);
    System.arraycopy(end, from, end, to, count - from);
    System.arraycopy(spans, from, spans, to, count - from);
    count += to - from;
  }

  /**
   * Forbids the bytes of all that overlaps [first, last).
   *
   * @return how many of these spans start at a step or later
   */
  int forbid(int first, int last, int startingFrom, ForbiddenOffsets forbidden) {
    int found = 0;
    for (int k = 0; k < count; k++) {
      if (start[k] < last && end[k] > first) {
        forbidden.addBytes(low[k], high[k]);
        found += start[k] >= startingFrom ? spans[k] : 0;
      }
    }
    return found;
  }
}

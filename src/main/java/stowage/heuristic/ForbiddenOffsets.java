package stowage.heuristic;

import java.util.Arrays;

/**
 * Open intervals of offsets that a buffer may not take: those strictly between {@code low} and
 * {@code high}. Kept in two parallel arrays that are used repeatedly, so that filling and sorting
 * allocate nothing once they have grown.
 */
final class ForbiddenOffsets {
  private long[] low = new long[64];
  private long[] high = new long[64];
  private long[] otherLow = new long[64];
  private long[] otherHigh = new long[64];
  private int count;
  private long ownLow;
  private long ownHigh;

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  long low(int k) {
    return low[k];
  }

  long high(int k) {
    return high[k];
  }

  void add(long above, long below) {
    if (count == low.length) {
      low = Arrays.copyOf(low, 2 * count);
      high = Arrays.copyOf(high, 2 * count);
      otherLow = new long[2 * count];
      otherHigh = new long[2 * count];
    }
    low[count] = above;
    high[count++] = below;
  }

  /** Sets the bytes of itself that the buffer needs, [from, to), for {@link #addBytes}. */
  void setOwnBytes(long from, long to) {
    ownLow = from;
    ownHigh = to;
  }

  /** Forbids what would overlap the bytes [from, to); joined to the last interval where it can. */
  void addBytes(long from, long to) {
    long above = from - ownHigh;
    long below = to - ownLow;
    if (count > 0 && above < high[count - 1] && above >= low[count - 1]) {
      high[count - 1] = Math.max(high[count - 1], below);
    } else {
      add(above, below);
    }
  }

  /** Sorts by {@code low}, by merging what is in order already. O(k log r) for r such runs. */
  void sort() {
    while (runEnd(0) < count) {
      for (int from = 0; from < count; ) {
        int middle = runEnd(from);
        int to = runEnd(middle);
        merge(from, middle, to);
        from = to;
      }
      long[] swap = low;
      low = otherLow;
      otherLow = swap;
      swap = high;
      high = otherHigh;
      otherHigh = swap;
    }
  }

  /** The first place from another on, or the end, whose interval begins below the one before. */
  private int runEnd(int from) {
    int to = Math.min(count, from + 1);
    while (to < count && low[to - 1] <= low[to]) {
      to++;
    }
    return to;
  }

  private void merge(int from, int middle, int to) {
    int left = from;
    int right = middle;
    for (int k = from; k < to; k++) {
      boolean takeLeft = left < middle && (right >= to || low[left] <= low[right]);
      int taken = takeLeft ? left++ : right++;
      otherLow[k] = low[taken];
      otherHigh[k] = high[taken];
    }
  }
}

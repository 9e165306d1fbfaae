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

  /** Sorts by {@code low}: runs of eight by insertion, then merged. O(k log k), stable. */
  void sort() {
    int run = 8;
    for (int from = 0; from < count; from += run) {
      insertionSort(from, Math.min(count, from + run));
    }
    for (; run < count; run *= 2) {
      for (int from = 0; from < count; from += 2 * run) {
        merge(from, Math.min(count, from + run), Math.min(count, from + 2 * run));
      }
      long[] swap = low;
      low = otherLow;
      otherLow = swap;
      swap = high;
      high = otherHigh;
      otherHigh = swap;
    }
  }

  private void insertionSort(int from, int to) {
    for (int k = from + 1; k < to; k++) {
      long keyLow = low[k];
      long keyHigh = high[k];
      int at = k;
      while (at > from && low[at - 1] > keyLow) {
        low[at] = low[at - 1];
        high[at] = high[at - 1];
        at--;
      }
      low[at] = keyLow;
      high[at] = keyHigh;
    }
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

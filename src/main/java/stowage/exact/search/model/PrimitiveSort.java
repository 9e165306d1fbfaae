package stowage.exact.search.model;

/** Sorting of indices by primitive keys without boxing. */
public final class PrimitiveSort {
  private PrimitiveSort() {}

  /** Sorts the first {@code length} indices by their keys, stably. Merge sort, O(n log n). */
  public static void byKey(int[] indices, int length, long[] key) {
    int[] from = indices;
    int[] to = new int[length];
    for (int width = 1; width < length; width *= 2) {
      for (int left = 0; left < length; left += 2 * width) {
        merge(
            from,
            to,
            left,
            Math.min(length, left + width),
            Math.min(length, left + 2 * width),
            key);
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    if (from != indices) {
      System.arraycopy(from, 0, indices, 0, length);
    }
  }

  private static void merge(int[] from, int[] to, int left, int middle, int right, long[] key) {
    int one = left;
    int other = middle;
    for (int k = left; k < right; k++) {
      if (one < middle && (other >= right || key[from[one]] <= key[from[other]])) {
        to[k] = from[one++];
      } else {
        to[k] = from[other++];
      }
    }
  }
}

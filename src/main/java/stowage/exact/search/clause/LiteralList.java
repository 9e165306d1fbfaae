package stowage.exact.search.clause;

import java.util.Arrays;

/** Literals of a {@link BoundTrail}, as pairs of bound and value; grows as needed. */
final class LiteralList {
  private int[] pairs = new int[128];
  private int size;

  void clear() {
    size = 0;
  }

  void add(int bound, int value) {
    if (2 * size == pairs.length) {
      pairs = Arrays.copyOf(pairs, 4 * size);
    }
    pairs[2 * size] = bound;
    pairs[2 * size + 1] = value;
    size++;
  }

  int size() {
    return size;
  }

  int bound(int k) {
    return pairs[2 * k];
  }

  int value(int k) {
    return pairs[2 * k + 1];
  }
}

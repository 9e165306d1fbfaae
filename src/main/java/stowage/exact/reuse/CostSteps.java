package stowage.exact.reuse;

/** Positions at which a cost changes, in order, each with its weight; ends with a far one. */
final class CostSteps {
  final long[] keys;
  final long[] weights;
  private final long far;
  private int count;

  /** At most so many steps, all before {@code far}. */
  CostSteps(int most, long far) {
    this.keys = new long[most + 1];
    this.weights = new long[most + 1];
    this.far = far;
    clear();
  }

  void clear() {
    count = 0;
    keys[0] = far;
  }

  /** Adds a step in its place. O(steps after it). */
  void add(long key, long weight) {
    int k = count++;
    keys[count] = far;
    while (k > 0 && keys[k - 1] > key) {
      keys[k] = keys[k - 1];
      weights[k] = weights[k - 1];
      k--;
    }
    keys[k] = key;
    weights[k] = weight;
  }
}

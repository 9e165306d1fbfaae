package stowage.exact.search.clause;

/**
 * Rule that of two buffers that meet in time one is wholly below the other: once the ranges leave
 * one of the two orders only, it is kept.
 *
 * <p>Example: buffers of 4 and 6 with offsets in [0, 9] and [2, 3]. The first cannot be below the
 * second at offsets above -1, so it is above it: its lowest offset becomes 2 + 6 = 8.
 *
 * <p>O(neighbours) a buffer.
 */
final class PairRule implements Rule {
  private final LiveSets sets;
  private final BoundTrail trail;

  PairRule(LiveSets sets, BoundTrail trail) {
    this.sets = sets;
    this.trail = trail;
  }

  /** Compares a buffer with all in its way. */
  boolean propagate(int i) {
    int[] value = trail.value;
    for (int k : sets.near[i]) {
      boolean below = value[2 * i] + sets.size[i] <= -value[2 * k + 1];
      boolean above = value[2 * k] + sets.size[k] <= -value[2 * i + 1];
      if (below && above) {
        continue;
      }
      if (!below && !above) {
        LiteralList conflict = trail.newConflict();
        isNotBelow(i, k, trail.high(k), conflict);
        isNotBelow(k, i, trail.high(i), conflict);
        return false;
      }
      if (!(below ? order(i, k) : order(k, i))) {
        return false;
      }
    }
    return true;
  }

  /** Keeps one buffer below another. */
  private boolean order(int lower, int upper) {
    int size = sets.size[lower];
    return trail.raise(2 * upper, trail.low(lower) + size, this, lower, 0)
        && trail.raise(2 * lower + 1, trail.value[2 * upper + 1] + size, this, upper, 0);
  }

  /** The literals by which i cannot be below k, whose highest offset is given. */
  private void isNotBelow(int i, int k, int high, LiteralList conflict) {
    conflict.add(2 * k + 1, -high);
    conflict.add(2 * i, high - sets.size[i] + 1);
  }

  @Override
  public void explain(int bound, int value, int at) {
    int own = bound >> 1;
    int other = trail.argument(at, 0);
    boolean isLow = (bound & 1) == 0;
    int lower = isLow ? other : own;
    int upper = isLow ? own : other;
    LiteralList conflict = trail.conflict();
    conflict.add(2 * other + (bound & 1), value - sets.size[lower]);
    isNotBelow(upper, lower, -trail.before(2 * lower + 1, at), conflict);
  }
}

package stowage.exact.search.clause;

import java.util.Arrays;

/**
 * A place that a buffer has passed over is taken, at least in part, by a buffer that is in its way;
 * else the buffer could be moved there, against the argument of {@link SupportRule}. Where only one
 * buffer can be it, it is.
 *
 * <p>It holds of every place below a buffer. Only those are looked at that the search has tried and
 * given up, since each costs O(neighbours), or O(1) while two buffers known to be candidates remain
 * so.
 */
final class PassedOverRule implements Rule {
  private final LiveSets sets;
  private final BoundTrail trail;
  private int count;
  private int[] who = new int[256];
  private int[] bottom = new int[256];
  private int[] level = new int[256];
  private int[] one = new int[256];
  private int[] two = new int[256];

  PassedOverRule(LiveSets sets, BoundTrail trail) {
    this.sets = sets;
    this.trail = trail;
  }

  /** Notes that a buffer is above a place, as long as the present level lasts. */
  void passed(int buffer, int offset) {
    if (count == who.length) {
      who = Arrays.copyOf(who, 2 * count);
      bottom = Arrays.copyOf(bottom, 2 * count);
      level = Arrays.copyOf(level, 2 * count);
      one = Arrays.copyOf(one, 2 * count);
      two = Arrays.copyOf(two, 2 * count);
    }
    who[count] = buffer;
    bottom[count] = offset;
    level[count] = trail.level();
    one[count] = -1;
    two[count++] = -1;
  }

  /** Drops what was noted at levels above one. */
  void backTo(int target) {
    while (count > 0 && level[count - 1] > target) {
      count--;
    }
  }

  void begin() {
    count = 0;
  }

  boolean propagate() {
    for (int k = 0; k < count; k++) {
      if (!look(k)) {
        return false;
      }
    }
    return true;
  }

  private boolean look(int k) {
    int from = bottom[k];
    int to = from + sets.size[who[k]];
    if (one[k] >= 0 && canTake(one[k], from, to) && canTake(two[k], from, to)) {
      return true;
    }
    int only = -1;
    for (int j : sets.near[who[k]]) {
      if (canTake(j, from, to)) {
        if (only >= 0) {
          one[k] = only;
          two[k] = j;
          return true;
        }
        only = j;
      }
    }
    if (only < 0) {
      trail.newConflict();
      explain(-1, who[k], from, trail.length());
      return false;
    }
    return trail.raise(2 * only + 1, 1 - to, this, who[k], from)
        && trail.raise(2 * only, from - sets.size[only] + 1, this, who[k], from);
  }

  private boolean canTake(int j, int from, int to) {
    return trail.low(j) < to && trail.high(j) + sets.size[j] > from;
  }

  @Override
  public void explain(int bound, int value, int at) {
    explain(bound >> 1, trail.argument(at, 0), trail.argument(at, 1), at);
  }

  private void explain(int only, int passing, int from, int at) {
    int to = from + sets.size[passing];
    LiteralList conflict = trail.conflict();
    conflict.add(2 * passing, from + 1);
    for (int j : sets.near[passing]) {
      if (j != only) {
        boolean above = trail.before(2 * j, at) >= to;
        boolean below = -trail.before(2 * j + 1, at) + sets.size[j] <= from;
        if (above && !(below && trail.isEarlier(2 * j + 1, 2 * j))) {
          conflict.add(2 * j, to);
        } else {
          conflict.add(2 * j + 1, sets.size[j] - from);
        }
      }
    }
  }
}

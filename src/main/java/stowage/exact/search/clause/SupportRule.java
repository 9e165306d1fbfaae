package stowage.exact.search.clause;

import java.util.Arrays;

/**
 * Rule that every buffer rests on something: the bottom, or a buffer in its way directly below it.
 *
 * <p><b>Why.</b> Among the placements within the capacity take one whose offsets add up to least.
 * In it no buffer that may be moved can go to a lower place with the others where they are. So the
 * rule, and {@link PassedOverRule}, refuse placements, but never all of them. Example: a buffer's
 * lowest offset is 5, and the only buffers in its way that can end at 5 or above end at 8 and 9: it
 * is at 8 at least.
 *
 * <p>O(neighbours) a buffer, O(1) where the support found last still serves.
 */
final class SupportRule implements Rule {
  private final LiveSets sets;
  private final BoundTrail trail;
  private final boolean[] stale;
  private final int[] support;
  private long[] given;

  SupportRule(LiveSets sets, BoundTrail trail) {
    this.sets = sets;
    this.trail = trail;
    this.stale = new boolean[sets.count];
    this.support = new int[sets.count];
    Arrays.fill(support, -1);
  }

  /** Begins again; buffers whose offset is given need not rest on anything. */
  void begin(long[] offsets) {
    given = offsets;
  }

  /** Notes that the range of a buffer has changed. */
  void touch(int buffer) {
    stale[buffer] = true;
    for (int k : sets.near[buffer]) {
      stale[k] = true;
    }
  }

  void forget() {
    Arrays.fill(stale, false);
  }

  /** Looks at every buffer that a change may have left without support. */
  boolean propagate() {
    for (int i = 0; i < stale.length; i++) {
      if (stale[i]) {
        stale[i] = false;
        if (!rest(i)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean rest(int i) {
    int low = trail.low(i);
    if (low == 0
        || given != null && given[i] >= 0
        || support[i] >= 0 && supports(support[i], low)) {
      return true;
    }
    int best = Integer.MAX_VALUE;
    for (int k : sets.near[i]) {
      if (trail.high(k) + sets.size[k] >= low) {
        int top = trail.low(k) + sets.size[k];
        if (top <= low) {
          support[i] = k;
          return true;
        }
        best = Math.min(best, top);
      }
    }
    return trail.raise(2 * i, Math.min(best, trail.high(i) + 1), this, low, 0);
  }

  private boolean supports(int k, int low) {
    return trail.low(k) + sets.size[k] <= low && trail.high(k) + sets.size[k] >= low;
  }

  @Override
  public void explain(int bound, int value, int at) {
    int i = bound >> 1;
    int low = trail.argument(at, 0);
    LiteralList conflict = trail.conflict();
    conflict.add(2 * i, low);
    for (int k : sets.near[i]) {
      boolean ends = -trail.before(2 * k + 1, at) + sets.size[k] < low;
      boolean begins = trail.before(2 * k, at) + sets.size[k] >= value;
      if (begins && !(ends && trail.isEarlier(2 * k + 1, 2 * k))) {
        conflict.add(2 * k, value - sets.size[k]);
      } else {
        conflict.add(2 * k + 1, sets.size[k] + 1 - low);
      }
    }
  }
}

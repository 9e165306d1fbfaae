package stowage.exact.search.clause;

import java.util.Arrays;
import stowage.exact.search.model.FailureWeights;

/**
 * Analysis that makes a clause of a failure: the literals that cannot be true together are
 * replaced, latest first, by what they followed from, until a single one of the present level is
 * left. The clause says that one of the others, all true before this level, must be false, or that
 * one is: so after going back to the last level that the others need, it follows and leads the
 * search elsewhere.
 *
 * <p>Of several literals on one bound the strongest covers all. A literal is explained with the
 * value that is needed, not with the one that its bound was raised to, so that clauses say more.
 *
 * <p>Example: offsets of a at least 5, decided at level 3, gave b at least 9, at level 4 c at most
 * 7 was decided, and both cannot be. The only literal of level 4 is the decision; the clause is "b
 * at most 8, or c at least 8". Back at level 3 it gives c at least 8.
 *
 * <p>Source: L. Zhang et al., "Efficient conflict driven learning in a Boolean satisfiability
 * solver", ICCAD 2001, doi 10.1109/ICCAD.2001.968634 (the first unique implication point).
 */
final class ConflictAnalysis {
  private static final int NONE = Integer.MIN_VALUE;

  private final BoundTrail trail;
  private final FailureWeights failures;

  /** The value needed of each bound. */
  private final int[] need;

  /** The bounds that were ever needed in this analysis. */
  private final int[] needed;

  private final boolean[] listed;
  private int count;

  /** Needed literals that came true at the present level. */
  private int open;

  ConflictAnalysis(BoundTrail trail, FailureWeights failures) {
    this.trail = trail;
    this.failures = failures;
    this.need = new int[trail.value.length];
    this.needed = new int[trail.value.length];
    this.listed = new boolean[trail.value.length];
    Arrays.fill(need, NONE);
  }

  /** The level of the latest literal of the trail's conflict; 0 where no decision is to blame. */
  int levelOfConflict() {
    LiteralList conflict = trail.conflict();
    int latest = -1;
    for (int k = 0; k < conflict.size(); k++) {
      latest = Math.max(latest, trail.position(conflict.bound(k), conflict.value(k)));
    }
    return latest < 0 ? 0 : trail.levelOf(latest);
  }

  /**
   * The clause of the trail's conflict, some literal of which came true at the present level, as
   * pairs of bound and value: the literal that follows, then one of the latest level of the others.
   */
  int[] clause() {
    trail.rewind();
    count = 0;
    open = 0;
    requireConflict();
    int at = trail.length() - 1;
    while (true) {
      int bound = trail.bound(at);
      int value = need[bound];
      if (value != NONE && trail.cameTrueAt(at, value)) {
        if (open == 1) {
          return collect(bound, value);
        }
        need[bound] = NONE;
        open--;
        trail.explain(at, value);
        requireConflict();
      }
      at--;
    }
  }

  private void requireConflict() {
    LiteralList conflict = trail.conflict();
    for (int k = 0; k < conflict.size(); k++) {
      require(conflict.bound(k), conflict.value(k));
    }
  }

  private void require(int bound, int value) {
    if (trail.holdsAtRoot(bound, value)) {
      return;
    }
    failures.count(bound >> 1);
    int had = need[bound];
    if (had != NONE && had >= value) {
      return;
    }
    if (trail.isOfThisLevel(bound, value) && (had == NONE || !trail.isOfThisLevel(bound, had))) {
      open++;
    }
    need[bound] = value;
    if (!listed[bound]) {
      listed[bound] = true;
      needed[count++] = bound;
    }
  }

  private int[] collect(int bound, int value) {
    int[] clause = new int[2 * count + 2];
    clause[0] = bound ^ 1;
    clause[1] = 1 - value;
    need[bound] = NONE;
    int length = 2;
    int latest = -1;
    for (int k = 0; k < count; k++) {
      int other = needed[k];
      int least = need[other];
      need[other] = NONE;
      listed[other] = false;
      int position = least == NONE ? -1 : trail.position(other, least);
      if (position >= 0) {
        clause[length] = other ^ 1;
        clause[length + 1] = 1 - least;
        if (position > latest) {
          latest = position;
          LearntClauses.swap(clause, 2, length);
        }
        length += 2;
      }
    }
    return Arrays.copyOf(clause, length);
  }
}

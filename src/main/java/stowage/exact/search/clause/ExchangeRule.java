package stowage.exact.search.clause;

import java.util.Arrays;

/**
 * Rule that buffers which must take one connected room from each other lie close together.
 *
 * <p>Let E be the buffers live in section s and not in section t, B those live in t and not in s,
 * and K those live in both. What K leaves of the capacity, in all L bytes, is the same in s as in
 * t. It consists of stretches, and each stretch holds some of E in s and some of B in t. Cut the
 * stretches into two groups at will, and let E' and B' be what is in the first one, E" and B" the
 * rest: then
 *
 * <p>max(size of E', size of B') + max(size of E", size of B") &le; L.
 *
 * <p>Two buffers of E and B that no such pair of groups separates lie in the same stretch. So from
 * the bottom of one to the top of the other there are at most L bytes.
 *
 * <p>Examples, in a full memory: a buffer of 8 ends, and buffers of 3 and 5 begin: both lie within
 * its 8 bytes, wherever these are. Buffers of 4 and 6 end, others of 3 and 7 begin: no part of the
 * one pair takes as much as a part of the other, so the first two are neighbours, and the 10 bytes
 * of them are those of the others.
 *
 * <p>It is looked for between sections of little distance. O(2^n n) for a pair of sections that n
 * buffers distinguish.
 */
final class ExchangeRule implements Rule {
  /** Sections further apart have rarely much in common. */
  private static final int FARTHEST = 8;

  /** Among more buffers groups are many, and nearly always separate them. */
  private static final int MOST = 9;

  private final LiveSets sets;
  private final BoundTrail trail;

  /** For each buffer pairs of another one and the bytes from one's bottom to the other's top. */
  private final int[][] of;

  private final int[] many;
  private final int[] mixed = new int[MOST];
  private final int[] apart = new int[MOST];

  /** The bytes of each group of the mixed buffers. */
  private final int[] sum = new int[1 << MOST];

  ExchangeRule(LiveSets sets, BoundTrail trail) {
    this.sets = sets;
    this.trail = trail;
    this.of = new int[sets.count][4];
    this.many = new int[sets.count];
  }

  /** Looks for exchanges, once the rooms are known. */
  void begin() {
    Arrays.fill(many, 0);
    for (int s = 0; s < sets.sections; s++) {
      for (int t = s + 1; t < Math.min(sets.sections, s + FARTHEST); t++) {
        find(s, t);
      }
    }
  }

  private void find(int s, int t) {
    int ending = collect(s, t, 0);
    int count = collect(t, s, ending);
    if (ending == 0
        || count == ending
        || count > MOST
        || Arrays.stream(mixed, 0, count).allMatch(trail::isFixed)) {
      return;
    }
    for (int group = 1; group < 1 << count; group++) {
      int one = mixed[Integer.numberOfTrailingZeros(group)];
      sum[group] = sum[group & group - 1] + sets.size[one];
    }
    int within = sets.room[s] + sum[(1 << ending) - 1];
    separate(ending, count, within);
    for (int k = 0; k < count; k++) {
      for (int l = 0; l < count; l++) {
        if (k != l && (apart[k] >> l & 1) == 0) {
          add(mixed[k], mixed[l], within);
        }
      }
    }
  }

  /** Appends the buffers live in one section and not in another; their number, or a larger one. */
  private int collect(int in, int notIn, int from) {
    int count = from;
    for (int i : sets.live[in]) {
      if (!sets.isLive(i, notIn)) {
        if (count >= MOST) {
          return MOST + 1;
        }
        mixed[count++] = i;
      }
    }
    return count;
  }

  /** Notes for each buffer which others can be in another stretch. */
  private void separate(int ending, int count, int within) {
    Arrays.fill(apart, 0);
    int all = (1 << count) - 1;
    int ends = (1 << ending) - 1;
    int done = 0;
    for (int group = 1; group < 1 << count - 1 && done < all; group++) {
      int rest = all & ~group;
      int needed =
          Math.max(sum[group & ends], sum[group & ~ends])
              + Math.max(sum[rest & ends], sum[rest & ~ends]);
      if (needed <= within) {
        done = all;
        for (int k = 0; k < count; k++) {
          apart[k] |= (group >> k & 1) == 0 ? group : rest;
          done &= apart[k] | 1 << k;
        }
      }
    }
  }

  private void add(int i, int j, int within) {
    for (int k = 0; k < many[i]; k += 2) {
      if (of[i][k] == j) {
        of[i][k + 1] = Math.min(of[i][k + 1], within);
        return;
      }
    }
    if (many[i] == of[i].length) {
      of[i] = Arrays.copyOf(of[i], 2 * many[i]);
    }
    of[i][many[i]++] = j;
    of[i][many[i]++] = within;
  }

  boolean propagate(int i) {
    for (int k = 0; k < many[i]; k += 2) {
      int j = of[i][k];
      int within = of[i][k + 1];
      if (!keep(i, j, sets.size[j] - within) || !keep(j, i, sets.size[i] - within)) {
        return false;
      }
    }
    return true;
  }

  /** Keeps {@code offset(i) >= offset(j) + distance}. */
  private boolean keep(int i, int j, int distance) {
    return trail.raise(2 * i, trail.value[2 * j] + distance, this, j, distance)
        && trail.raise(2 * j + 1, trail.value[2 * i + 1] + distance, this, i, distance);
  }

  @Override
  public void explain(int bound, int value, int at) {
    trail.conflict().add(2 * trail.argument(at, 0) + (bound & 1), value - trail.argument(at, 1));
  }
}

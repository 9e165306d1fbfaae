package stowage.exact.search.clause;

import java.util.Arrays;

/**
 * Where a single buffer makes room for others, they lie within it, but for what is free anyway.
 *
 * <p>Let a be the only buffer live in section s that is not live in section t, let j be live in t
 * and not in s, and let s leave r bytes of the capacity free. Of the bytes of j, at s none belongs
 * to a buffer that is live in both; so all but r of them belong to a. Therefore j begins at most r
 * below a and ends at most r above it. Example: in a full memory a buffer of 8 ends, and buffers of
 * 3 and 5 begin: both lie within its 8 bytes, wherever these are.
 *
 * <p>It is looked for between sections of little distance, in either direction of time.
 */
final class ExchangeRule implements Rule {
  /** Sections further apart have rarely all but one buffer in common. */
  private static final int FARTHEST = 8;

  private final LiveSets sets;
  private final BoundTrail trail;

  /** Triples of inner buffer, outer buffer and what is free. */
  private int[] triples = new int[96];

  private int count;
  private final int[][] of;

  ExchangeRule(LiveSets sets, BoundTrail trail) {
    this.sets = sets;
    this.trail = trail;
    this.of = new int[sets.count][];
  }

  /** Looks for exchanges, once the rooms are known. */
  void begin() {
    count = 0;
    Arrays.fill(of, new int[0]);
    for (int s = 0; s < sets.sections; s++) {
      for (int t = s + 1; t < Math.min(sets.sections, s + FARTHEST); t++) {
        find(s, t);
        find(t, s);
      }
    }
  }

  private void find(int s, int t) {
    int outer = -1;
    for (int i : sets.live[s]) {
      if (!sets.isLive(i, t)) {
        if (outer >= 0) {
          return;
        }
        outer = i;
      }
    }
    for (int j : sets.live[t]) {
      if (outer >= 0 && sets.size[j] > sets.room[s] && !sets.isLive(j, s)) {
        add(j, outer, sets.room[s]);
      }
    }
  }

  private void add(int inner, int outer, int room) {
    if (3 * count == triples.length) {
      triples = Arrays.copyOf(triples, 6 * count);
    }
    triples[3 * count] = inner;
    triples[3 * count + 1] = outer;
    triples[3 * count + 2] = room;
    for (int i : new int[] {inner, outer}) {
      of[i] = Arrays.copyOf(of[i], of[i].length + 1);
      of[i][of[i].length - 1] = 3 * count;
    }
    count++;
  }

  boolean propagate(int i) {
    for (int k : of[i]) {
      int inner = triples[k];
      int outer = triples[k + 1];
      int room = triples[k + 2];
      // inner >= outer - room, and outer >= inner + difference of the sizes - room.
      if (!keep(inner, outer, -room)
          || !keep(outer, inner, sets.size[inner] - sets.size[outer] - room)) {
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

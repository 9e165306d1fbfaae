package stowage.exact.search.tree;

import java.util.Arrays;
import stowage.exact.search.model.SearchModel;

/**
 * The states of a {@link CanonicalSearch} one after another in one array, and the two steps from a
 * state to the next: placing its first buffer, which makes a child after it, and lifting that
 * buffer, which changes the state itself.
 *
 * <p>A state is {@code count} keys ({@link StateKeys}) at {@code [base, base + count)} by ascending
 * offset; among equal offsets only the first key has its place. O(count) a step, O(count log count)
 * where offsets are constrained.
 */
final class StateArena {
  private final SearchModel model;
  private final StateKeys layout;
  private final StateHash hash;
  private final boolean skipLifting;
  private final boolean relifting;
  private final long[] raised;

  /** The highest offset of each buffer of the search. */
  private final long[] latest;

  private long capacity;

  /** The keys; another array after {@link #reserve}. */
  long[] keys = new long[1024];

  /** The hash of the child made last. */
  long high;

  long low;

  /** Nothing of the child made last was raised to more than this. */
  long risen;

  /** Sections whose schedule the raises of the child made last may have changed. */
  int changedStart;

  int changedEnd;

  /** The capacity that the step which failed last asked for; the maximum where none would do. */
  long needed;

  /** The buffer that the child made last has pushed out of the memory. */
  int blocked;

  /**
   * @param skipLifting whether lifts count neighbours alone as supports
   * @param relifting whether lifted buffers are marked as unsupported
   */
  StateArena(
      SearchModel model, StateKeys layout, StateHash hash, boolean skipLifting, boolean relifting) {
    this.model = model;
    this.layout = layout;
    this.hash = hash;
    this.skipLifting = skipLifting;
    this.relifting = relifting;
    this.raised = new long[model.count];
    this.latest = new long[model.count];
  }

  /**
   * Begins a search of some buffers.
   *
   * @param above for every section what must fit above all that is live in it; null for nothing
   */
  void begin(long units, int[] members, long[] above) {
    capacity = units;
    for (int buffer : members) {
      long most = 0;
      int pieces = above == null ? 0 : model.firstPiece[buffer + 1];
      for (int p = model.firstPiece[buffer]; p < pieces; p++) {
        for (int section = model.spanStart[p]; section < model.spanEnd[p]; section++) {
          most = Math.max(most, above[section]);
        }
      }
      latest[buffer] = units - most - model.size[buffer];
    }
  }

  /** Whether a buffer can be at an offset, negative for none; else notes what it needs. */
  boolean fits(int buffer, long offset) {
    if (offset >= 0 && offset <= latest[buffer]) {
      return true;
    }
    needed = offset < 0 ? Long.MAX_VALUE : offset + capacity - latest[buffer];
    return false;
  }

  void reserve(int length) {
    if (length > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(length, 2 * keys.length));
    }
  }

  /** Swaps the buffer of least rank among those of the least offset to the front. */
  void bringFirst(int base, int count) {
    long[] arena = keys;
    long least = arena[base];
    long lowest = layout.offset(least);
    int place = base;
    for (int k = base + 1; k < base + count && layout.offset(arena[k]) == lowest; k++) {
      if (arena[k] < least) {
        least = arena[k];
        place = k;
      }
    }
    arena[place] = arena[base];
    arena[base] = least;
  }

  /** The lowest top that an unplaced buffer of a state could have. */
  long lowestTop(int base, int count) {
    long lowest = Long.MAX_VALUE;
    for (int k = base; k < base + count; k++) {
      long bottom = layout.offset(keys[k]);
      if (bottom >= lowest) {
        break;
      }
      lowest = Math.min(lowest, bottom + model.size[layout.buffer(keys[k])]);
    }
    return lowest;
  }

  /**
   * Writes the keys of the state without its first buffer after it, its neighbours raised to its
   * top; gives how many were, or -1 where one of them is pushed out of the memory.
   */
  int makeChild(int base, int count, long stateHigh, long stateLow) {
    reserve(base + 2 * count);
    long[] arena = keys;
    long first = arena[base];
    int placed = layout.buffer(first);
    long placedBottom = layout.offset(first);
    long top = placedBottom + model.size[placed];
    long[] conflicts = model.conflicts;
    int row = placed * model.words;
    int end = base + count;
    int kept = end;
    int lifted = 0;
    int from = model.hullStart[placed];
    int to = model.hullEnd[placed];
    long highest = top;
    long sumHigh = stateHigh - hash.high(placed, placedBottom, 0);
    long sumLow = stateLow - hash.low(placed, placedBottom, 0);
    int k = base + 1;
    for (; k < end; k++) {
      long key = arena[k];
      int buffer = layout.buffer(key);
      long bottom = layout.offset(key);
      if (bottom > top && model.unconstrained) {
        break;
      }
      long flag = layout.unsupported(key);
      boolean free = bottom >= top && flag == 0;
      if (free || (conflicts[row + (buffer >> 6)] >>> buffer & 1) == 0) {
        arena[kept++] = key;
        continue;
      }
      long rise = model.roundUp(buffer, top);
      if (bottom >= top && rise < bottom) {
        arena[kept++] = key;
        continue;
      }
      if (!fits(buffer, rise)) {
        blocked = buffer;
        return -1;
      }
      sumHigh += hash.high(buffer, rise, 0) - hash.high(buffer, bottom, flag);
      sumLow += hash.low(buffer, rise, 0) - hash.low(buffer, bottom, flag);
      long changed = layout.at(key, rise);
      if (rise == bottom) {
        arena[kept++] = changed;
        continue;
      }
      highest = Math.max(highest, rise);
      from = Math.min(from, model.hullStart[buffer]);
      to = Math.max(to, model.hullEnd[buffer]);
      raised[lifted++] = changed;
    }
    // Whatever is left in a plain problem starts above the top and keeps its place.
    System.arraycopy(arena, k, arena, kept + lifted, end - k);
    merge(end, kept, lifted);
    high = sumHigh;
    low = sumLow;
    risen = highest;
    changedStart = from;
    changedEnd = to;
    return lifted;
  }

  /** Merges the raised keys into those kept at {@code [from, kept)}, by offset. */
  private void merge(int from, int kept, int lifted) {
    if (!model.unconstrained) {
      // Elsewhere all have risen to the same offset.
      Arrays.sort(raised, 0, lifted);
    }
    long[] arena = keys;
    int left = kept - 1;
    int next = lifted - 1;
    for (int target = kept + lifted - 1; next >= 0; target--) {
      boolean keep = left >= from && layout.offset(arena[left]) > layout.offset(raised[next]);
      arena[target] = keep ? arena[left--] : raised[next--];
    }
  }

  /**
   * Lifts the first buffer of a state onto the lowest top of an unplaced neighbour, to its new
   * place; gives its offset, or -1 where it has nothing to rest on or is lifted out of the memory.
   */
  long liftFirst(int base, int count) {
    long[] arena = keys;
    long first = arena[base];
    int lifted = layout.buffer(first);
    int row = lifted * model.words;
    long support = Long.MAX_VALUE;
    for (int k = base + 1; k < base + count; k++) {
      long key = arena[k];
      long other = layout.offset(key);
      if (other >= support) {
        break;
      }
      int buffer = layout.buffer(key);
      if ((model.conflicts[row + (buffer >> 6)] >>> buffer & 1) != 0 || !skipLifting) {
        support = Math.min(support, other + model.size[buffer]);
      }
    }
    needed = Long.MAX_VALUE;
    if (support == Long.MAX_VALUE) {
      return -1;
    }
    long rise = model.roundUp(lifted, Math.max(support, layout.offset(first) + 1));
    if (!fits(lifted, rise)) {
      return -1;
    }
    int place = base;
    while (place + 1 < base + count && layout.offset(arena[place + 1]) < rise) {
      arena[place] = arena[place + 1];
      place++;
    }
    arena[place] = layout.at(first, rise) | (relifting ? 1 : 0);
    return rise;
  }
}

package stowage.exact.search.tree;

import java.util.Arrays;
import stowage.exact.search.model.SearchModel;

/**
 * The bound that decides most states: in each section the unplaced buffers are jobs on one machine
 * whose release dates are their lowest offsets. Done in the order of release, {@code end = max(end,
 * release) + size}, they end as early as any order lets them; above the capacity the state fails.
 *
 * <h2>Only what can have changed is looked at</h2>
 *
 * The schedule of a section ends at the largest {@code release(k) + (sizes released at release(k)
 * or later)}. When some of its releases rise, to at most r, the new end is therefore at most the
 * larger of the old end and {@code r + (all remaining sizes)}. A state is only searched on while
 * every section ends in time, so a section where {@code r + remaining} is within the capacity needs
 * no look: the others are its <em>suspects</em>. And where the buffer placed last is itself live,
 * all that remains starts on its top, as it did in the schedule of before. For the same reason only
 * jobs released at r or before need to be scheduled: of the others the sum is enough.
 *
 * <p>One pass costs O(unplaced * words of a section row + live pairs in suspect sections).
 */
final class ReleaseDateBound {
  private final SearchModel model;
  private final StateKeys layout;
  private final int words;
  private final boolean thorough;

  /** Row b: the sections in which buffer b is live, as bits. */
  private final long[] live;

  /** Per section the sum of the unplaced sizes, and what comes above them. */
  private final long[] remaining;

  private final long[] suspects;

  /** Per suspect section the sizes not scheduled yet. */
  private final long[] left;

  private long capacity;
  private int failedSection = -1;
  private long needed;

  /**
   * @param thorough whether the section that ends last is looked for where several fail, in place
   *     of any: it asks for the most capacity, and its failures are counted
   */
  ReleaseDateBound(SearchModel model, StateKeys layout, boolean thorough) {
    this.model = model;
    this.thorough = thorough;
    this.layout = layout;
    this.words = Math.max(1, model.sections + 63 >>> 6);
    this.live = new long[model.count * words];
    this.remaining = new long[model.sections];
    this.suspects = new long[words];
    this.left = new long[model.sections];
    for (int buffer = 0; buffer < model.count; buffer++) {
      for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
        for (int section = model.spanStart[p]; section < model.spanEnd[p]; section++) {
          live[buffer * words + (section >> 6)] |= 1L << section;
        }
      }
    }
  }

  /**
   * Begins a search in which nothing is unplaced yet.
   *
   * @param above for every section what must fit above all that is live in it; null for nothing
   */
  void begin(long units, long[] above) {
    capacity = units;
    failedSection = -1;
    if (above == null) {
      Arrays.fill(remaining, 0);
    } else {
      System.arraycopy(above, 0, remaining, 0, remaining.length);
    }
  }

  /** Counts a buffer among the unplaced. */
  void add(int buffer) {
    change(buffer, model.size[buffer]);
  }

  void remove(int buffer) {
    change(buffer, -model.size[buffer]);
  }

  private void change(int buffer, long by) {
    for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
      int last = model.spanEnd[p];
      for (int section = model.spanStart[p]; section < last; section++) {
        remaining[section] += by;
      }
    }
  }

  boolean live(int buffer, int section) {
    return (live[buffer * words + (section >> 6)] >>> section & 1) != 0;
  }

  /** The section that failed last; -1 for none in this search. */
  int failedSection() {
    return failedSection;
  }

  /** The section that failed last does not end before this. */
  long needed() {
    return needed;
  }

  /**
   * Whether each section in {@code [from, to)} ends within the capacity after releases rose.
   *
   * @param keys the unplaced buffers at {@code [base, base + count)}, by ascending offset
   * @param risen nothing rose to more than this
   * @param settled a buffer in whose sections nothing can have changed, or -1
   */
  boolean fits(long[] keys, int base, int count, int from, int to, long risen, int settled) {
    if (from >= to || !suspect(from, to, capacity - risen, settled)) {
      return true;
    }
    int released = base;
    while (released < base + count && layout.offset(keys[released]) <= risen) {
      released++;
    }
    int last = failedSection;
    if (last >= from && last < to && (suspects[last >> 6] >>> last & 1) != 0) {
      // Most failures repeat the one before.
      needed = endOf(last, keys, base, released);
      if (needed > capacity) {
        return false;
      }
      suspects[last >> 6] &= ~(1L << last);
    }
    return schedule(keys, base, released, from, to);
  }

  /** Marks the sections with more left than there is room for above what has risen. */
  private boolean suspect(int from, int to, long room, int settled) {
    long some = 0;
    int row = settled * words;
    for (int word = from >> 6; word <= to - 1 >> 6; word++) {
      int stop = Math.min(to, (word << 6) + 64);
      long marked = 0;
      for (int section = Math.max(from, word << 6); section < stop; section++) {
        marked |= (room - remaining[section] >>> 63) << section;
      }
      if (settled >= 0) {
        marked &= ~live[row + word];
      }
      suspects[word] = marked;
      some |= marked;
    }
    return some != 0;
  }

  /** The end of one section's schedule. */
  private long endOf(int section, long[] keys, int base, int released) {
    long left = remaining[section];
    long ends = 0;
    int word = section >> 6;
    for (int k = base; k < released; k++) {
      long key = keys[k];
      int buffer = layout.buffer(key);
      if ((live[buffer * words + word] >>> section & 1) != 0) {
        ends = Math.max(ends, layout.offset(key) + left);
        left -= model.size[buffer];
      }
    }
    return ends;
  }

  /** Whether the schedules of all suspects end in time. */
  private boolean schedule(long[] keys, int base, int released, int from, int to) {
    long[] todo = left;
    System.arraycopy(remaining, from, todo, from, to - from);
    int first = from >> 6;
    int last = to - 1 >> 6;
    int worst = -1;
    long latest = capacity;
    for (int k = base; k < released; k++) {
      long key = keys[k];
      int buffer = layout.buffer(key);
      long release = layout.offset(key);
      long size = model.size[buffer];
      int row = buffer * words;
      for (int word = first; word <= last; word++) {
        long sections = live[row + word] & suspects[word];
        while (sections != 0) {
          int section = (word << 6) + Long.numberOfTrailingZeros(sections);
          long ends = release + todo[section];
          if (ends > latest) {
            latest = ends;
            worst = section;
            if (!thorough) {
              failedSection = worst;
              needed = latest;
              return false;
            }
          }
          todo[section] = ends - release - size;
          sections &= sections - 1;
        }
      }
    }
    if (worst < 0) {
      return true;
    }
    failedSection = worst;
    needed = latest;
    return false;
  }
}

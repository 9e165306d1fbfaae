package stowage.schedule.model;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The set of ops that have run, which ops are ready, and the live bytes: changed op by op, forwards
 * and backwards. No call allocates.
 *
 * <p>{@link #run} and {@link #undo} take O(touches of the op + ops that wait for it). Ready ops are
 * listed in no particular order, which depends on the way taken.
 */
public final class Downset {
  private static final long SEED = 0x5DEECE66DL;

  private final OrderProblem problem;
  private final int[] left;
  private final int[] open;
  private final int[] ready;
  private final int[] place;
  private final long[] bits;
  private final long[] keys;
  private int readyCount;
  private int size;
  private long live;
  private long hash;

  /** The empty downset. O(ops + touches). */
  public Downset(OrderProblem problem) {
    this.problem = problem;
    this.left = new int[problem.buffers()];
    this.open = new int[problem.ops()];
    this.ready = new int[problem.ops()];
    this.place = new int[problem.ops()];
    this.bits = new long[problem.words()];
    this.keys = new SplittableRandom(SEED).longs(problem.ops()).toArray();
    Arrays.setAll(left, b -> problem.touches(b).length);
    this.live = problem.liveAtStart();
    for (int v = 0; v < open.length; v++) {
      place[v] = -1;
      open[v] = problem.before(v).length;
      if (open[v] == 0) {
        addReady(v);
      }
    }
  }

  /** The number of ops that have run. */
  public int size() {
    return size;
  }

  public int readyCount() {
    return readyCount;
  }

  /** A ready op, by its place in the list. */
  public int ready(int index) {
    return ready[index];
  }

  /** Writes the ops that can run next into an array, ascending, and returns their number. */
  public int sortedReady(int[] into) {
    System.arraycopy(ready, 0, into, 0, readyCount);
    Arrays.sort(into, 0, readyCount);
    return readyCount;
  }

  /** Whether an op can run next. */
  public boolean isReady(int op) {
    return op >= 0 && op < place.length && place[op] >= 0;
  }

  public boolean holds(int op) {
    return (bits[op >> 6] >>> op & 1) != 0;
  }

  /** The ops that have run, as a bit set; not to be changed. */
  public long[] bits() {
    return bits;
  }

  /** Live bytes, in units of the problem, without what is there at the first step alone. */
  public long live() {
    return live;
  }

  /** A hash of the set: equal sets have equal ones. */
  public long hash() {
    return hash;
  }

  /** How many of the ops that touch a buffer have not run. */
  public int left(int buffer) {
    return left[buffer];
  }

  private boolean begun(int buffer) {
    return problem.given(buffer) || left[buffer] < problem.touches(buffer).length;
  }

  /** The load of running a ready op next. O(touches of the op). */
  public long load(int op) {
    long load = live + (size == 0 ? problem.idle() : 0);
    for (int b : problem.uses(op)) {
      if (!begun(b)) {
        load += problem.bytes(b);
      }
    }
    int[] pairs = problem.overwrites(op);
    for (int k = 0; k < pairs.length; k += 2) {
      if (left[pairs[k]] == 1 && !begun(pairs[k + 1])) {
        return load - problem.bytes(pairs[k + 1]);
      }
    }
    return load;
  }

  /** By how much running a ready op changes the live bytes. O(touches of the op). */
  public long change(int op) {
    long change = 0;
    for (int b : problem.uses(op)) {
      if (!begun(b)) {
        change += problem.bytes(b);
      }
      if (left[b] == 1 && !problem.kept(b)) {
        change -= problem.bytes(b);
      }
    }
    return change;
  }

  public void run(int op) {
    live += change(op);
    for (int b : problem.uses(op)) {
      left[b]--;
    }
    bits[op >> 6] |= 1L << op;
    hash ^= keys[op];
    size++;
    removeReady(op);
    for (int u : problem.after(op)) {
      if (--open[u] == 0) {
        addReady(u);
      }
    }
  }

  /** Takes back an op that has run and for which none that has run waited. */
  public void undo(int op) {
    for (int u : problem.after(op)) {
      if (open[u]++ == 0) {
        removeReady(u);
      }
    }
    addReady(op);
    size--;
    hash ^= keys[op];
    bits[op >> 6] &= ~(1L << op);
    for (int b : problem.uses(op)) {
      left[b]++;
    }
    live -= change(op);
  }

  /**
   * Moves to the downset that {@code target} holds from a word on: takes back what it does not
   * hold, latest first, and runs what is missing, earliest first. O(what differs).
   */
  public void moveTo(long[] target, int from) {
    for (int w = bits.length - 1; w >= 0; w--) {
      long extra = bits[w] & ~target[from + w];
      while (extra != 0) {
        int bit = 63 - Long.numberOfLeadingZeros(extra);
        extra &= ~(1L << bit);
        undo((w << 6) + bit);
      }
    }
    for (int w = 0; w < bits.length; w++) {
      long missing = target[from + w] & ~bits[w];
      while (missing != 0) {
        int bit = Long.numberOfTrailingZeros(missing);
        missing &= missing - 1;
        run((w << 6) + bit);
      }
    }
  }

  private void addReady(int op) {
    place[op] = readyCount;
    ready[readyCount++] = op;
  }

  private void removeReady(int op) {
    int at = place[op];
    int moved = ready[--readyCount];
    ready[at] = moved;
    place[moved] = at;
    place[op] = -1;
  }
}

package stowage.exact.search.local;

import java.util.Arrays;
import stowage.exact.search.clause.LearningSearch;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Search that places some consecutive sections below a capacity and extends this placement at its
 * two ends until it covers all sections; where no extension is found, the capacity rises.
 *
 * <p>Memories that are full at most steps are easy where they are short: {@link LearningSearch}
 * places a hundred buffers of consecutive sections within some hundred failures, and takes
 * exponentially more with their number, since what it does in one section says nothing of sections
 * far away. So a window of sections is placed first, and then a few sections at a time are added to
 * the left or to the right. For that the buffers of a window at this end are free to move, the old
 * ones and the new, while those that are live only farther inside stay where they are. A window is
 * bound to what has been placed on one side alone, which is why it often succeeds.
 *
 * <p>Where it fails, the next window reaches farther back. Where that fails often, some sections
 * are given up, to be placed in another way. Where that fails too the capacity rises a little: what
 * is placed stays valid, and what is hard gets the room that it needs, so that in the end the peak
 * is hardly above what the hardest sections took.
 *
 * <p>Example: 374 buffers over 200 steps, capacity 1,024. Steps 96 to 156 are placed first, and
 * steps 40 to 170, with 259 buffers, after 24 windows of some 60 buffers each and 4,700 failures
 * together. Both ends are harder: with 246 windows all is placed below 1,039.
 */
public final class WindowGrowth extends WindowSearch {
  /** Sections are counted by the buffers that begin in them: so many for the first window. */
  private static final int FIRST = 110;

  /** At most so many are added at a time. */
  private static final int AHEAD = 37;

  /** How far a window reaches back at least, and so much more for every failure before it. */
  private static final int BACK = 18;

  /** How much is given up at least where windows fail; and up to so much more. */
  private static final int GIVEN_UP = 18;

  private static final int MORE_GIVEN_UP = 92;

  /**
   * Failures of a run; a window's search has three runs, that of the first window twelve. Of the
   * windows that succeed nine in ten do within so many, and others take most of the time.
   */
  private static final int FAILURES = 30;

  /** Windows that fail in a row before sections are given up. */
  private static final int PATIENCE = 8;

  /** What the capacity rises by without patience, as a share of it. */
  private static final double RISE = 0.01;

  private final double begun;
  private int mostRetreats;
  private int low;
  private int high;
  private int most;
  private int failed;
  private int retreats;

  public WindowGrowth(SearchModel model, RunControl control, long seed) {
    super(model, control, seed);
    this.begun = (double) model.count / model.sections;
  }

  /**
   * Gives up all that is placed.
   *
   * @param units the capacity to begin with, no less than the largest load
   * @param patience how often sections are given up in vain before the capacity rises; the more,
   *     the less it rises at a time
   */
  public void begin(long units, int patience) {
    capacity = units;
    mostRetreats = patience;
    low = 0;
    high = 0;
    failed = 0;
    retreats = 0;
    Arrays.fill(offsets, -1);
  }

  /** Offsets in units; of all buffers once {@link #grow} has said so. */
  public long[] offsets() {
    return offsets;
  }

  /** Searches one window more; answers whether all buffers are placed. */
  public boolean grow() {
    windows++;
    if (low == high) {
      first();
    } else {
      extend();
    }
    return high - low == model.sections;
  }

  private void first() {
    int width = sections((int) (FIRST * (0.5 + 0.5 * random.nextDouble())));
    int from = random.nextInt(model.sections - width + 1);
    if (search(from, from + width, from, from + width, 12 * FAILURES)) {
      low = from;
      high = from + width;
      most = width;
      failed = 0;
    } else if (++failed > PATIENCE) {
      rise();
    }
  }

  private void extend() {
    boolean right = high < model.sections && (low == 0 || random.nextBoolean());
    int ahead = sections(1 + random.nextInt(AHEAD));
    int back = sections(BACK + random.nextInt(2 * BACK * (1 + failed)));
    int from = right ? low : Math.max(0, low - ahead);
    int to = right ? Math.min(model.sections, high + ahead) : high;
    int firstFree = right ? Math.max(low, high - back) : from;
    int lastFree = right ? to : Math.min(high, low + back);
    if (search(from, to, firstFree, lastFree, 3 * FAILURES)) {
      low = from;
      high = to;
      failed = 0;
      if (to - from > most) {
        most = to - from;
        retreats = 0;
      }
    } else if (++failed > PATIENCE) {
      retreat(right);
    }
  }

  /** Gives up some sections at one end. */
  private void retreat(boolean right) {
    failed = 0;
    int less = sections(GIVEN_UP + random.nextInt(MORE_GIVEN_UP));
    if (less >= high - low) {
      low = high;
    } else if (right) {
      high -= less;
    } else {
      low += less;
    }
    Arrays.setAll(offsets, i -> isLive(i, low, high) ? offsets[i] : -1);
    if (++retreats > mostRetreats) {
      rise();
    }
  }

  private void rise() {
    capacity += Math.max(1, (long) (RISE * capacity / (1 + mostRetreats)));
    failed = 0;
    retreats = 0;
    most = high - low;
  }

  /** As many sections as so many buffers begin in on average. */
  private int sections(int buffers) {
    return Math.min(model.sections, (int) Math.max(1, buffers / begun));
  }

  private boolean isLive(int buffer, int from, int to) {
    return from < to && model.hullStart[buffer] < to && model.hullEnd[buffer] > from;
  }

  /**
   * Places the buffers of sections {@code [from, to)}, of which those with an offset stay where
   * they are unless they are live in {@code [firstFree, lastFree)}.
   */
  private boolean search(int from, int to, int firstFree, int lastFree, long failures) {
    boolean[] free = new boolean[model.count];
    for (int i = 0; i < free.length; i++) {
      free[i] = isLive(i, from, to) && (offsets[i] < 0 || isLive(i, firstFree, lastFree));
    }
    return place(free, offsets, FAILURES, failures, failed == 0);
  }
}

package stowage.exact.search.local;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.exact.search.clause.LearningSearch;
import stowage.exact.search.model.SearchModel;
import stowage.packing.IndexOrder;
import stowage.packing.RunControl;

/**
 * Search that places large buffers below a capacity and brings small ones in one by one.
 *
 * <p>Full memories are hard because of their small buffers: without those of a hundredth of the
 * capacity {@link LearningSearch} places the others within some hundred failures. What is left out
 * is put into the holes first. Then one of the buffers left out is chosen, and the buffers live
 * around it are free to move while it finds its place. In half of these windows some that count
 * less are left out in its favour, and put into holes afterwards. A buffer for which that fails
 * counts more from then on, so that others are left out in its place.
 *
 * <p>At any time there is a placement of all buffers, with those left out {@linkplain #stacked on
 * top}; its peak is the lower the smaller they are.
 *
 * <p>Example: 283 buffers over 100 steps, capacity 1,024. The 169 largest are placed in 0.3 s, 56
 * more fit holes, and of the other 58, each below 14, all but 5 are in after 850 windows and 11,000
 * failures.
 */
public final class WindowRepair extends WindowSearch {
  /** Share of the buffers that is placed at first, and that comes in with each search of all. */
  private static final double LARGEST = 0.55;

  private static final double MORE = 0.04;

  /** Failures of a search of all the large ones, and of its shortest run. */
  private static final int FAILURES_OF_ALL = 2_000;

  private static final int FAILURES_A_RUN = 100;

  /**
   * Failures of a window's search. Of the windows that succeed nine in ten do within so many, and
   * those that do not take most of the time.
   */
  private static final int FAILURES = 30;

  /** Buffers that are free in a window: so many, and up to so many more. */
  private static final int FREE = 20;

  private static final int MORE_FREE = 61;

  /** Share of the windows in which large buffers stay where they are. */
  private static final double SMALL_ONLY = 0.3;

  /** What a buffer counts more after a window that failed. */
  private static final double BLAME = 1.03;

  /** How much worse a placement may get at most, as a share of what is left out. */
  private static final double WORSE = 0.02;

  /** What it costs to leave a buffer out. */
  private final double[] cost;

  /** The share of the buffers to be placed next; above 1 where the large ones are in place. */
  private double share;

  private long least;
  private long since;

  public WindowRepair(SearchModel model, RunControl control, long seed) {
    super(model, control, seed);
    this.cost = new double[model.count];
  }

  /** Gives up all that is placed, for a capacity in units, no less than the largest load. */
  public void begin(long units) {
    capacity = units;
    share = LARGEST;
    since = 0;
    least = Long.MAX_VALUE;
    Arrays.fill(offsets, -1);
    Arrays.setAll(cost, i -> model.size[i]);
  }

  /** Begins from a placement; what reaches above a capacity is left out. */
  public void begin(long units, long[] placement) {
    begin(units);
    share = 2;
    System.arraycopy(placement, 0, offsets, 0, offsets.length);
    move(units);
    fill(offsets, capacity);
  }

  /** Continues at another capacity; what reaches above it is left out. */
  public void move(long units) {
    capacity = units;
    Arrays.setAll(offsets, i -> offsets[i] + model.size[i] > units ? -1 : offsets[i]);
    since = 0;
    least = Long.MAX_VALUE;
  }

  /** Windows since the bytes left out were fewest. */
  public long windowsInVain() {
    return since;
  }

  /** Searches one window more; answers whether anything has changed. */
  public boolean repair() {
    windows++;
    since++;
    boolean changed = share <= 1 ? placeLargest() : bringIn();
    long out =
        IntStream.range(0, offsets.length)
            .filter(i -> offsets[i] < 0)
            .mapToLong(i -> model.size[i])
            .sum();
    if (changed && out < least) {
      least = out;
      since = 0;
    }
    return changed;
  }

  /** Offsets in units of all buffers, those left out in the lowest holes above the others. */
  public long[] stacked() {
    long[] all = offsets.clone();
    fill(all, Long.MAX_VALUE);
    return all;
  }

  /** Whether all buffers are placed below the capacity. */
  public boolean isComplete() {
    return share > 1 && Arrays.stream(offsets).allMatch(offset -> offset >= 0);
  }

  private boolean placeLargest() {
    boolean[] free = new boolean[model.count];
    IntStream.range(0, free.length)
        .boxed()
        .sorted(Comparator.comparingLong(i -> -model.size[i]))
        .limit(Math.round(share * free.length))
        .forEach(i -> free[i] = true);
    long[] found = new long[free.length];
    Arrays.fill(found, -1);
    if (place(free, found, FAILURES_A_RUN, FAILURES_OF_ALL, false)) {
      System.arraycopy(found, 0, offsets, 0, found.length);
      share += MORE;
    } else {
      share = 2;
    }
    if (share > 1) {
      fill(offsets, capacity);
    }
    return share > 1;
  }

  /** One window around a buffer that is left out, the costlier of two. */
  private boolean bringIn() {
    int[] out = IntStream.range(0, offsets.length).filter(i -> offsets[i] < 0).toArray();
    if (out.length == 0) {
      return false;
    }
    int one = out[random.nextInt(out.length)];
    int other = out[random.nextInt(out.length)];
    int chosen = cost[other] > cost[one] ? other : one;
    boolean[] free = around(chosen);
    long[] found = offsets.clone();
    if (random.nextBoolean()) {
      leaveOut(chosen, free, found);
    }
    if (place(free, found, FAILURES, FAILURES, random.nextBoolean())) {
      fill(found, capacity);
      if (cost(found) <= cost(offsets) * (1 + WORSE * random.nextDouble())) {
        System.arraycopy(found, 0, offsets, 0, found.length);
        return true;
      }
    }
    cost[chosen] *= BLAME;
    return false;
  }

  /**
   * The buffers live around one, as many as drawn, which it joins: around its whole live range, or
   * around one section of it, always so where more are live during its live range. Larger windows
   * take most of the time and succeed least.
   */
  private boolean[] around(int chosen) {
    int wanted = FREE + random.nextInt(MORE_FREE);
    double factor = StrictMath.pow(2, 1 + 3 * random.nextDouble());
    double largest =
        random.nextDouble() < SMALL_ONLY ? factor * model.size[chosen] : Double.POSITIVE_INFINITY;
    int from = model.hullStart[chosen];
    int to = model.hullEnd[chosen];
    boolean[] free = new boolean[model.count];
    if (random.nextInt(3) == 0 || free(free, from, to, largest) > wanted) {
      from += random.nextInt(to - from);
      to = from + 1;
    }
    while (free(free, from, to, largest) < wanted && (from > 0 || to < model.sections)) {
      if (to == model.sections || from > 0 && random.nextBoolean()) {
        from--;
      } else {
        to++;
      }
    }
    free[chosen] = true;
    return free;
  }

  /** Frees the buffers of some sections; their number. */
  private int free(boolean[] free, int from, int to, double largest) {
    int many = 0;
    for (int i = 0; i < free.length; i++) {
      free[i] =
          offsets[i] >= 0
              && model.size[i] <= largest
              && model.hullStart[i] < to
              && model.hullEnd[i] > from;
      many += free[i] ? 1 : 0;
    }
    return many;
  }

  /** Leaves out a share of the free buffers that count less than one. */
  private void leaveOut(int chosen, boolean[] free, long[] found) {
    double drawn = random.nextDouble() * random.nextDouble();
    for (int i = 0; i < free.length; i++) {
      if (free[i] && i != chosen && cost[i] <= cost[chosen] && random.nextDouble() < drawn) {
        free[i] = false;
        found[i] = -1;
      }
    }
  }

  private double cost(long[] found) {
    double sum = 0;
    for (int i = 0; i < found.length; i++) {
      sum += found[i] < 0 ? cost[i] : 0;
    }
    return sum;
  }

  /** Puts what has no offset into the lowest hole that ends below a limit, costly ones first. */
  private void fill(long[] found, long limit) {
    IntStream.range(0, found.length)
        .filter(i -> found[i] < 0)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -cost[i]))
        .forEach(
            i -> {
              long lowest = hole(found, i);
              found[i] = lowest + model.size[i] <= limit ? lowest : -1;
            });
  }

  /** The lowest offset at which a buffer is in no other's way. */
  private long hole(long[] found, int buffer) {
    int[] others =
        IndexOrder.of(
            IntStream.range(0, found.length)
                .filter(i -> found[i] >= 0 && i != buffer && model.conflict(i, buffer)),
            Comparator.comparingLong(i -> found[i]));
    long end = 0;
    for (int i : others) {
      if (found[i] >= end + model.size[buffer]) {
        break;
      }
      end = Math.max(end, found[i] + model.size[i]);
    }
    return end;
  }
}

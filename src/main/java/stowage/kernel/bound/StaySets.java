package stowage.kernel.bound;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;

/**
 * Search over the stays that may make up a phase, for {@link StayBound}: the phases that need the
 * fewest units for the prices of their stays.
 *
 * <p>A phase in which so many stays end is a set of whole stays and, where another stay may be
 * under way at a cut, the last part of one (then one whole stay less) and the first part of
 * another, or a middle part of one. Units of a set only grow with it, so a branch of the search
 * ends where its units exceed what prices can add up to; sets whose stays have little in common end
 * there at once. Exponential in the number of ends at worst, with a limit of work. Not thread-safe.
 */
final class StaySets {
  /** Prices may exceed units by so little; sums of parts are rounded. */
  private static final double SURE = 1e-7;

  private static final double ROUGH = 1e-3;
  private static final double RAISE = 1.25;
  private static final int LOW = 16;
  private static final long LOOK = 1 << 18;

  private final int[][][] needs;
  private final int[] type;
  private final long[] cost;
  private final int[] via;
  private final int[] free;

  /** Whether another stay may be under way at a cut. */
  private final boolean another;

  private final int[] first;
  private final int[] image;

  /** The units that caches hold at a cut. */
  private final long room;

  private final BooleanSupplier stopped;
  private final int[] byCost;
  private final long mostSaved;

  /** By type, the price of a stay. */
  final double[] price;

  /** By type, whether its price follows the level. */
  final boolean[] raised;

  private double level;
  private double worst;
  private boolean lowers;
  private long work;

  /** The work left at which the search looks whether it is stopped. */
  private long look;

  private int ends;

  private final int[] uses;
  private final boolean[] whole;
  private final boolean[] barred;
  private final int[] length;

  /** By type, the milestones of its stays in the set. */
  private final int[] share;

  private long units;
  private double value;
  private double highest;

  /** By type, whether the set that set the level has a part of such a stay. */
  private boolean[] tight;

  /**
   * @param needs by stay and milestone in order, the items needed
   * @param type of each stay, from 0; those of a type have equally many milestones
   * @param cost of each item in units
   * @param chains the links of items, and what there is room for
   * @param first stays of which each other one is the image of one under a symmetry
   * @param image by stay, the place in {@code first} of the one it is the image of
   * @param stopped ends a search as its limit of work does
   */
  StaySets(
      int[][][] needs,
      int[] type,
      long[] cost,
      StayChains chains,
      int[] first,
      int[] image,
      BooleanSupplier stopped) {
    this.needs = needs;
    this.type = type;
    this.cost = cost;
    this.via = chains.via();
    this.free = chains.free();
    this.another = chains.another();
    this.first = first;
    this.image = image;
    this.room = chains.room();
    this.stopped = stopped;
    int types = Arrays.stream(type).max().orElse(-1) + 1;
    price = new double[types];
    raised = new boolean[types];
    share = new int[types];
    length = new int[types];
    for (int r = 0; r < type.length; r++) {
      length[type[r]] = needs[r].length;
    }
    uses = new int[cost.length];
    whole = new boolean[needs.length];
    barred = new boolean[needs.length];
    byCost =
        IndexOrder.of(IntStream.range(0, cost.length), Comparator.comparingLong(i -> -cost[i]));
    long most = 0;
    for (int c = 0; c < free.length; c++) {
      int cache = c;
      most +=
          free[c]
              * IntStream.range(0, cost.length)
                  .filter(i -> via[i] == cache)
                  .mapToLong(i -> cost[i])
                  .max()
                  .orElse(0);
    }
    mostSaved = most;
  }

  /**
   * Lowers the price of all raised types from a level until each set of a phase has its price in
   * units beyond the room.
   *
   * @param work steps that the search may take
   * @return the level, below 0 where a phase needs less than the room; NaN where the work ended
   */
  double lower(int ends, double level, long work) {
    this.ends = ends;
    this.work = work;
    look = work;
    lowers = true;
    worst = 0;
    tight = null;
    // a level that is too low ends branches early: it is raised until some set sets it
    for (double next = (double) room / ends / LOW; tight == null && this.work >= 0; next *= RAISE) {
      set(Math.min(level, Math.max(next, highest())));
      search();
      if (next >= level) {
        break;
      }
    }
    return this.work < 0 ? Double.NaN : this.level;
  }

  private double highest() {
    double most = 0;
    for (int t = 0; t < price.length; t++) {
      most = Math.max(most, raised[t] ? 0 : price[t]);
    }
    return most;
  }

  /** By type, whether a stay of it is in the set that set the level; null where none did. */
  boolean[] tight() {
    return tight;
  }

  /**
   * The most that prices of the first phase, of fewer ends, exceed its units beyond the room; none
   * of its stays has begun before. Infinite where the work ended.
   */
  double lost(int most, long work) {
    this.work = work;
    look = work;
    lowers = false;
    worst = 0;
    set(level);
    for (ends = 1; ends < most; ends++) {
      search();
    }
    return this.work < 0 ? Double.POSITIVE_INFINITY : worst;
  }

  private void set(double level) {
    this.level = level;
    for (int t = 0; t < price.length; t++) {
      price[t] = raised[t] ? level : price[t];
    }
    highest = Arrays.stream(price).max().orElse(0);
    value = priced();
  }

  private double priced() {
    double sum = 0;
    for (int t = 0; t < price.length; t++) {
      sum += (double) share[t] / length[t] * price[t];
    }
    return sum;
  }

  private void search() {
    Arrays.fill(barred, false);
    for (int k = 0; k < first.length; k++) {
      // sets with a stay of this image, of which one is then the first, and with none of those
      // before
      choose(first[k], ends);
      if (another && lowers && ends > 1) {
        choose(first[k], ends - 1);
      }
      for (int r = 0; r < needs.length; r++) {
        barred[r] |= image[r] == k;
      }
    }
    if (another && lowers && ends == 1) {
      borders();
    }
  }

  /** Whether no set with these stays whole, so many more and parts can be of interest. */
  private boolean isHopeless(double more) {
    return value + more * highest + room + mostSaved - units <= worst - ROUGH;
  }

  private void choose(int begin, int more) {
    whole[begin] = true;
    add(begin, 0, needs[begin].length);
    chooseFrom(0, more - 1);
    remove(begin, 0, needs[begin].length);
    whole[begin] = false;
  }

  private void chooseFrom(int from, int more) {
    if (isHopeless(more + (another ? 2 : 0)) || isOver()) {
      return;
    }
    if (more == 0) {
      int count = 0;
      for (boolean is : whole) {
        count += is ? 1 : 0;
      }
      if (count == ends) {
        middles();
      } else {
        borders();
      }
      return;
    }
    for (int r = from; r <= needs.length - more && level >= 0; r++) {
      if (whole[r] || barred[r]) {
        continue;
      }
      whole[r] = true;
      add(r, 0, needs[r].length);
      chooseFrom(r + 1, more - 1);
      remove(r, 0, needs[r].length);
      whole[r] = false;
    }
  }

  private boolean isOver() {
    work--;
    if (work < look) {
      look = work - LOOK;
      work = stopped.getAsBoolean() ? -1 : work;
    }
    return level < 0 || work < 0;
  }

  /** All stays that end in the phase are whole; another may be under way all the while. */
  private void middles() {
    consider();
    for (int r = 0; r < needs.length && another; r++) {
      int length = needs[r].length;
      for (int from = 0; from < (lowers ? length : 1) && !whole[r]; from++) {
        int to = from;
        while (to < length - 1 && !isHopeless(1)) { // after its last milestone it would have ended
          add(r, to, ++to);
          consider();
        }
        remove(r, from, to);
      }
    }
  }

  /** A stay was under way at the begin, and another may be at the end. */
  private void borders() {
    for (int r = 0; r < needs.length && !isHopeless(2) && !isOver(); r++) {
      int from = needs[r].length;
      while (from > 1 && !whole[r]) {
        from--;
        add(r, from, from + 1);
        consider();
        for (int s = 0; s < needs.length && !isHopeless(1); s++) {
          int to = 0;
          while (s != r && !whole[s] && to < needs[s].length - 1 && !isHopeless(1)) {
            add(s, to, ++to);
            consider();
          }
          remove(s, 0, to);
        }
      }
      remove(r, from, needs[r].length);
    }
  }

  private void add(int r, int from, int to) {
    for (int p = from; p < to; p++) {
      for (int i : needs[r][p]) {
        units += uses[i]++ == 0 ? cost[i] : 0;
      }
    }
    work -= to - from;
    part(r, to - from);
  }

  private void remove(int r, int from, int to) {
    for (int p = from; p < to; p++) {
      for (int i : needs[r][p]) {
        units -= --uses[i] == 0 ? cost[i] : 0;
      }
    }
    part(r, from - to);
  }

  private void part(int r, int milestones) {
    share[type[r]] += milestones;
    value += (double) milestones / needs[r].length * price[type[r]];
  }

  private void consider() {
    if (isHopeless(0)) {
      return;
    }
    work -= uses.length;
    double beyond = units - saved() - room;
    double priced = priced();
    double excess = priced - beyond;
    if (excess <= worst + SURE) {
      return;
    }
    if (!lowers) {
      worst = Math.max(worst, excess);
      return;
    }
    double follows = 0;
    double fixed = 0;
    tight = new boolean[price.length];
    for (int t = 0; t < price.length; t++) {
      double part = (double) share[t] / length[t];
      tight[t] = part > 0;
      follows += raised[t] ? part : 0;
      fixed += raised[t] ? 0 : part * price[t];
    }
    set(follows > 0 ? (beyond - fixed) / follows : -1);
  }

  /** What items cost at most that need not be at hand, as all their moves may have run before. */
  private long saved() {
    int[] left = lowers ? free.clone() : new int[free.length];
    long saved = 0;
    for (int i : byCost) {
      if (uses[i] > 0 && via[i] >= 0 && uses[i] <= free[via[i]] && left[via[i]]-- > 0) {
        saved += cost[i];
      }
    }
    return saved;
  }
}

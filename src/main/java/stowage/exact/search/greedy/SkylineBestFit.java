package stowage.exact.search.greedy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import stowage.exact.presolve.Component;
import stowage.packing.RangeMaximum;
import stowage.packing.RunControl;
import stowage.packing.StepOrder;

/**
 * Placer of up to millions of buffers, which fills valleys of the skyline.
 *
 * <p>The skyline is the height reached over time. Its lowest stretch is filled with a buffer whose
 * whole live range is within the stretch, which wastes nothing; where no buffer fits any more, the
 * stretch is lifted to its lower neighbour and the difference is lost. This is Burke, Kendall and
 * Whitwell's best-fit for strip packing (doi 10.1287/opre.1040.0109) with one axis fixed, and with
 * a preference for what covers the section with the most load still to come.
 *
 * <p>A shallow valley is better lifted at once: filled with short-lived buffers it turns into a
 * tower that cuts the skyline into valleys too narrow for what is left, and the longest live ranges
 * then end on top of all. What is shallow is a matter of tolerance, a share of the mean size, and
 * more where the valley is narrow. Example: a million buffers of sizes from 512 bytes to 16 MB end
 * 2.2 % above their max load without a tolerance, 1.0 % with one of 0.115, and 7.9 % with one of
 * 0.6.
 *
 * <p>Most is lost in valleys that are narrow and deep: a wall grew on either side of a full
 * section, and no remaining buffer has its live range within it. A buffer that fills a valley to
 * its rim leaves none behind, and one that ends level with a rim widens the next; {@link
 * Preference#LEVEL} prefers these.
 *
 * <p>Tiny buffers may wait until all others are placed. Their odd sizes would otherwise put the
 * large ones at offsets that never meet again, and at a section of full load every byte of such a
 * step is lost; on top of all they pack by themselves.
 *
 * <p>Most of what is lost is lost near the top, where few buffers are left to choose from: of a
 * million, 0.4 % of the max load below four fifths of the height and 0.7 % above. So a placement
 * can be kept below some level and the rest placed again in another style, for a fraction of the
 * time.
 *
 * <p>Candidates are found by {@link SkylineCandidates}. In all O(n log n) time, about 120 bytes a
 * buffer.
 *
 * <p>A buffer of several pieces or windows is taken as alive in full from its first to its last
 * section, and one with extra conflicts is raised above those placed before it: valid, if not
 * tight. Offsets are rounded up to what each buffer allows. Fixed offsets are not honoured.
 */
public final class SkylineBestFit {
  /** What a candidate is chosen for among those of its width class. */
  public enum Preference {
    /** The longest live range. */
    WIDE,
    /** The largest size. */
    TALL,
    /** The largest area. */
    LARGE,
    /** Leaves the least room to the nearer wall, then the longest live range. */
    FLUSH,
    /** The longest live range less the room to the nearer wall. */
    SNUG,
    /** As {@link #SNUG}, and rather what ends above the lower rim, best level with a rim. */
    LEVEL
  }

  /** A valley of this share of all sections is neither narrow nor wide. */
  private static final double USUAL_WIDTH = 1 / 64.0;

  /** How the depth that is shallow falls with the width. */
  private static final double WIDTH_EXPONENT = 0.2;

  /** Worth of filling a valley to its rim, as a share of its width; twice that for levelling. */
  private static final double TO_THE_RIM = 0.05;

  /** One step in so many strays from the preference, where that is left to chance. */
  private static final int STRAY = 8;

  private final Component problem;
  private Preference preference;

  /** Below this depth a valley of usual width is shallow. */
  private double shallow;

  /** Draws a preference for every buffer; null where one is used throughout. */
  private SplittableRandom random;

  private Preference present;

  /** How far the lower and the higher rim of the present valley are above it. */
  private long depth;

  private long rise;

  // What is to be placed, and the sections of its time alone.
  private int sections;
  private int[] lifeStart;
  private int[] lifeEnd;
  private long[] sizes;

  /** The problem's number of each buffer that is to be placed; null where that is all of them. */
  private int[] numbers;

  private int placed;

  /** What is placed first, and then the rest. */
  private SkylineCandidates candidates;

  private final long fine;
  private final RangeMaximum remaining;
  private final Skyline skyline;
  private final long[] offsets;
  private final SkylineCandidates.Score score = this::score;

  /**
   * @param tolerance up to what share of the mean size a valley is shallow, at least 0
   * @param fine buffers of less than this size wait until all others are placed; 0 for none
   * @param random lets one step in some stray from the preference; null for none
   */
  public SkylineBestFit(
      Component problem,
      Preference preference,
      double tolerance,
      long fine,
      SplittableRandom random) {
    this(problem, preference, tolerance, fine, random, null, 0);
  }

  /** One that keeps what begins below a level in a placement, and places the rest on top of it. */
  SkylineBestFit(
      Component problem,
      Preference preference,
      double tolerance,
      long fine,
      SplittableRandom random,
      long[] below,
      long level) {
    this.problem = problem;
    this.preference = preference;
    this.random = random;
    this.shallow = tolerance * meanSize(problem);
    this.sections = Math.max(1, problem.sections());
    this.sizes = problem.sizes();
    this.offsets = below == null ? new long[problem.count()] : below.clone();
    boolean single = problem.spanStarts().length == problem.count() && !problem.hasWindows();
    this.lifeStart = single ? problem.spanStarts() : new int[problem.count()];
    this.lifeEnd = single ? problem.spanEnds() : new int[problem.count()];
    if (!single) {
      takeWholeLives();
    }
    this.fine = fine;
    if (below == null) {
      Arrays.fill(offsets, -1);
    }
    this.skyline = below == null ? new Skyline(sections) : Skyline.of(keepBelow(level));
    this.candidates = candidates(false);
    this.remaining = new RangeMaximum(loads());
  }

  /** Goes on, in its own style, from where another filling is; tiny buffers do not wait. O(n). */
  void goOnFrom(
      SkylineBestFit other, Preference preference, double tolerance, SplittableRandom random) {
    this.preference = preference;
    this.shallow = tolerance * meanSize(problem);
    this.random = random;
    this.placed = other.placed;
    System.arraycopy(other.offsets, 0, offsets, 0, offsets.length);
    skyline.copyFrom(other.skyline);
    candidates.copyFrom(other.candidates);
    remaining.copyFrom(other.remaining);
  }

  /**
   * Keeps what begins below a level; answers the heights above which the rest goes, which fitted
   * nowhere below the level. The rest has numbers of its own from here on, and only its starts and
   * ends cut time into sections: after O(n) for this, placing it takes O(rest log rest), in memory
   * that mostly fits the caches.
   */
  private long[] keepBelow(long level) {
    int count = (int) Arrays.stream(offsets).filter(offset -> offset >= level).count();
    numbers = new int[count];
    int[] steps = new int[2 * count];
    long[] own = new long[count];
    int k = 0;
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      if (offsets[buffer] >= level) {
        numbers[k] = buffer;
        own[k] = sizes[buffer];
        steps[k] = lifeStart[buffer];
        steps[count + k++] = lifeEnd[buffer];
      }
    }
    int[] times = new int[2 * count];
    int[] ranks = new int[2 * count];
    int last = -1;
    for (int step : StepOrder.of(steps, 2 * count)) {
      if (last < 0 || times[last] < steps[step]) {
        times[++last] = steps[step];
      }
      ranks[step] = last;
    }
    long[] heights = new long[Math.max(1, last)];
    Arrays.fill(heights, level);
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      long top = offsets[buffer] + sizes[buffer];
      if (offsets[buffer] < level && top > level) {
        int from = Arrays.binarySearch(times, 0, last + 1, lifeStart[buffer]);
        from = from < 0 ? Math.max(0, -from - 2) : from;
        for (int s = from; s < last && times[s] < lifeEnd[buffer]; s++) {
          heights[s] = Math.max(heights[s], top);
        }
      }
    }
    for (int buffer : numbers) {
      offsets[buffer] = -1;
    }
    sections = heights.length;
    sizes = own;
    lifeStart = Arrays.copyOf(ranks, count);
    lifeEnd = Arrays.copyOfRange(ranks, count, 2 * count);
    return heights;
  }

  private int number(int buffer) {
    return numbers == null ? buffer : numbers[buffer];
  }

  private static double meanSize(Component problem) {
    double sum = 0;
    for (long size : problem.sizes()) {
      sum += size;
    }
    return sum / Math.max(1, problem.count());
  }

  private boolean isShallow(int width, long depth) {
    return depth < 3 * shallow
        && depth < shallow * StrictMath.pow(USUAL_WIDTH * sections / width, WIDTH_EXPONENT);
  }

  private void takeWholeLives() {
    for (int buffer = 0; buffer < problem.count(); buffer++) {
      int first = problem.firstSpans()[buffer];
      int last = problem.firstSpans()[buffer + 1];
      // What is never live may be anywhere: the first section will do.
      lifeStart[buffer] = first == last ? 0 : problem.spanStarts()[first];
      lifeEnd[buffer] = first == last ? 1 : problem.spanEnds()[last - 1];
    }
  }

  /** The loads of what is to be placed, whole live ranges taken. */
  private long[] loads() {
    long[] loads = new long[sections + 1];
    for (int buffer = 0; buffer < sizes.length; buffer++) {
      loads[lifeStart[buffer]] += sizes[buffer];
      loads[lifeEnd[buffer]] -= sizes[buffer];
    }
    for (int section = 1; section < sections; section++) {
      loads[section] += loads[section - 1];
    }
    return Arrays.copyOf(loads, sections);
  }

  /** The least peak that the heights reached and the load to come allow. */
  long promised() {
    long highest = 0;
    for (int start = 0; start < sections; start = skyline.end(start)) {
      long toCome = Math.max(0, remaining.max(start, skyline.end(start)));
      highest = Math.max(highest, skyline.level(start) + toCome);
    }
    return highest;
  }

  /** How many buffers are to be placed: those not kept where they lay. */
  int count() {
    return sizes.length;
  }

  /**
   * Places everything, unless it turns out too high on the way: what is to come at a section is
   * above the level reached there.
   *
   * @param ceiling asked at every choice: a peak that is not below it is of no use
   * @return the offsets, or null where they would be of no use, the control ended it first, or a
   *     buffer has no allowed offset
   */
  public long[] fill(RunControl control, LongSupplier ceiling) {
    return fillUpTo(Long.MAX_VALUE, control, ceiling) ? offsets : null;
  }

  /** The offsets of what is placed, -1 for the rest; they change as it goes on. */
  long[] offsets() {
    return offsets;
  }

  /** As {@link #fill}, but no further than to a level; answers whether it came there. */
  boolean fillUpTo(long stop, RunControl control, LongSupplier ceiling) {
    long steps = 0;
    while (placed < sizes.length && skyline.level(skyline.lowest()) < stop) {
      if (candidates.isEmpty()) {
        candidates = candidates(true);
      }
      if ((++steps & 1023) == 0 && control.isStopped()) {
        return false;
      }
      int start = skyline.lowest();
      int end = skyline.end(start);
      long level = skyline.level(start);
      if (isShallow(end - start, skyline.depth(start))) {
        skyline.lift(start);
        continue;
      }
      present = preference;
      if (random != null && random.nextInt(STRAY) == 0) {
        present = Preference.values()[random.nextInt(Preference.values().length)];
      }
      int pressing = remaining.argMax(start, end);
      if (level + remaining.at(pressing) >= ceiling.getAsLong()) {
        return false;
      }
      depth = skyline.depth(start);
      rise = skyline.rise(start);
      int buffer = candidates.take(start, end, pressing, score);
      if (buffer < 0) {
        skyline.lift(start);
        continue;
      }
      int number = number(buffer);
      long offset = problem.roundUp(number, Math.max(level, conflictTop(number)));
      if (offset < 0) {
        return false;
      }
      offsets[number] = offset;
      placed++;
      int from = lifeStart[buffer];
      int to = lifeEnd[buffer];
      remaining.add(from, to, -sizes[buffer]);
      skyline.raise(start, from, to, offset + sizes[buffer]);
    }
    return true;
  }

  /** Where the highest extra conflict of a buffer among those placed ends. */
  private long conflictTop(int buffer) {
    long top = 0;
    for (int other : problem.extraConflicts(buffer)) {
      if (offsets[other] >= 0) {
        top = Math.max(top, offsets[other] + problem.sizes()[other]);
      }
    }
    return top;
  }

  /** The candidates that are placed first, or those that waited, by start. */
  private SkylineCandidates candidates(boolean ofFine) {
    int[] chosen = new int[sizes.length];
    int[] starts = new int[sizes.length];
    int count = 0;
    for (int buffer = 0; buffer < chosen.length; buffer++) {
      if (offsets[number(buffer)] < 0 && sizes[buffer] < fine == ofFine) {
        chosen[count] = buffer;
        starts[count++] = lifeStart[buffer];
      }
    }
    int[] byStart = StepOrder.of(starts, count);
    for (int k = 0; k < count; k++) {
      byStart[k] = chosen[byStart[k]];
    }
    return new SkylineCandidates(sections, lifeStart, lifeEnd, byStart);
  }

  /** 1 for a size that fills the present valley to its lower rim, 2 for one that ends at a rim. */
  private int rims(long size) {
    boolean level = Math.abs(size - depth) < shallow || Math.abs(size - rise) < shallow;
    return level ? 2 : size > depth ? 1 : 0;
  }

  private double score(int buffer, int start, int end) {
    int from = lifeStart[buffer];
    int to = lifeEnd[buffer];
    return switch (present) {
      case WIDE -> to - from;
      case TALL -> sizes[buffer];
      case LARGE -> (double) sizes[buffer] * (to - from);
      case FLUSH -> (to - from) - (double) sections * Math.min(from - start, end - to);
      case SNUG -> (to - from) - (double) Math.min(from - start, end - to);
      case LEVEL ->
          (to - from)
              - (double) Math.min(from - start, end - to)
              + TO_THE_RIM * rims(sizes[buffer]) * (end - start);
    };
  }
}

package stowage.exact.search.greedy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import stowage.exact.presolve.Component;
import stowage.packing.RangeMaximum;
import stowage.packing.RunControl;
import stowage.packing.StepOrder;

/**
 * Places up to millions of buffers by filling valleys of the skyline.
 *
 * <p>The skyline is the height reached over time. Its lowest stretch is filled with a buffer whose
 * whole life is within the stretch, which wastes nothing; where no buffer fits any more, the
 * stretch is lifted to its lower neighbour and the difference is lost. This is Burke, Kendall and
 * Whitwell's best-fit for strip packing (doi 10.1287/opre.1040.0109) with one axis fixed, and with
 * a preference for what covers the section with the most load still to come.
 *
 * <p>A shallow valley is better lifted at once: filled with short-lived buffers it turns into a
 * tower that cuts the skyline into valleys too narrow for what is left, and the longest lives then
 * end on top of all. What is shallow is a matter of tolerance, a share of the mean size, and more
 * where the valley is narrow. Example: a million buffers of sizes from 512 bytes to 16 MB end 2.2 %
 * above their max load without a tolerance, 1.0 % with one of 0.115, and 7.9 % with one of 0.6.
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
    /** The longest life. */
    WIDE,
    /** The largest size. */
    TALL,
    /** The largest area. */
    LARGE,
    /** Leaves the least room to the nearer wall, then the longest life. */
    FLUSH,
    /** The longest life less the room to the nearer wall. */
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

  private final int sections;
  private final int[] lifeStart;
  private final int[] lifeEnd;

  /** Buffers that lie before anything is placed. */
  private int kept;

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
    this.offsets = new long[problem.count()];
    Arrays.fill(offsets, -1);
    boolean single = problem.spanStarts().length == problem.count() && !problem.hasWindows();
    this.lifeStart = single ? problem.spanStarts() : new int[problem.count()];
    this.lifeEnd = single ? problem.spanEnds() : new int[problem.count()];
    if (!single) {
      takeWholeLives();
    }
    this.fine = fine;
    this.skyline = below == null ? new Skyline(sections) : Skyline.of(keep(below, level));
    this.candidates = candidates(false);
    this.remaining = new RangeMaximum(loadsOfRest());
    this.placed = kept;
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
   * nowhere below the level. What reaches above it is hardly ever alive at a common section, so
   * this is O(n + sections).
   */
  private long[] keep(long[] below, long level) {
    long[] heights = new long[sections];
    Arrays.fill(heights, level);
    for (int buffer = 0; buffer < below.length; buffer++) {
      if (below[buffer] >= level) {
        continue;
      }
      offsets[buffer] = below[buffer];
      kept++;
      long top = below[buffer] + problem.sizes()[buffer];
      for (int s = lifeStart[buffer]; top > level && s < lifeEnd[buffer]; s++) {
        heights[s] = Math.max(heights[s], top);
      }
    }
    return heights;
  }

  private static double meanSize(Component problem) {
    return Arrays.stream(problem.sizes()).asDoubleStream().average().orElse(0);
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

  /** The loads of what is to be placed, whole lives taken. */
  private long[] loadsOfRest() {
    long[] loads = new long[sections + 1];
    for (int buffer = 0; buffer < problem.count(); buffer++) {
      if (offsets[buffer] < 0) {
        loads[lifeStart[buffer]] += problem.sizes()[buffer];
        loads[lifeEnd[buffer]] -= problem.sizes()[buffer];
      }
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

  /** How many buffers were kept where they lay. */
  int kept() {
    return kept;
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
    while (placed < problem.count() && skyline.level(skyline.lowest()) < stop) {
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
      long offset = problem.roundUp(buffer, Math.max(level, conflictTop(buffer)));
      if (offset < 0) {
        return false;
      }
      offsets[buffer] = offset;
      placed++;
      int from = lifeStart[buffer];
      int to = lifeEnd[buffer];
      remaining.add(from, to, -problem.sizes()[buffer]);
      skyline.raise(start, from, to, offset + problem.sizes()[buffer]);
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
    int[] chosen = new int[problem.count()];
    int[] starts = new int[problem.count()];
    int count = 0;
    for (int buffer = 0; buffer < chosen.length; buffer++) {
      if (offsets[buffer] < 0 && problem.sizes()[buffer] < fine == ofFine) {
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
      case TALL -> problem.sizes()[buffer];
      case LARGE -> (double) problem.sizes()[buffer] * (to - from);
      case FLUSH -> (to - from) - (double) sections * Math.min(from - start, end - to);
      case SNUG -> (to - from) - (double) Math.min(from - start, end - to);
      case LEVEL ->
          (to - from)
              - (double) Math.min(from - start, end - to)
              + TO_THE_RIM * rims(problem.sizes()[buffer]) * (end - start);
    };
  }
}

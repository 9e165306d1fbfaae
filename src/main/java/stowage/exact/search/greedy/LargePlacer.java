package stowage.exact.search.greedy;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import stowage.exact.presolve.Component;
import stowage.exact.search.model.SearchListener;
import stowage.exact.search.model.SearchResult;
import stowage.exact.search.model.SearchStatistics;
import stowage.exact.search.model.SharedIncumbent;
import stowage.exact.search.model.ThreadTeam;
import stowage.packing.RunControl;

/**
 * Places problems of any size from below a thousand to millions of buffers: no exhaustive search,
 * but a peak that meets the bound is a proof all the same.
 *
 * <p>Valleys are filled in several styles, which takes near-linear time; then rounds of urgency and
 * of valleys in styles near the best one go on until the bound is met or the control ends it.
 * Threads take the tasks in order; a deterministic run goes by one thread and ends after the work
 * allowed.
 */
public final class LargePlacer {
  /** From here on a round of urgency takes longer than anybody waits. */
  private static final int LARGEST_QUADRATIC = 200_000;

  /**
   * So many placings in turn that lower the peak by less than a ten-thousandth show that more of
   * them promise little; said of problems alone on which each takes seconds.
   */
  private static final int FLAT_PLACINGS = 6;

  private static final double FLAT_SHARE = 1e-4;

  /** How many rounds may pass without the bound being met, left free of a deadline. */
  private static final int MOST_ROUNDS = 2_000;

  /** Every so many rounds urgency begins again, with other sections taken for the fullest. */
  private static final int RESTART_EVERY = 8;

  /** Every so many rounds urgency continues from the best placement instead of its own. */
  private static final int ADOPT_EVERY = 20;

  /**
   * A way to fill valleys.
   *
   * @param tolerance see {@link SkylineBestFit}
   * @param fineShift buffers below the max load over two to this wait; 0 for none
   */
  private record Style(SkylineBestFit.Preference preference, double tolerance, int fineShift) {
    /** Another one, near this in two of its three traits. */
    Style varied(SplittableRandom random) {
      SkylineBestFit.Preference[] all = SkylineBestFit.Preference.values();
      double factor = StrictMath.exp(2 * random.nextDouble() - 1);
      return switch (random.nextInt(4)) {
        case 0 -> new Style(all[random.nextInt(all.length)], tolerance * factor, fineShift);
        case 1 -> new Style(preference, USUAL_TOLERANCE * factor * factor, fineShift);
        case 2 ->
            new Style(preference, tolerance * factor, COARSEST + random.nextInt(FINEST - COARSEST));
        default -> new Style(preference, tolerance * factor, fineShift);
      };
    }

    long fine(long maxLoad) {
      return fineShift == 0 ? 0 : maxLoad >> fineShift;
    }

    @Override
    public String toString() {
      return "valleys " + preference.name().toLowerCase(Locale.ROOT);
    }
  }

  /** The share of the mean size below which a valley is lifted that does well on most problems. */
  private static final double USUAL_TOLERANCE = 0.115;

  /** Sizes that wait: between these powers of a half of the max load. */
  private static final int COARSEST = 10;

  private static final int FINEST = 30;

  /** The styles that are tried first: those that do best on some kind of problem. */
  private static final List<Style> FIRST_STYLES =
      List.of(
          new Style(SkylineBestFit.Preference.SNUG, USUAL_TOLERANCE, 0),
          new Style(SkylineBestFit.Preference.WIDE, 0, 0),
          new Style(SkylineBestFit.Preference.SNUG, 0, 18),
          new Style(SkylineBestFit.Preference.FLUSH, 0, 25),
          new Style(SkylineBestFit.Preference.LARGE, 0, 0),
          new Style(SkylineBestFit.Preference.LARGE, 0, 12),
          new Style(SkylineBestFit.Preference.TALL, 0, 18),
          new Style(SkylineBestFit.Preference.FLUSH, 0, 0),
          new Style(SkylineBestFit.Preference.SNUG, USUAL_TOLERANCE / 2, 0));

  private final int threads;
  private final long seed;
  private final boolean deterministic;
  private final int largestQuadratic;

  /**
   * @param threads the number of threads, at least 1
   * @param seed the seed of the random bumps
   * @param deterministic whether the answer must not depend on timing
   */
  public LargePlacer(int threads, long seed, boolean deterministic) {
    this(threads, seed, deterministic, LARGEST_QUADRATIC);
  }

  /** One that takes problems beyond another size for those without rounds of urgency. */
  LargePlacer(int threads, long seed, boolean deterministic, int largestQuadratic) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads(" + threads + ") must be at least 1");
    }
    this.threads = threads;
    this.seed = seed;
    this.deterministic = deterministic;
    this.largestQuadratic = largestQuadratic;
  }

  /**
   * Places everything as low as the time allows.
   *
   * @param target a peak that is good enough, at least the largest proven bound; the max load is
   *     used where it is higher
   * @param listener is notified of improving placements
   * @param control ends it; a unit of its node budget is one buffer placed once
   * @return OPTIMAL where the peak is the max load, FEASIBLE with offsets, or UNKNOWN
   */
  public SearchResult place(
      Component problem, long target, SearchListener listener, RunControl control) {
    Best best = new Best(problem, target, listener, control, problem.count() > largestQuadratic);
    ThreadTeam team = new ThreadTeam(deterministic ? 1 : threads);
    boolean free = !fixed(problem);
    boolean plain =
        free
            && problem.spanStarts().length == problem.count()
            && !problem.hasWindows()
            && !problem.hasExtraConflicts();
    if (free) {
      if (problem.count() > largestQuadratic) {
        listener.began(
            String.format(Locale.ROOT, "filling valleys of %,d buffers", problem.count()));
      }
      team.run(
          FIRST_STYLES.size(),
          task -> {
            if (!best.ended()) {
              Style style = FIRST_STYLES.get(task);
              best.offer(fill(problem, style, best, null, control), style);
            }
          });
    }
    boolean quick = problem.count() <= largestQuadratic;
    if ((quick || free) && !best.ended()) {
      int lanes = deterministic ? 1 : threads;
      team.run(
          lanes, lane -> rounds(problem, plain || !quick, quick, best, lane, seed + lane, control));
    }
    return best.result();
  }

  private static long[] fill(
      Component problem, Style style, Best best, SplittableRandom random, RunControl control) {
    long fine = style.fine(best.maxLoad);
    return new SkylineBestFit(problem, style.preference, style.tolerance, fine, random)
        .fill(control, best::stylePeak);
  }

  /**
   * Rounds of one lane.
   *
   * @param valleys whether valleys are filled
   * @param quick whether urgency is quick enough; takes turns with the valleys
   */
  private static void rounds(
      Component problem,
      boolean valleys,
      boolean quick,
      Best best,
      int lane,
      long laneSeed,
      RunControl control) {
    UrgencyPlacer placer = quick ? new UrgencyPlacer(problem, laneSeed) : null;
    SplittableRandom random = new SplittableRandom(laneSeed);
    long[] adopted = null;
    // Urgency alone and urgency after valleys each win somewhere: lanes differ.
    boolean adoptsAtOnce = (lane & 1) == 1;
    for (int round = 0; round < MOST_ROUNDS && !best.ended(); round++) {
      if (valleys && (!quick || round % 2 == 1)) {
        Style style = best.style().varied(random);
        SplittableRandom straying = random.nextBoolean() ? random : null;
        best.offer(fill(problem, style, best, straying, control), style);
        continue;
      }
      long[] known = best.incumbent.offsets();
      boolean fresh = adoptsAtOnce && known != adopted;
      int fullest = round % RESTART_EVERY == RESTART_EVERY / 2 ? best.nextFullest() : 0;
      if (fullest > 0) {
        placer.restart(fullest);
      } else if (known != null && (fresh || round % ADOPT_EVERY == ADOPT_EVERY / 2)) {
        placer.adopt(known);
        adopted = known;
      }
      long[] offsets = placer.round(best.incumbent.target(), control);
      if (offsets == null) {
        return;
      }
      best.offer(offsets, "urgency");
    }
  }

  private static boolean fixed(Component problem) {
    for (long offset : problem.fixedOffsets()) {
      if (offset >= 0) {
        return true;
      }
    }
    return false;
  }

  /** The best placement of all threads, and what has been tried. */
  private static final class Best {
    private final Component problem;
    private final SharedIncumbent incumbent;
    private final long maxLoad;
    private final SearchListener listener;
    private final RunControl control;
    private final AtomicLong work = new AtomicLong();
    private final AtomicLong tasks = new AtomicLong();
    private final boolean slow;
    private int fullest = 1;
    private int flatPlacings;
    private long flatPeak = Long.MAX_VALUE;
    private Style style = FIRST_STYLES.get(0);
    private volatile long stylePeak = Long.MAX_VALUE;

    Best(
        Component problem, long target, SearchListener listener, RunControl control, boolean slow) {
      this.slow = slow;
      this.problem = problem;
      this.maxLoad = problem.maxLoad();
      this.listener = listener;
      this.control = control;
      this.incumbent =
          new SharedIncumbent(problem, control, listener, maxLoad, Long.MAX_VALUE, target);
    }

    boolean ended() {
      return incumbent.ended() || work.get() >= control.workLimit();
    }

    /** How many sections urgency is to take for the fullest next: 2, 3, ..., at last none, 0. */
    synchronized int nextFullest() {
      fullest = Math.min(problem.sections(), fullest + 1 + fullest / 8);
      return fullest < problem.sections() ? fullest : 0;
    }

    /** The style of the lowest placement by valleys. */
    synchronized Style style() {
      return style;
    }

    /** The peak of the lowest placement by valleys; others are of use only below it. */
    long stylePeak() {
      return stylePeak;
    }

    synchronized void offer(long[] found, Style by) {
      if (found != null && problem.peak(found) < stylePeak) {
        stylePeak = problem.peak(found);
        style = by;
      }
      offer(found, by.toString());
    }

    synchronized void offer(long[] found, String source) {
      work.addAndGet(problem.count());
      tasks.incrementAndGet();
      if (found != null) {
        incumbent.offer(found, source);
      }
      long known = incumbent.best();
      if (slow && known < Long.MAX_VALUE && !control.isStopped()) {
        watchForFlattening(known);
      }
    }

    private void watchForFlattening(long known) {
      if (flatPeak - known >= FLAT_SHARE * maxLoad) {
        flatPeak = known;
        flatPlacings = 0;
      } else if (++flatPlacings == FLAT_PLACINGS) {
        listener.flattened(FLAT_PLACINGS);
      }
    }

    SearchResult result() {
      SearchStatistics statistics =
          new SearchStatistics(work.get(), 0, tasks.get(), incumbent.winner());
      long[] offsets = incumbent.offsets();
      if (offsets == null) {
        return new SearchResult(SearchResult.Status.UNKNOWN, null, -1, maxLoad, statistics);
      }
      long peak = problem.peak(offsets);
      SearchResult.Status status =
          peak <= maxLoad ? SearchResult.Status.OPTIMAL : SearchResult.Status.FEASIBLE;
      return new SearchResult(status, offsets, peak, maxLoad, statistics);
    }
  }
}

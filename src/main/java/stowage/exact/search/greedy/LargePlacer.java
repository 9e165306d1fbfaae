package stowage.exact.search.greedy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import stowage.exact.presolve.Component;
import stowage.exact.search.greedy.SkylineBestFit.Preference;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchResult;
import stowage.exact.search.model.SearchStatistics;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * Placer of problems of any size from below a thousand to millions of buffers: no exhaustive
 * search, but a peak that meets the bound is a proof all the same.
 *
 * <p>Valleys are filled in several styles, which takes near-linear time, and where there are tens
 * of thousands of buffers by stages too, each in the style that does best ({@link StagedFilling});
 * then rounds of urgency and of valleys in styles near the best one go on until the bound is met or
 * the control ends it. Where a filling takes seconds, most of these rounds place the top of the
 * best placement alone again. Threads take the tasks in order; a deterministic run goes by one
 * thread and ends after the work allowed.
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

  /**
   * Where a verification takes a second, what lowers the peak by less waits for the next one, and
   * so does what comes sooner after the last one, or before the end, in seconds a buffer.
   */
  private static final double NEWS_SHARE = 5e-4;

  private static final double NEWS_SECONDS = 1e-5;

  private static final long WAIT_MILLIS = 5;

  /** How many rounds may pass without the bound being met, left free of a deadline. */
  private static final int MOST_ROUNDS = 2_000;

  /** Every so many rounds urgency begins again, with other sections taken for the fullest. */
  private static final int RESTART_EVERY = 8;

  /** Every so many rounds urgency continues from the best placement instead of its own. */
  private static final int ADOPT_EVERY = 20;

  /** From which shares of the height on a large placement is made again. */
  private static final double[] TOPS = {0.92, 0.95, 0.8, 0.9, 0.6, 0.94, 0.87};

  /** After so many tries in vain more is placed again, and ends higher by at most this share. */
  private static final int PATIENCE = 25;

  private static final double LEAP = 0.0012;

  private static final double[] DEEP_TOPS = {0.3, 0.4, 0.5};

  /** Of so many placings of a large problem one is whole where the others are of the top. */
  private static final int WHOLE_EVERY = 200;

  /** The styles that are tried first: those that do best on some kind of problem. */
  private static final List<FillingStyle> FIRST_STYLES =
      List.of(
          new FillingStyle(Preference.SNUG, FillingStyle.USUAL_TOLERANCE, 0),
          new FillingStyle(Preference.LEVEL, FillingStyle.USUAL_TOLERANCE, 0),
          new FillingStyle(Preference.WIDE, 0, 0),
          new FillingStyle(Preference.SNUG, 0, 18),
          new FillingStyle(Preference.FLUSH, 0, 25),
          new FillingStyle(Preference.LARGE, 0, 0),
          new FillingStyle(Preference.LARGE, 0, 12),
          new FillingStyle(Preference.TALL, 0, 18),
          new FillingStyle(Preference.FLUSH, 0, 0),
          new FillingStyle(Preference.SNUG, FillingStyle.USUAL_TOLERANCE / 2, 0));

  /** So many come before a filling by stages, which takes longer: short runs end with them. */
  private static final int OPENING_STYLES = 2;

  /** From here on a filling by stages is worth its time. */
  private static final int STAGED_FROM = 20_000;

  private final int threads;
  private final long seed;
  private final boolean deterministic;
  private final int largestQuadratic;

  /**
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
   * @param incumbent where placements go, and whose target is a peak that is good enough; the max
   *     load is used where it is higher
   * @param control ends it; a unit of its node budget is one buffer placed once
   * @return OPTIMAL where the peak is the max load, FEASIBLE with offsets, or UNKNOWN; of what was
   *     found here alone
   */
  public SearchResult place(ComponentIncumbent incumbent, RunControl control) {
    Component problem = incumbent.part();
    Best best = new Best(incumbent, control, problem.count() > largestQuadratic);
    boolean free = Arrays.stream(problem.fixedOffsets()).noneMatch(offset -> offset >= 0);
    boolean quick = problem.count() <= largestQuadratic;
    boolean plain =
        free
            && problem.spanStarts().length == problem.count()
            && !problem.hasWindows()
            && !problem.hasExtraConflicts();
    if (free && quick) {
      best.triedStyles.set(FIRST_STYLES.size());
      fillFirst(problem, 0, OPENING_STYLES, best, control);
      if (problem.count() > STAGED_FROM && !best.ended()) {
        fillByStages(problem, best, seed, this::run, control);
      }
      fillFirst(problem, OPENING_STYLES, FIRST_STYLES.size(), best, control);
    } else if (free) {
      incumbent
          .listener()
          .began(String.format(Locale.ROOT, "filling valleys of %,d buffers", problem.count()));
    }
    if ((quick || free) && !best.ended()) {
      int lanes = deterministic ? 1 : threads;
      run(lanes, lane -> rounds(problem, plain || !quick, quick, best, lane, seed + lane, control));
    }
    incumbent.merge(best.here, null);
    return best.result();
  }

  private void fillFirst(Component problem, int from, int to, Best best, RunControl control) {
    run(
        to - from,
        task -> {
          if (!best.ended()) {
            fill(problem, FIRST_STYLES.get(from + task), best, null, control);
          }
        });
  }

  private void run(int tasks, IntConsumer task) {
    Threads.run("stowage-search", deterministic ? 1 : threads, tasks, task, () -> {});
  }

  private static void fill(
      Component problem,
      FillingStyle style,
      Best best,
      SplittableRandom random,
      RunControl control) {
    long fine = style.fine(best.maxLoad);
    long[] found =
        new SkylineBestFit(problem, style.preference(), style.tolerance(), fine, random)
            .fill(control, best::stylePeak);
    best.offer(found, style, problem.count());
  }

  /** What a thread descends from in place of the best placement, if not null. */
  private static final class Descent {
    private long[] offsets;
    private long peak;
    private int failed;
  }

  /**
   * Places the top of the best placement again, from some level on. Where that has failed for long,
   * more of it is placed again, at a small loss if need be, to descend from there.
   */
  private static void fillTop(
      Component problem, Best best, Descent own, SplittableRandom random, RunControl control) {
    boolean leaps = own.failed >= PATIENCE;
    boolean follows = leaps || own.offsets == null;
    long peak = follows ? best.here.peak() : own.peak;
    long[] known = follows ? best.here.offsets() : own.offsets;
    double[] shares = leaps ? DEEP_TOPS : TOPS;
    FillingStyle style = best.style().forTop(random);
    SkylineBestFit top =
        new SkylineBestFit(
            problem,
            style.preference(),
            style.tolerance(),
            style.fine(best.maxLoad),
            random.nextBoolean() ? random : null,
            known,
            (long) (shares[random.nextInt(shares.length)] * peak));
    long ceiling = leaps ? peak + (long) (LEAP * best.maxLoad) : peak;
    long[] found = top.fill(control, () -> ceiling);
    own.failed = found == null ? own.failed + 1 : 0;
    if (found != null && (leaps || !follows)) {
      own.offsets = found;
      own.peak = problem.peak(found);
    }
    best.offer(found, style + " again", top.count());
  }

  /** Places everything, each stage of the height in several styles. */
  private static void fillByStages(
      Component problem, Best best, long seed, StagedFilling.Runner runner, RunControl control) {
    FillingStyle style = FIRST_STYLES.get(0);
    Supplier<SkylineBestFit> starts =
        () -> new SkylineBestFit(problem, style.preference(), style.tolerance(), 0, null);
    long[] found =
        new StagedFilling(starts, best.maxLoad, style.tolerance(), seed, control)
            .fill(runner, best::stylePeak);
    best.offer(found, style, StagedFilling.TRIES * problem.count());
  }

  /** Places everything in a style that was not tried yet, or near the best one. */
  private static void fillWhole(
      Component problem, Best best, SplittableRandom random, RunControl control) {
    int untried = best.triedStyles.getAndIncrement();
    if (untried < FIRST_STYLES.size()) {
      fill(problem, FIRST_STYLES.get(untried), best, null, control);
    } else {
      FillingStyle style = best.style().varied(random);
      fill(problem, style, best, random.nextBoolean() ? random : null, control);
    }
  }

  /** Rounds of one lane: by valleys, by urgency where that is quick enough, or by both in turn. */
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
    Descent own = new Descent();
    long[] adopted = null;
    // Urgency alone and urgency after valleys each win somewhere: lanes differ.
    boolean adoptsAtOnce = (lane & 1) == 1;
    if (!quick && lane > 0) {
      best.awaitFirst();
    }
    for (int round = 0; round < MOST_ROUNDS && !best.ended(); round++) {
      if (valleys && (!quick || round % 2 == 1)) {
        if (!quick && round % WHOLE_EVERY != WHOLE_EVERY - 1 && best.here.offsets() != null) {
          fillTop(problem, best, own, random, control);
        } else {
          fillWhole(problem, best, random, control);
        }
        continue;
      }
      long[] known = best.here.offsets();
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
      best.offer(offsets, "urgency", problem.count());
    }
  }

  /** The best placement of all threads, and what has been tried. */
  private static final class Best {
    private final Component problem;
    private final ComponentIncumbent incumbent;

    /** What was found here alone. */
    private final ComponentIncumbent here;

    private final long maxLoad;
    private final RunControl control;
    private final AtomicLong work = new AtomicLong();
    private final AtomicLong tasks = new AtomicLong();
    private final boolean slow;
    private int fullest = 1;

    /** The last peak that was offered to the incumbent, and when. */
    private long toldPeak = Long.MAX_VALUE;

    private long toldNanos;

    private final AtomicInteger triedStyles = new AtomicInteger();
    private long flatBuffers;
    private boolean flat;
    private long flatPeak = Long.MAX_VALUE;
    private FillingStyle style = FIRST_STYLES.get(0);
    private volatile long stylePeak = Long.MAX_VALUE;

    Best(ComponentIncumbent incumbent, RunControl control, boolean slow) {
      this.slow = slow;
      this.problem = incumbent.part();
      this.maxLoad = problem.maxLoad();
      this.control = control;
      this.incumbent = incumbent;
      this.here = incumbent.apart(0);
      incumbent.raise(maxLoad, "");
    }

    /** Waits for the first placement, whose making has the memory's speed to itself. */
    void awaitFirst() {
      try {
        while (tasks.get() == 0 && here.offsets() == null && !ended()) {
          Thread.sleep(WAIT_MILLIS);
        }
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
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
    synchronized FillingStyle style() {
      return style;
    }

    /** The peak of the lowest placement by valleys; others are of use only below it. */
    long stylePeak() {
      return stylePeak;
    }

    /** Takes what came of placing so many buffers by valleys; null where that was given up. */
    void offer(long[] found, FillingStyle by, int placed) {
      if (found != null) {
        long peak = problem.peak(found);
        synchronized (this) {
          if (peak < stylePeak) {
            stylePeak = peak;
            style = by;
          }
        }
      }
      offer(found, by.toString(), placed);
    }

    /** As {@link #offer(long[], FillingStyle, int)}, by whatever means. */
    void offer(long[] found, String source, int placed) {
      work.addAndGet(placed);
      if (found != null && lowers(found, source)) {
        incumbent.offer(found, source);
      }
      tasks.incrementAndGet();
      long known = peak();
      if (slow && known < Long.MAX_VALUE && !control.isStopped()) {
        watchForFlattening(known, placed);
      }
    }

    /** Keeps the lowest; answers whether it is worth the second that its verification takes. */
    private synchronized boolean lowers(long[] found, String source) {
      if (!here.offer(found, source)) {
        return false;
      }
      long peak = here.peak();
      double pause = toldPeak == Long.MAX_VALUE ? 0 : NEWS_SECONDS * problem.count();
      boolean told =
          !slow
              || peak <= incumbent.target()
              || toldPeak - peak >= (long) (NEWS_SHARE * maxLoad)
                  && System.nanoTime() - toldNanos >= pause * 1e9
                  && control.secondsLeft() >= pause;
      if (told) {
        toldPeak = peak;
        toldNanos = System.nanoTime();
      }
      return told;
    }

    /** The lowest peak known, here or elsewhere. */
    long peak() {
      return Math.min(here.peak(), incumbent.peak());
    }

    private synchronized void watchForFlattening(long known, int placed) {
      flatBuffers += placed;
      if (flatPeak - known >= FLAT_SHARE * maxLoad) {
        flatPeak = known;
        flatBuffers = 0;
      } else if (!flat && flatBuffers >= (long) FLAT_PLACINGS * problem.count()) {
        flat = true;
        incumbent.listener().flattened(FLAT_PLACINGS);
      }
    }

    SearchResult result() {
      SearchStatistics statistics =
          new SearchStatistics(work.get(), 0, tasks.get(), here.finder(), "");
      return SearchResult.of(problem, here.offsets(), maxLoad, statistics);
    }
  }
}

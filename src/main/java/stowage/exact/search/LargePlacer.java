package stowage.exact.search;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Places problems of any size from below a thousand to millions of buffers: no exhaustive search,
 * but a peak that meets the bound is a proof all the same.
 *
 * <p>Valleys are filled by every preference in turn, which takes near-linear time; then rounds of
 * urgency go on until the bound is met or the control ends it. Threads take the tasks in order; a
 * deterministic run merges them in order too and ends after the work allowed.
 */
public final class LargePlacer {
  /** From here on a round of urgency takes longer than anybody waits. */
  private static final int LARGEST_QUADRATIC = 200_000;

  /** How many rounds may pass without the bound being met, left free of a deadline. */
  private static final int MOST_ROUNDS = 2_000;

  /** Every so many rounds urgency goes on from the best placement instead of its own. */
  private static final int ADOPT_EVERY = 20;

  private final int threads;
  private final long seed;
  private final boolean deterministic;

  /**
   * @param threads the number of threads, at least 1
   * @param seed the seed of the random bumps
   * @param deterministic whether the answer must not depend on timing
   */
  public LargePlacer(int threads, long seed, boolean deterministic) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads(" + threads + ") must be at least 1");
    }
    this.threads = threads;
    this.seed = seed;
    this.deterministic = deterministic;
  }

  /**
   * Places everything as low as the time allows.
   *
   * @param target a peak that is good enough, at least the largest proven bound; the max load is
   *     used where it is higher
   * @param listener hears of improving placements
   * @param control ends it; a unit of its node budget is one buffer placed once
   * @return OPTIMAL where the peak is the max load, FEASIBLE with offsets, or UNKNOWN
   */
  public SearchResult place(
      RectangleProblem problem, long target, SearchListener listener, SearchControl control) {
    Best best = new Best(problem, Math.max(target, problem.maxLoad()), listener, control);
    ThreadTeam team = new ThreadTeam(deterministic ? 1 : threads);
    boolean free = !fixed(problem);
    boolean plain =
        free
            && problem.pieceStart.length == problem.count
            && !problem.windowed
            && problem.extraConflicts == null;
    if (free) {
      // The cheapest good guess alone first: most of the time the rest is not needed.
      ValleyFiller.Preference[] all = ValleyFiller.Preference.values();
      team.run(
          all.length,
          task -> {
            if (!best.ended()) {
              best.offer(
                  new ValleyFiller(problem, all[task]).fill(control), "valleys " + all[task]);
            }
          });
    }
    if (problem.count <= LARGEST_QUADRATIC && !best.ended()) {
      int lanes = deterministic ? 1 : threads;
      team.run(lanes, lane -> rounds(problem, plain, best, seed + lane, control));
    }
    return best.result();
  }

  private static void rounds(
      RectangleProblem problem, boolean plain, Best best, long laneSeed, SearchControl control) {
    UrgencyPlacer placer = new UrgencyPlacer(problem, laneSeed);
    SplittableRandom random = new SplittableRandom(laneSeed);
    ValleyFiller.Preference[] all = ValleyFiller.Preference.values();
    for (int round = 0; round < MOST_ROUNDS && !best.ended(); round++) {
      if (plain && round % 2 == 1) {
        ValleyFiller.Preference preference = all[random.nextInt(all.length)];
        best.offer(
            new ValleyFiller(problem, preference, random).fill(control), "valleys at random");
        continue;
      }
      if (round % ADOPT_EVERY == ADOPT_EVERY / 2 && best.offsets() != null) {
        placer.adopt(best.offsets());
      }
      long[] offsets = placer.round(best.target, control);
      if (offsets == null) {
        return;
      }
      best.offer(offsets, "urgency");
    }
  }

  private static boolean fixed(RectangleProblem problem) {
    for (long offset : problem.fixedOffset) {
      if (offset >= 0) {
        return true;
      }
    }
    return false;
  }

  /** The best placement of all threads. */
  private static final class Best {
    private final RectangleProblem problem;
    private final long target;
    private final SearchListener listener;
    private final SearchControl control;
    private final AtomicLong work = new AtomicLong();
    private final AtomicLong tasks = new AtomicLong();
    private long[] offsets;
    private volatile long peak = Long.MAX_VALUE;
    private String winner = "";

    Best(RectangleProblem problem, long target, SearchListener listener, SearchControl control) {
      this.problem = problem;
      this.target = target;
      this.listener = listener;
      this.control = control;
    }

    boolean ended() {
      return Math.min(peak, control.knownPeak()) <= target
          || work.get() >= control.nodeBudget()
          || control.ended();
    }

    synchronized long[] offsets() {
      return offsets;
    }

    synchronized void offer(long[] found, String source) {
      if (found == null) {
        return;
      }
      work.addAndGet(problem.count);
      tasks.incrementAndGet();
      long height = problem.peak(found);
      if (height < Math.min(peak, control.knownPeak())) {
        offsets = found.clone();
        peak = height;
        winner = source;
        listener.placement(offsets.clone(), height, source);
      }
    }

    synchronized SearchResult result() {
      long load = problem.maxLoad();
      SearchStatistics statistics = new SearchStatistics(work.get(), 0, tasks.get(), winner);
      if (offsets == null) {
        return new SearchResult(SearchResult.Status.UNKNOWN, null, -1, load, statistics);
      }
      SearchResult.Status status =
          peak <= load ? SearchResult.Status.OPTIMAL : SearchResult.Status.FEASIBLE;
      return new SearchResult(status, offsets, peak, load, statistics);
    }
  }
}

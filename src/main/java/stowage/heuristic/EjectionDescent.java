package stowage.heuristic;

import java.util.Arrays;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * A descent of the peak by {@linkplain EjectionSearch ejections}: what ends above a lower peak is
 * taken out of the best placement and put back below it, where what is in its way is taken out in
 * turn.
 *
 * <p>The next peak asked for is a quarter of the way down to the bound; where the search ends in
 * vain, an eighth, and so on, each time with other random choices, until the way is short and a
 * quarter comes again. A buffer costs its bytes times its steps to the power of 0.4: what is large
 * or long alive is hard to place again. With bytes alone, or bytes times steps, descents end
 * higher.
 *
 * <p>Meant for buffers that grow or shrink, for which no bottom-left placement need be lowest, so
 * that searches of such placements do not apply, and for thousands of buffers. Example: rows of a
 * picture wait, each a quarter of its later size; the first ones to grow block the others unless
 * each grows over those that have ended, which an order of buffers hardly ever gives.
 */
public final class EjectionDescent {
  /** Pairs that meet, beyond which no descent is begun. */
  private static final long MOST_PAIRS = 4_000_000;

  private static final double LIFE_POWER = 0.4;
  private static final double FIRST_SHARE = 0.25;
  private static final int HALVINGS = 7;
  private static final int STEPS = 20_000;
  private static final int STEPS_A_BUFFER = 8;

  /** Distance of the first seeds of descents at the same time. */
  private static final long SEEDS = 1L << 32;

  /** The number of buffers above which a search of bottom-left placements brings less. */
  public static final int MANY = 1_000;

  /** The name under which placements are offered. */
  public static final String NAME = "ejections";

  private EjectionDescent() {}

  /**
   * Lowers the peak of the incumbent's placement in one memory, from above the capacity on where
   * there is none, until the bound is met or the control stops, by descents on so many threads that
   * go on from the lowest placement of all. With limits that count work a unit is about a
   * microsecond, and there is one thread.
   */
  public static void lower(
      PackingProblem problem, Incumbent incumbent, int threads, RunControl control) {
    MeetingPairs pairs = MeetingPairs.of(problem, MOST_PAIRS);
    if (pairs == null) {
      return;
    }
    int count = control.isDeterministic() ? 1 : threads;
    Threads.run(
        NAME,
        count,
        count,
        k -> lower(problem, pairs, incumbent, control.seed() + k * SEEDS, control),
        control::stop);
  }

  private static void lower(
      PackingProblem problem,
      MeetingPairs pairs,
      Incumbent incumbent,
      long firstSeed,
      RunControl control) {
    double[] weights =
        problem.buffers().stream()
            .mapToDouble(it -> Math.rint(it.size() * Math.pow(it.live().length(), LIFE_POWER)))
            .toArray();
    long[] none = new long[problem.size()];
    Arrays.fill(none, -1);
    EarlierPlaces nowhere =
        new EarlierPlaces(none, new int[problem.size()], new boolean[problem.size()]);
    int steps = STEPS + STEPS_A_BUFFER * problem.size();
    long capacity = problem.memories().get(0).capacity();
    long load = LoadProfile.of(problem).maxLoad();
    long left = control.workLimit();
    Placement from = incumbent.placement();
    if (from == null) {
      from = beginning(problem, control);
    }
    if (from != null && incumbent.placement() == null && peak(from, problem) <= capacity) {
      incumbent.offer(from, NAME);
    }
    int fails = 0;
    for (long seed = firstSeed; left > 0 && !control.isStopped(); seed++) {
      Placement known = incumbent.placement();
      if (known != null && (from == null || peak(known, problem) < peak(from, problem))) {
        from = known;
      }
      long bound = Math.max(load, incumbent.bestBound());
      if (from == null || peak(from, problem) <= bound || incumbent.isClosed()) {
        return;
      }
      long peak = peak(from, problem);
      long way = (long) ((peak - bound) * FIRST_SHARE / (1 << fails % HALVINGS));
      long top = peak - Math.max(1, way);
      top = peak > capacity ? Math.max(top, capacity) : top;
      EjectionSearch search =
          new EjectionSearch(problem, pairs, nowhere, weights, true, new long[] {top}, seed);
      Placement found = search.repair(from, steps, control.withWork(left));
      left -= search.work() + 1;
      fails = found == null ? fails + 1 : 0;
      if (found != null) {
        from = found;
        incumbent.offer(found, NAME);
      }
    }
  }

  private static long peak(Placement placement, PackingProblem problem) {
    return placement.peak(problem, 0);
  }

  /** A placement that may be above the capacity, or null where fixed offsets leave none. */
  private static Placement beginning(PackingProblem problem, RunControl control) {
    try {
      return new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST)
          .plan(problem.withCapacity(0, Memory.UNBOUNDED), control);
    } catch (NotPlannableException refused) {
      return null;
    }
  }
}

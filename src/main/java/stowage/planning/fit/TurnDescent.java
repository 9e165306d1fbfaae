package stowage.planning.fit;

import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import stowage.packing.Threads;
import stowage.planning.fit.piece.OpRuns;
import stowage.planning.fit.piece.PieceTurns;
import stowage.planning.fit.piece.RunNeighbours;

/**
 * A way down by pieces that take turns ({@link PieceTurns}): each op whose load is above a target,
 * as it is or in the pieces tried before, is a run of its own, and so are those that touch what is
 * alive then. So no halo is computed twice; what neighbouring pieces both need is copied.
 */
final class TurnDescent {
  /** Pieces of each op, besides those that make single rows. */
  private static final List<Integer> COUNTS = List.of(2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64);

  private static final int MOST_PIECES = 128;

  /** Where in the numbers of pieces it begins, and the distance of those tried. */
  private static final int FIRST = 2;

  private static final int STRIDE = 2;

  /** From how many times the target on more of them are passed over. */
  private static final double FAR = 1.5;

  /** Choices one after the other that are no lower than what was found before the rest is left. */
  private static final int WORSE = 4;

  /** The same with little time. */
  private static final int BRIEF_WORSE = 2;

  /** By how much less is asked for at a time, at first and at last. */
  private static final double STEP = 0.3;

  private static final double LEAST_STEP = 0.025;

  /** Share of the time left, and with little time. */
  private static final double SHARE = 0.5;

  private static final double BRIEF_SHARE = 0.75;

  /** The same after a limit was asked for and not reached. */
  private static final double MISSED_SHARE = 0.3;

  /** Work of a choice, where limits count work, and of each of its ops. */
  private static final long WORK = 20_000;

  private static final long OP_WORK = 80;

  private final SplitChoices choices;
  private final FitPlaces places;
  private final OpRuns runs;
  private final RunNeighbours neighbours;
  private final FitFront front;

  /** Of the search; its own where it is on a thread of its own. */
  private SplitClock clock;

  private final Taker taken;
  private final int[] counts;

  /** Where among the numbers of pieces that of the lowest plan is. */
  private int at;

  private int worse;

  /** The bytes that end the way down. */
  private long enough;

  /** What takes plans. */
  interface Taker {
    /** Whether a plan, which is kept where it is better than others, is within so many bytes. */
    boolean within(FitPlan plan, long target);
  }

  /** A way down that has not begun. */
  TurnDescent(
      SplitChoices choices,
      FitPlaces places,
      RunNeighbours neighbours,
      FitFront front,
      SplitClock clock,
      Taker taken) {
    this.choices = choices;
    this.places = places;
    this.runs = places.opRuns();
    this.neighbours = neighbours;
    this.front = front;
    this.clock = clock;
    this.taken = taken;
    this.counts =
        Stream.concat(COUNTS.stream(), runs.rows(MOST_PIECES).stream())
            .mapToInt(Integer::intValue)
            .sorted()
            .distinct()
            .toArray();
  }

  /**
   * Goes down to a limit, or as far as this leads without, for a share of the time left; only where
   * results stay in pieces. Other ways are gone at the same time, or afterwards on the same thread.
   *
   * @param limit the bytes that are enough; 0 for none
   */
  void run(long limit, Runnable others) {
    SplitClock own = places.takesTurns() ? clock.sideBySide() : null;
    if (own == null) {
      run(limit);
      others.run();
      return;
    }
    clock = own;
    IntConsumer way =
        k -> {
          if (k == 0) {
            run(limit);
          } else {
            others.run();
          }
        };
    Threads.run("fit", 2, 2, way, own::stop);
  }

  private void run(long limit) {
    clock.begin(clock.isBrief() ? BRIEF_SHARE : SHARE);
    enough = limit;
    if (!places.takesTurns() || limit > 0 && tried(limit)) {
      return;
    }
    if (limit > 0) {
      clock.begin(MISSED_SHARE);
    }
    if (tried(0) || clock.isBrief() && front.lowest(0).runs().isEmpty()) {
      return;
    }
    for (double step = STEP; step >= LEAST_STEP && !isOver(); ) {
      long lowest = front.bytes(front.lowest(0));
      if (lowest <= limit) {
        return;
      }
      boolean within = reach(Math.max(limit, (long) ((1 - step) * lowest)));
      step = within ? step : step / 2;
    }
  }

  /** Tries a number of pieces in the middle, which tells what an order is worth. */
  void probe() {
    if (places.takesTurns() && front.lowest(0).runs().isEmpty()) {
      int pieces = counts[Math.min(counts.length - 1, FIRST + 2 * STRIDE)];
      FitPlan plan = places.of(runs.of(neighbours.touching(choices.above(0)), pieces));
      if (plan != null) {
        taken.within(plan, 0);
      }
    }
  }

  /**
   * Tries a target from the first numbers of pieces on; says whether a plan is within the limit.
   */
  private boolean tried(long target) {
    at = FIRST;
    worse = 0;
    boolean found = reach(target);
    worse = 0;
    return found;
  }

  private boolean isOver() {
    return worse >= (clock.isBrief() ? BRIEF_WORSE : WORSE) || clock.isOver();
  }

  /**
   * Tries every other number of pieces, from that of the lowest plan on, until one is within a
   * target or the limit; says whether one is.
   */
  private boolean reach(long target) {
    long aim = target; // the load that is placed within the target, by what is placed so far
    BitSet hot = choices.above(target);
    for (int k = at; k < counts.length && !isOver(); ) {
      FitPlan plan = places.of(runs.of(neighbours.touching(hot), counts[k]));
      if (plan == null) {
        return false;
      }
      clock.did(WORK + OP_WORK * plan.rewriting().ops().size());
      long wanted = Math.max(Math.max(target, enough), plan.load());
      boolean lower = front.bytes(plan) > wanted && wanted < front.bytes(front.lowest(0));
      if (lower && !clock.isBrief()) {
        plan = places.settled(plan, wanted, clock.settling());
      }
      boolean better = front.bytes(plan) < front.bytes(front.lowest(0));
      at = better ? k : at;
      worse = better ? 0 : worse + 1;
      if (taken.within(plan, Math.max(target, enough))) {
        return true;
      }
      aim = Math.min(aim, (long) ((double) target * plan.load() / plan.peak()));
      hot.or(choices.above(plan, aim));
      k += plan.load() > FAR * aim ? 2 * STRIDE : STRIDE;
    }
    return false;
  }
}

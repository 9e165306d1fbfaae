package stowage.planning.fit;

import java.util.BitSet;
import stowage.planning.fit.piece.PieceTurns;
import stowage.planning.fit.piece.RunNeighbours;

/**
 * A way down by pieces that take turns ({@link PieceTurns}): each op whose load is above a target,
 * as it is or in the pieces tried before, is a run of its own, and so are those that touch what is
 * alive then. So no halo is computed twice; what neighbouring pieces both need is copied.
 */
final class TurnDescent {
  /** Pieces of each op: ops with strides of 2 often share bounds between these. */
  private static final int[] COUNTS = {2, 3, 4, 6, 7, 8, 12, 14, 16, 24, 28, 32, 48, 56, 64};

  /** Numbers of pieces one after the other that lower no load before the rest is left out. */
  private static final int WORSE = 4;

  private static final double STEP = 0.8;

  /** Share of the time left. */
  private static final double SHARE = 0.2;

  /** Work of a choice, where limits count work, and of each of its ops. */
  private static final long WORK = 20_000;

  private static final long OP_WORK = 50;

  private final SplitChoices choices;
  private final FitPlaces places;
  private final RunNeighbours neighbours;
  private final FitFront front;
  private final SplitClock clock;
  private final Taker taken;

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
    this.neighbours = neighbours;
    this.front = front;
    this.clock = clock;
    this.taken = taken;
  }

  /**
   * Goes down to a limit, or as far as this leads without, for a share of the time left; only where
   * results stay in pieces.
   *
   * @param limit the bytes that are enough; 0 for none
   */
  void run(long limit) {
    clock.begin(SHARE);
    for (int at = places.takesTurns() ? 0 : -1; at >= 0 && !clock.isOver(); ) {
      long lowest = front.bytes(front.lowest(0));
      long target = limit > 0 ? limit : (long) (STEP * lowest);
      at = lowest <= target ? -1 : first(target, at);
    }
  }

  /** The first of the numbers of pieces, from one on, that is within a target; -1 for none. */
  private int first(long target, int from) {
    int worse = 0;
    long least = Long.MAX_VALUE;
    BitSet hot = choices.above(target);
    for (int k = from; k < COUNTS.length && worse < WORSE && !clock.isOver(); k++) {
      FitPlan plan = places.of(choices.flowing(neighbours, hot, COUNTS[k]));
      if (plan == null) {
        return -1;
      }
      clock.did(WORK + OP_WORK * plan.rewriting().ops().size());
      if (taken.within(plan, target)) {
        return k;
      }
      hot.or(choices.above(plan, target));
      worse = plan.load() < least ? 0 : worse + 1;
      least = Math.min(least, plan.load());
    }
    return -1;
  }
}

package stowage.planning.fit;

import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
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

  /** By how much less is asked for at a time, at first and at last. */
  private static final double STEP = 0.5;

  private static final double LEAST_STEP = 0.025;

  /** Share of the time left. */
  private static final double SHARE = 0.3;

  /** Work of a choice, where limits count work, and of each of its ops. */
  private static final long WORK = 20_000;

  private static final long OP_WORK = 50;

  private final SplitChoices choices;
  private final FitPlaces places;
  private final RunNeighbours neighbours;
  private final FitFront front;
  private final SplitClock clock;
  private final Taker taken;
  private final int[] counts;

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
    this.counts =
        Stream.concat(COUNTS.stream(), choices.rows(MOST_PIECES).stream())
            .mapToInt(Integer::intValue)
            .sorted()
            .distinct()
            .toArray();
  }

  /**
   * Goes down to a limit, or as far as this leads without, for a share of the time left; only where
   * results stay in pieces.
   *
   * @param limit the bytes that are enough; 0 for none
   */
  void run(long limit) {
    clock.begin(SHARE);
    int at = FIRST;
    for (double step = STEP; places.takesTurns() && step >= LEAST_STEP && !clock.isOver(); ) {
      long lowest = front.bytes(front.lowest(0));
      if (lowest <= limit) {
        return;
      }
      long target = limit > 0 ? limit : (long) ((1 - step) * lowest);
      int next = first(target, at);
      step = next >= 0 ? step : limit > 0 ? 0 : step / 2;
      at = Math.max(at, next);
    }
  }

  /**
   * The first of every other number of pieces, from one on, that is within a target; -1 for none.
   */
  private int first(long target, int from) {
    BitSet hot = choices.above(target);
    for (int k = from; k < counts.length && !clock.isOver(); k += STRIDE) {
      FitPlan plan = places.of(choices.flowing(neighbours, hot, counts[k]));
      if (plan == null) {
        return -1;
      }
      clock.did(WORK + OP_WORK * plan.rewriting().ops().size());
      if (taken.within(plan, target)) {
        return k;
      }
      hot.or(choices.above(plan, target));
    }
    return -1;
  }
}

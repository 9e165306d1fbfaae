package stowage.exact.search;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * First fit in the order of urgency: buffers whose life meets the largest load come first, larger
 * ones before smaller. What ends above the target is bumped towards the front of the order by a
 * random factor, and all is placed again.
 *
 * <p>Traces of real networks have few sections that are truly full, and once those are packed first
 * the rest falls into place: a few rounds often reach the max load exactly. A round is quadratic at
 * worst, with a small constant. Honours every kind of constraint, windows as full pieces.
 */
final class UrgencyPlacer {
  private final RectangleProblem problem;
  private final SplittableRandom random;
  private final AddressList placed;
  private final int[] order;
  private final int[] bestOrder;
  private final long[] offsets;
  private long bestPeak = Long.MAX_VALUE;

  UrgencyPlacer(RectangleProblem problem, long seed) {
    this.problem = problem;
    this.random = new SplittableRandom(seed);
    this.placed = new AddressList(problem);
    this.order = byUrgency(problem);
    this.bestOrder = order.clone();
    this.offsets = new long[problem.count];
  }

  /**
   * Places all in the present order, then changes the order for the next round.
   *
   * @param target the peak above which buffers are bumped
   * @return the offsets, valid until the next round, or null where the control ended it first or
   *     some buffer has no allowed offset
   */
  long[] round(long target, SearchControl control) {
    placed.clear();
    Arrays.fill(offsets, -1);
    for (int buffer = 0; buffer < problem.count; buffer++) {
      if (problem.fixedOffset[buffer] >= 0) {
        offsets[buffer] = placed.firstFit(buffer);
        if (offsets[buffer] < 0) {
          return null;
        }
        placed.insert(buffer, offsets[buffer]);
      }
    }
    int steps = 0;
    for (int buffer : order) {
      if ((++steps & 31) == 0 && control.ended()) {
        return null;
      }
      if (offsets[buffer] < 0) {
        offsets[buffer] = placed.firstFit(buffer);
        if (offsets[buffer] < 0) {
          return null;
        }
        placed.insert(buffer, offsets[buffer]);
      }
    }
    long peak = problem.peak(offsets);
    if (peak <= bestPeak) {
      bestPeak = peak;
      System.arraycopy(order, 0, bestOrder, 0, order.length);
    } else if (random.nextInt(3) == 0) {
      System.arraycopy(bestOrder, 0, order, 0, order.length);
    }
    bump(target);
    return offsets;
  }

  /**
   * Goes on from a placement: first fit in the order of its offsets moves nothing up.
   *
   * @param known its offsets
   */
  void adopt(long[] known) {
    for (int buffer = 0; buffer < order.length; buffer++) {
      order[buffer] = buffer;
    }
    PrimitiveSort.byKey(order, order.length, known);
    System.arraycopy(order, 0, bestOrder, 0, order.length);
    bestPeak = problem.peak(known);
  }

  private void bump(long target) {
    long[] priority = new long[problem.count];
    for (int place = 0; place < order.length; place++) {
      int buffer = order[place];
      boolean above = offsets[buffer] + problem.size[buffer] > target;
      priority[buffer] = above ? (long) (place * random.nextDouble()) : place;
    }
    PrimitiveSort.byKey(order, order.length, priority);
  }

  private static int[] byUrgency(RectangleProblem problem) {
    int count = problem.count;
    RangeMaximum loads = new RangeMaximum(problem.loads());
    int[] order = new int[count];
    long[] key = new long[count];
    for (int buffer = 0; buffer < count; buffer++) {
      order[buffer] = buffer;
      key[buffer] = -problem.size[buffer];
    }
    PrimitiveSort.byKey(order, count, key);
    for (int buffer = 0; buffer < count; buffer++) {
      long largest = 0;
      for (int p = problem.firstPiece[buffer]; p < problem.firstPiece[buffer + 1]; p++) {
        largest = Math.max(largest, loads.max(problem.pieceStart[p], problem.pieceEnd[p]));
      }
      key[buffer] = -largest;
    }
    PrimitiveSort.byKey(order, count, key);
    return order;
  }
}

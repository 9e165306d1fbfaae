package stowage.schedule.search;

import java.util.function.BooleanSupplier;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Change that brings an order nearer to the given one, 0, 1, 2, ..., without a higher peak: two
 * neighbours of which the later comes first in the given order change places while the larger of
 * their loads does not grow beyond a comfortable share of the peak. In the end no such exchange is
 * left; each one takes one inversion away. O(inversions + passes · touches), with at most as many
 * passes as ops.
 *
 * <p>The share keeps the placement easy: were loads let up to the peak itself, many more steps
 * would be filled to the brim, and a placement at the load is then often out of reach.
 */
public final class NearestOrder {
  private static final double COMFORTABLE = 0.95;

  private NearestOrder() {}

  /** The order after all exchanges of one of a peak, in bytes; they end early when stopped. */
  public static int[] of(OrderProblem problem, int[] order, long peak, BooleanSupplier stopped) {
    int[] nearer = order.clone();
    Downset downset = new Downset(problem);
    long comfortable = (long) (peak * COMFORTABLE);
    boolean changed = true;
    while (changed && !stopped.getAsBoolean()) {
      changed = false;
      downset.moveTo(new long[problem.words()], 0);
      for (int k = 0; k < nearer.length; k++) {
        int op = nearer[k];
        if (k + 1 < nearer.length) {
          int next = nearer[k + 1];
          if (next < op && downset.isReady(next)) {
            long limit = Math.max(comfortable, larger(downset, op, next));
            if (larger(downset, next, op) <= limit) {
              nearer[k] = next;
              nearer[k + 1] = op;
              changed = true;
            }
          }
        }
        downset.run(nearer[k]);
      }
    }
    return nearer;
  }

  /** The larger load of two ops that run one after the other. */
  private static long larger(Downset downset, int first, int second) {
    long load = downset.load(first);
    downset.run(first);
    load = Math.max(load, downset.load(second));
    downset.undo(first);
    return load;
  }
}

package stowage.schedule.search;

import java.util.function.BooleanSupplier;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Brings an order nearer to the given one, 0, 1, 2, ..., without a higher peak: two neighbours of
 * which the later comes first in the given order change places while no load goes above the peak.
 * In the end no such exchange is left; each one takes one inversion away. O(inversions + passes ·
 * touches), with at most as many passes as ops.
 */
public final class NearestOrder {
  private NearestOrder() {}

  /**
   * The order after all exchanges.
   *
   * @param order any order of the problem; it stays as it is
   * @param peak that loads may reach, in bytes
   * @param stopped when true, the exchanges end early
   */
  public static int[] of(OrderProblem problem, int[] order, long peak, BooleanSupplier stopped) {
    int[] nearer = order.clone();
    Downset downset = new Downset(problem);
    boolean changed = true;
    while (changed && !stopped.getAsBoolean()) {
      changed = false;
      downset.moveTo(new long[problem.words()], 0);
      for (int k = 0; k < nearer.length; k++) {
        int op = nearer[k];
        if (k + 1 < nearer.length) {
          int next = nearer[k + 1];
          if (next < op && downset.isReady(next) && downset.load(next) <= peak) {
            downset.run(next);
            boolean fits = downset.load(op) <= peak;
            downset.undo(next);
            if (fits) {
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
}

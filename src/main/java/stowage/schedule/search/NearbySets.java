package stowage.schedule.search;

import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Looks near a downset for a set of ops that may be run at once: all downsets reachable within the
 * limit, by number of ops, until one has no more live bytes, or too many have been seen.
 */
final class NearbySets {
  private final int most;
  private final StateStore store;
  private final int[] one = new int[1];
  private final long[] home;
  private final int[] ready;

  NearbySets(OrderProblem problem, int most) {
    this.most = most;
    this.store = new StateStore(Math.max(1, problem.words()));
    this.home = new long[problem.words()];
    this.ready = new int[problem.ops()];
  }

  /** Runs such a set and notes its ops; gives the count back if none was found. */
  int run(Downset downset, long limit, int[] log, int count) {
    store.clear();
    long live = downset.live();
    System.arraycopy(downset.bits(), 0, home, 0, home.length);
    store.add(downset, 0, -1, one, 0);
    for (int state = 0; state < store.count() && store.count() <= most; state++) {
      downset.moveTo(store.bits(), store.bitsFrom(state));
      int candidates = downset.readyCount();
      for (int k = 0; k < candidates; k++) {
        ready[k] = downset.ready(k);
      }
      for (int k = 0; k < candidates; k++) {
        int op = ready[k];
        if (downset.load(op) > limit) {
          continue;
        }
        downset.run(op);
        if (store.find(downset) < 0) {
          one[0] = op;
          int found = store.add(downset, 0, state, one, 1);
          if (downset.live() <= live) {
            int[] way = store.way(found);
            System.arraycopy(way, 0, log, count, way.length);
            return count + way.length;
          }
        }
        downset.undo(op);
      }
    }
    downset.moveTo(home, 0);
    return count;
  }
}

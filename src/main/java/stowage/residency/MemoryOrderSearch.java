package stowage.residency;

import java.util.Arrays;
import java.util.SplittableRandom;
import stowage.liveness.Liveness;
import stowage.liveness.PlanningCase;
import stowage.network.memory.MemoryMap;
import stowage.packing.IndexOrder;
import stowage.packing.RunControl;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.ResidencyChoice;
import stowage.residency.memory.ResidencyDescent;
import stowage.residency.memory.ResidencyGreedy;
import stowage.residency.memory.ResidencyProblem;
import stowage.schedule.NetworkOrders;

/**
 * Search for an order of a network's ops at which residency costs less: ops move to other places
 * that their precedences allow, and an order is judged by the cheapest of the known rules, which
 * takes far less time than the optimum at that order. The best order then goes to {@link
 * ResidencySolver}.
 */
public final class MemoryOrderSearch {
  private static final ResidencyGreedy[] RULES = {
    ResidencyGreedy.WHOLE_LIFE, ResidencyGreedy.BELADY
  };

  /** Moves without a better order, for each op, after which the search ends. */
  private static final int PATIENCE = 30;

  private final PlanningCase planned;
  private final MemoryMap map;
  private final boolean byTime;
  private final NetworkOrders orders;

  /** A search from the network's own order; prices are bytes, or nanoseconds by time. */
  public MemoryOrderSearch(PlanningCase planned, MemoryMap map, boolean byTime) {
    this.planned = planned;
    this.map = map;
    this.byTime = byTime;
    this.orders = NetworkOrders.of(planned.network(), planned.options());
  }

  private ResidencyProblem problem(int[] order) {
    return ResidencyProblem.of(
        Liveness.of(planned.network(), orders.toNetwork(order), planned.options()), map, byTime);
  }

  private long price(int[] order) {
    ResidencyProblem problem = problem(order);
    AccessTable table = new AccessTable(problem);
    long least = Long.MAX_VALUE;
    for (ResidencyGreedy rule : RULES) {
      ResidencyChoice choice = rule.choose(table);
      if (choice != null && choice.fits(problem)) {
        long price = ResidencyDescent.improved(table, choice).price(problem);
        least = Math.min(least, price);
      }
    }
    return least;
  }

  /** The network's ops in the best order found, the given one where none is better. */
  public int[] run(RunControl control, double seconds) {
    int[] best = orders.fromNetwork(planned.order());
    if (!Arrays.equals(best, orders.allowed(best)) || best.length < 3) {
      return planned.order();
    }
    long end = System.nanoTime() + (long) (1e9 * seconds);
    SplittableRandom random = new SplittableRandom(control.seed());
    long price = price(best);
    int idle = 0;
    while (idle < PATIENCE * best.length && System.nanoTime() < end && !control.isStopped()) {
      int[] trial = moved(best, random);
      idle++;
      if (trial == null) {
        continue;
      }
      long found = price(trial);
      if (found <= price) {
        idle = found < price ? 0 : idle;
        price = found;
        best = trial;
      }
    }
    return orders.toNetwork(best);
  }

  /** The order with one op at another place between its neighbours in precedence; null for none. */
  private int[] moved(int[] order, SplittableRandom random) {
    int from = random.nextInt(order.length);
    int op = order[from];
    int[] place = IndexOrder.places(order, order.length);
    int low = 0;
    int high = order.length - 1;
    for (int before : orders.problem().before(op)) {
      low = Math.max(low, place[before] + 1);
    }
    for (int after : orders.problem().after(op)) {
      high = Math.min(high, place[after] - 1);
    }
    if (low >= high) {
      return null;
    }
    int to = low + random.nextInt(high - low + 1);
    if (to == from) {
      return null;
    }
    int[] trial = order.clone();
    IndexOrder.move(trial, from, to);
    return trial;
  }
}

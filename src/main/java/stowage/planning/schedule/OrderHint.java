package stowage.planning.schedule;

import java.util.Arrays;
import java.util.List;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.RunControl;
import stowage.planning.LoadedProblem;
import stowage.schedule.order.SystemOrders;
import stowage.schedule.search.OrderPortfolio;

/** Hint at an order of ops that needs clearly less memory than the file's, found in little work. */
public final class OrderHint {
  /** Networks of more ops are left to {@code stowage schedule}: the hint is to cost nothing. */
  private static final int MOST_OPS = 400;

  private static final long WORK = 200_000;

  private static final double LEAST_SHARE = 0.03;

  private OrderHint() {}

  /**
   * A sentence with the command; null where no such order was found, the input is no network, or
   * its ops do not run one by one in the file's order. Deterministic.
   *
   * @param file the input, as the command is to name it
   */
  public static String of(LoadedProblem planned, Incumbent found, String file) {
    PlanningCase given = planned.planningCase();
    if (!given.hasNetwork()
        || found.placement() == null
        || !found.objective().isPeaks()
        || given.options().order() != LivenessOptions.Order.IN_ORDER
        || planned.problem().memories().size() > 1
        || given.network().ops().size() > MOST_OPS
        || !Arrays.equals(given.order(), given.network().executionOrder())) {
      return null;
    }
    OrderCandidate other = new OrderCandidate(given.network(), given.options(), List.of());
    other.offer(SystemOrders.of(given.network()), () -> false);
    OrderPortfolio.run(other.incumbent(), RunControl.ofWork(WORK, 1, 1));
    long load = other.load();
    long atThisOrder = LoadProfile.of(planned.problem()).maxLoad();
    double share = (double) (atThisOrder - load) / Math.max(1, atThisOrder);
    return share < LEAST_SHARE
        ? null
        : "Another order of the ops has a max load of %s, %s below that of this order: stowage schedule %s"
            .formatted(ByteText.both(load), ByteText.percent(share), file);
  }
}

package stowage.planning.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import stowage.exact.engine.EngineOptions;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyBySize;
import stowage.liveness.BufferUses;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.schedule.NetworkOrders;
import stowage.schedule.bound.OpCut;
import stowage.schedule.bound.OpCutCheck;
import stowage.schedule.search.NearestOrder;
import stowage.schedule.search.OrderIncumbent;
import stowage.schedule.search.OrderPortfolio;

/**
 * One run from a network to the order of least load, the placement at that order, and the bound
 * over all orders.
 *
 * <p>No plan under any order has a peak below the bound of the load over all orders; the placement
 * of our order is above it or meets it. Orders of real systems come first; then the bound and the
 * searches; of what remains of the time the placement has the rest, which is a fifth at least.
 */
public final class ScheduleRun {
  private static final double ORDER_SHARE = 0.8;

  private final Network network;
  private final LivenessOptions options;
  private final NetworkOrders orders;
  private final List<SystemLoad> systems = new ArrayList<>();
  private final OrderIncumbent incumbent;
  private final long capacity;
  private PlanningCase planningCase;
  private Incumbent placement;
  private double orderSeconds;
  private int[] bestOrder;

  /**
   * An order and its load.
   *
   * @param name the system's
   * @param order indices of the network's ops
   * @param load the largest load of a step, in bytes
   * @param adapted whether it had to be changed to keep precedences the system does not know
   */
  public record SystemLoad(String name, int[] order, long load, boolean adapted) {}

  /**
   * A run that has not begun.
   *
   * @param options sharing, inputs and alignment
   * @param precedences pairs of ops, by index, of which the first must run before the second
   * @param capacity bytes of the memory, or -1: the search ends once an order fits or none can
   */
  public ScheduleRun(
      Network network, LivenessOptions options, List<int[]> precedences, long capacity) {
    this.network = network;
    this.options = options;
    this.orders = NetworkOrders.of(BufferUses.of(network, options), precedences);
    this.incumbent = new OrderIncumbent(orders.problem());
    this.capacity = capacity;
    if (capacity >= 0) {
      incumbent.settleAt(capacity);
    }
  }

  /** The search's best order and bound, to listen to. */
  public OrderIncumbent orderIncumbent() {
    return incumbent;
  }

  /** Looks for the order, as long as the control allows but for a share of its time. */
  public void findOrder(RunControl control) {
    long begin = System.nanoTime();
    for (Map.Entry<String, int[]> system : SystemOrders.of(network).entrySet()) {
      int[] order = orders.fromNetwork(system.getValue());
      int[] allowed = orders.allowed(order);
      long load = orders.problem().peak(allowed);
      boolean adapted = !Arrays.equals(order, allowed);
      systems.add(new SystemLoad(system.getKey(), orders.toNetwork(allowed), load, adapted));
      incumbent.offer(allowed, system.getKey());
    }
    double seconds = control.secondsLeft();
    OrderPortfolio.run(incumbent, control.within(ORDER_SHARE * seconds));
    orderSeconds = (System.nanoTime() - begin) / 1e9;
  }

  /** Places the buffers at the best order. */
  public void place(RunControl control, EngineOptions engines) {
    int[] nearest =
        NearestOrder.of(orders.problem(), incumbent.order(), incumbent.peak(), control::isStopped);
    bestOrder = orders.toNetwork(nearest);
    planningCase = Liveness.of(network, bestOrder, options);
    if (capacity >= 0) {
      planningCase = planningCase.withProblem(planningCase.problem().withCapacity(0, capacity));
    }
    placement = new Incumbent(planningCase.problem());
    placement.offer(
        new GreedyBySize(Fit.FIRST).plan(planningCase.problem(), RunControl.unlimited()),
        "greedy-by-size");
    PlannerRun.of(
        planningCase,
        placement,
        control,
        List.of(PlannerCatalogue.named(PlannerCatalogue.PORTFOLIO)),
        engines);
  }

  /** The problem of the network's orders. */
  public NetworkOrders orders() {
    return orders;
  }

  /** The network. */
  public Network network() {
    return network;
  }

  /** The best order, as indices of the network's ops; of the equally good ones near the given. */
  public int[] bestOrder() {
    return bestOrder == null ? orders.toNetwork(incumbent.order()) : bestOrder;
  }

  /** The orders of real systems with their loads. */
  public List<SystemLoad> systems() {
    return List.copyOf(systems);
  }

  /** The case at the order that was placed; null before {@link #place}. */
  public PlanningCase planningCase() {
    return planningCase;
  }

  /** The placement at that order; null before {@link #place}. */
  public Incumbent placement() {
    return placement;
  }

  /** The largest load of the best order, in bytes. */
  public long load() {
    return incumbent.peak();
  }

  /** No order has a lower load, in bytes. */
  public long loadBound() {
    return incumbent.bound();
  }

  /** Why: {@code op-cut} or {@code search}. */
  public String boundKind() {
    return incumbent.boundKind();
  }

  /** The certificate of an {@code op-cut}; null of another kind. */
  public OpCut certificate() {
    return incumbent.cut();
  }

  /** Whether the bound has a certificate that holds, checked here. */
  public boolean checked() {
    OpCut cut = incumbent.cut();
    return cut != null && OpCutCheck.holds(orders.problem(), cut);
  }

  /** Bytes of the memory, or -1. */
  public long capacity() {
    return capacity;
  }

  /** Whether it is proven that no order fits into the memory. */
  public boolean infeasible() {
    return capacity >= 0 && loadBound() > capacity;
  }

  /** Seconds spent on the order. */
  public double orderSeconds() {
    return orderSeconds;
  }
}

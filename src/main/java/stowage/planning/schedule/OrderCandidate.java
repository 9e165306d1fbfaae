package stowage.planning.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import stowage.liveness.BufferUses;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.LoadProfile;
import stowage.schedule.NetworkOrders;
import stowage.schedule.search.NearestOrder;
import stowage.schedule.search.OrderIncumbent;

/**
 * One choice of what shares memory, with the orders tried under it.
 *
 * <p>The loads of orders are those of their packing problems. Where a buffer holds only what its
 * tensors need at each step, the order problem counts pieces, and the packing problem one stretch
 * from the first needed byte to the last; so the packing problem has the last word.
 */
final class OrderCandidate {
  private final Network network;
  private final LivenessOptions options;
  private final NetworkOrders orders;
  private final OrderIncumbent incumbent;
  private final List<ScheduleRun.SystemLoad> systems = new ArrayList<>();
  private int[] chosen;

  /** The last order whose load was asked for, and that load: most are asked for again. */
  private int[] lastOrder;

  private long lastLoad;

  OrderCandidate(Network network, LivenessOptions options, List<int[]> precedences) {
    this.network = network;
    this.options = options;
    this.orders = NetworkOrders.of(BufferUses.of(network, options), precedences);
    this.incumbent = new OrderIncumbent(orders.problem());
  }

  NetworkOrders orders() {
    return orders;
  }

  OrderIncumbent incumbent() {
    return incumbent;
  }

  LivenessOptions options() {
    return options;
  }

  List<ScheduleRun.SystemLoad> systems() {
    return systems;
  }

  /** Tries the orders of systems, by name, until it is to stop; the first one in any case. */
  void offer(Map<String, int[]> found, BooleanSupplier stopped) {
    for (Map.Entry<String, int[]> system : found.entrySet()) {
      if (!systems.isEmpty() && stopped.getAsBoolean()) {
        return;
      }
      int[] order = orders.fromNetwork(system.getValue());
      int[] allowed = orders.allowed(order);
      incumbent.offer(allowed, system.getKey());
      boolean adapted = !Arrays.equals(order, allowed);
      int[] ops = orders.toNetwork(allowed);
      systems.add(new ScheduleRun.SystemLoad(system.getKey(), ops, load(allowed), adapted));
    }
  }

  private long load(int[] order) {
    if (options.inPlace() != LivenessOptions.InPlace.OPTIMAL) {
      return orders.problem().peak(order);
    }
    if (!Arrays.equals(order, lastOrder)) {
      PlanningCase planned = Liveness.of(network, orders.toNetwork(order), options);
      lastLoad = LoadProfile.of(planned.problem()).maxLoad();
      lastOrder = order.clone();
    }
    return lastLoad;
  }

  /** The order of the answer, as indices of the network's ops: brought near the given one. */
  int[] order(BooleanSupplier stopped) {
    if (chosen == null) {
      int[] best = incumbent.order();
      chosen = NearestOrder.of(orders.problem(), best, incumbent.peak(), stopped);
      if (load(chosen) > load(best)) {
        chosen = best;
      }
    }
    return orders.toNetwork(chosen);
  }

  /** Makes the order as it was found the one of the answer. */
  boolean takeAsFound() {
    int[] found = incumbent.order();
    if (chosen == null || Arrays.equals(chosen, found) || load(found) > load(chosen)) {
      return false;
    }
    chosen = found;
    return true;
  }

  /** The order as it was found, as indices of the network's ops. */
  int[] asFound() {
    return orders.toNetwork(incumbent.order());
  }

  /** Makes an order the one of the answer again. */
  void take(int[] order) {
    chosen = orders.fromNetwork(order);
  }

  /** The load of the best order, or of a system's where that is lower, in bytes. */
  long load() {
    long load = load(chosen == null ? incumbent.order() : chosen);
    for (ScheduleRun.SystemLoad system : systems) {
      if (system.load() < load) {
        chosen = orders.fromNetwork(system.order());
        load = system.load();
      }
    }
    return load;
  }
}

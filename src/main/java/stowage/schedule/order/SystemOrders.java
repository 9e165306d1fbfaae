package stowage.schedule.order;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.schedule.NetworkOrders;

/** The orders of ops that real systems choose, by name. */
public final class SystemOrders {
  /** The network's own order. */
  public static final String GIVEN = "given";

  private static final Map<String, Function<Network, int[]>> ORDERS = orders();

  private SystemOrders() {}

  private static Map<String, Function<Network, int[]>> orders() {
    Map<String, Function<Network, int[]>> orders = new LinkedHashMap<>();
    orders.put(GIVEN, Network::executionOrder);
    orders.put("inductor", InductorOrders::reordered);
    orders.put("inductor-lpmf", InductorOrders::leastPeakMemoryFirst);
    orders.put("inductor-bfs", InductorOrders::breadthFirst);
    orders.put("inductor-dfs", InductorOrders::depthFirst);
    orders.put("xla", XlaOrders::chosen);
    orders.put("xla-list", XlaOrders::list);
    orders.put("xla-dfs", XlaOrders::depthFirst);
    orders.put("xla-post-order", XlaOrders::postOrder);
    orders.put("onnxruntime", RuntimeOrders::onnxRuntime);
    orders.put("onnxruntime-priority", RuntimeOrders::onnxRuntimeByPriority);
    orders.put("openvino-cpu", RuntimeOrders::openVino);
    orders.put("tpu-mlir", TpuMlirOrder::of);
    orders.put("vela", RuntimeOrders::vela);
    orders.put("random", network -> RuntimeOrders.random(network, 1));
    return orders;
  }

  public static Set<String> names() {
    return ORDERS.keySet();
  }

  /**
   * The order of a name, as indices of a network's ops: where the system's would change what ops
   * with variables or effects do, the nearest one that does not.
   */
  public static int[] of(Network network, String name) {
    if (name.equals(GIVEN)) {
      return network.executionOrder(); // which keeps what ops do as it is
    }
    NetworkOrders orders = NetworkOrders.of(network, LivenessOptions.defaults());
    return orders.allowedOps(ORDERS.get(name).apply(network));
  }

  /** All orders of a network by name, as indices of its ops, in the order they are given. */
  public static Map<String, int[]> of(Network network) {
    Map<String, int[]> found = new LinkedHashMap<>();
    addTo(found, network, () -> false);
    return found;
  }

  /**
   * Adds the orders that are not there yet, until it is to stop; the network's own in any case.
   *
   * @param found orders by name, as indices of the network's ops
   */
  public static void addTo(Map<String, int[]> found, Network network, BooleanSupplier stopped) {
    for (Map.Entry<String, Function<Network, int[]>> one : ORDERS.entrySet()) {
      if (found.isEmpty() || !stopped.getAsBoolean()) {
        found.computeIfAbsent(one.getKey(), name -> one.getValue().apply(network));
      }
    }
  }
}

package stowage.kernel.model;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/** The largest number of units that each cache holds at once under a plan. */
public final class CachePeaks {
  private CachePeaks() {}

  /**
   * The peaks of the caches in which the graph has buffers, in the order of the capacities. A
   * buffer counts from its ALLOC to its FREE, except between the nodes of a spill. O(nodes).
   *
   * @param plan with addresses or without; one that holds
   * @return units by name of the cache
   */
  public static Map<String, Long> of(KernelGraph graph, Caches caches, KernelPlan plan) {
    Map<String, Long> held = new HashMap<>();
    Map<String, Long> peaks = new LinkedHashMap<>();
    caches.names().forEach(cache -> peaks.put(cache, 0L));
    int nodes = graph.nodes().size();
    for (int v : plan.schedule()) {
      int buffer;
      boolean comes;
      if (v >= nodes) {
        buffer = plan.spilled()[(v - nodes) / 2];
        comes = (v - nodes) % 2 == 1;
      } else if (!graph.nodes().get(v).isOperation()) {
        buffer = graph.nodes().get(v).buffer();
        comes = graph.nodes().get(v).kind() == KernelNode.Kind.ALLOC;
      } else {
        continue;
      }
      KernelBuffer moved = graph.buffers().get(buffer);
      long now = held.merge(moved.cache(), comes ? moved.size() : -moved.size(), Long::sum);
      peaks.merge(moved.cache(), now, Math::max);
    }
    peaks.keySet().retainAll(held.keySet());
    return peaks;
  }
}

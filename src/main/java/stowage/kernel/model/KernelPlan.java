package stowage.kernel.model;

import static java.util.stream.Collectors.joining;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/**
 * A schedule of a kernel graph with addresses and spills. Buffers are positions in the graph's list
 * of buffers. The k-th spill (from 0) of a graph with N nodes has the nodes N + 2k, which moves the
 * buffer out, and N + 2k + 1, which moves it back in.
 *
 * @param schedule node ids in order, spills included
 * @param offsets where each buffer begins in its cache before its first spill; null for an order
 *     without addresses
 * @param spillOffsets where the buffer begins after the spill
 */
public record KernelPlan(int[] schedule, long[] offsets, int[] spilled, long[] spillOffsets) {
  /** An order without addresses, as the least residency needs it. */
  public static KernelPlan orderOnly(int[] schedule) {
    return new KernelPlan(schedule, null, new int[0], new long[0]);
  }

  /** How often a buffer leaves its cache. */
  public int spills() {
    return spilled.length;
  }

  /**
   * The most units that each cache holds at once, in the order of the capacities, of the caches in
   * which the graph has buffers; for a plan that holds. A buffer counts from its ALLOC to its FREE,
   * except between the nodes of a spill. O(nodes).
   */
  public Map<String, Long> peaks(KernelGraph graph, Caches caches) {
    Map<String, Long> held = new HashMap<>();
    Map<String, Long> peaks = new LinkedHashMap<>();
    caches.units().keySet().forEach(cache -> peaks.put(cache, 0L));
    int nodes = graph.nodes().size();
    for (int v : schedule) {
      KernelNode node = v < nodes ? graph.nodes().get(v) : null;
      if (node != null && node.isOperation()) {
        continue;
      }
      int buffer = node == null ? spilled[(v - nodes) / 2] : node.buffer();
      boolean comes = node == null ? (v - nodes) % 2 == 1 : node.kind() == KernelNode.Kind.ALLOC;
      KernelBuffer moved = graph.buffers().get(buffer);
      long now = held.merge(moved.cache(), comes ? moved.size() : -moved.size(), Long::sum);
      peaks.merge(moved.cache(), now, Math::max);
    }
    peaks.keySet().retainAll(held.keySet());
    return peaks;
  }

  /** Node ids, one a line, as the public contest of 2025 has them. */
  public String scheduleText() {
    return lines(schedule.length, k -> String.valueOf(schedule[k]));
  }

  /** {@code BufId:Offset}, one buffer a line. */
  public String memoryText(KernelGraph graph) {
    return lines(offsets.length, b -> graph.buffers().get(b).id() + ":" + offsets[b]);
  }

  /** {@code BufId:NewOffset}, one spill a line. */
  public String spillsText(KernelGraph graph) {
    return lines(spills(), k -> graph.buffers().get(spilled[k]).id() + ":" + spillOffsets[k]);
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).map(s -> s + "\n").collect(joining());
  }
}

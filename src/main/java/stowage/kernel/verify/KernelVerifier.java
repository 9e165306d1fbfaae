package stowage.kernel.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.kernel.model.KernelFigures;
import stowage.kernel.model.KernelPlan;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/**
 * Verifier of kernel plans: replays the schedule node by node over intervals of addresses, checks
 * every rule, and computes residency, traffic and makespan from the plan alone.
 *
 * <p>Rules: the schedule names every node and every spill's two nodes once; all edges point
 * forward; users run between their buffer's ALLOC and FREE; a spill's OUT follows the buffer's
 * ALLOC or last IN and all its earlier users, its IN precedes the later users and the FREE; no user
 * runs between OUT and IN; residents of a cache are disjoint and end within its capacity. Timing:
 * pipes run one node at a time in schedule order, a node starts when its predecessors have ended,
 * and a resident that takes addresses waits for the node that freed them. O((nodes + edges) log
 * nodes) and the address intervals crossed.
 */
public final class KernelVerifier {
  /** What a verification gives: figures, or the first violation found. */
  public record Result(KernelFigures figures, String violation) {
    public boolean holds() {
      return violation == null;
    }
  }

  /** Addresses from a key of the map on: who holds them, or which node freed them. */
  private record Held(long end, int buffer, boolean live, int freedBy) {}

  private static final class Broken extends Exception {
    private static final long serialVersionUID = 1L;

    Broken(String what) {
      super(what);
    }
  }

  private static final long SPILL_SETUP = 150;

  private final KernelGraph graph;
  private final Map<String, Long> capacities;
  private final KernelPlan plan;
  private final int count;
  private final int total;
  private final int[] place;
  private final long[] begin;
  private final long[] finish;
  private final List<List<Integer>> before = new ArrayList<>();
  private final Map<Integer, Integer> begins = new HashMap<>();
  private final Map<Integer, Integer> ends = new HashMap<>();
  private final List<Integer> segmentBuffer = new ArrayList<>();
  private final List<Long> segmentOffset = new ArrayList<>();

  private KernelVerifier(KernelGraph graph, Map<String, Long> capacities, KernelPlan plan) {
    this.graph = graph;
    this.capacities = capacities;
    this.plan = plan;
    this.count = graph.nodes().size();
    this.total = count + 2 * plan.spills();
    this.place = new int[total];
    this.begin = new long[total];
    this.finish = new long[total];
  }

  /** Verifies a plan in caches of some capacities; without addresses order and residency alone. */
  public static Result verify(KernelGraph graph, Map<String, Long> capacities, KernelPlan plan) {
    try {
      return new Result(new KernelVerifier(graph, capacities, plan).figures(), null);
    } catch (Broken broken) {
      return new Result(null, broken.getMessage());
    }
  }

  /** The begins and ends of the nodes, spills included, of a plan with addresses that holds. */
  public static long[][] times(KernelGraph graph, Map<String, Long> capacities, KernelPlan plan) {
    KernelVerifier verifier = new KernelVerifier(graph, capacities, plan);
    try {
      verifier.figures();
    } catch (Broken broken) {
      throw new IllegalArgumentException("the plan does not hold: " + broken.getMessage());
    }
    return new long[][] {verifier.begin, verifier.finish};
  }

  private KernelFigures figures() throws Broken {
    checkNames();
    for (int v = 0; v < total; v++) {
      before.add(new ArrayList<>());
    }
    for (int e = 0; e < graph.edges(); e++) {
      before.get(graph.to(e)).add(graph.from(e));
    }
    long traffic = addSpills();
    for (int v = 0; v < total; v++) {
      for (int u : before.get(v)) {
        if (place[u] >= place[v]) {
          throw new Broken("node " + v + " runs before node " + u + ", on which it depends");
        }
      }
    }
    long residency = residency();
    if (plan.offsets() == null) {
      return new KernelFigures(residency, 0, -1, 0);
    }
    layOut();
    return new KernelFigures(residency, traffic, makespan(), plan.spills());
  }

  private void checkNames() throws Broken {
    if (plan.schedule().length != total) {
      throw new Broken("the schedule has " + plan.schedule().length + " nodes of " + total);
    }
    Arrays.fill(place, -1);
    for (int k = 0; k < total; k++) {
      int v = plan.schedule()[k];
      if (v < 0 || v >= total || place[v] >= 0) {
        throw new Broken("node " + v + " is unknown or scheduled twice");
      }
      place[v] = k;
    }
  }

  private long addSpills() throws Broken {
    int buffers = graph.buffers().size();
    List<List<Integer>> users =
        Stream.<List<Integer>>generate(ArrayList::new).limit(buffers).toList();
    for (int v = 0; v < count; v++) {
      for (int b : graph.nodes().get(v).uses()) {
        users.get(b).add(v);
        before.get(v).add(graph.buffers().get(b).alloc());
        before.get(graph.buffers().get(b).free()).add(v);
      }
    }
    int[] segment = new int[buffers];
    for (int b = 0; b < buffers; b++) {
      segment[b] = segmentBuffer.size();
      segmentBuffer.add(b);
      segmentOffset.add(plan.offsets() == null ? 0L : plan.offsets()[b]);
      begins.put(graph.buffers().get(b).alloc(), segment[b]);
    }
    long traffic = 0;
    int[] opened = IntStream.range(0, buffers).map(b -> graph.buffers().get(b).alloc()).toArray();
    for (int k = 0; k < plan.spills(); k++) {
      int b = plan.spilled()[k];
      if (b < 0 || b >= buffers) {
        throw new Broken("spill " + k + " names no buffer");
      }
      KernelBuffer buffer = graph.buffers().get(b);
      int out = count + 2 * k;
      int in = out + 1;
      before.get(out).add(opened[b]);
      before.get(in).add(out);
      before.get(buffer.free()).add(in);
      ends.put(out, segment[b]);
      segment[b] = segmentBuffer.size();
      segmentBuffer.add(b);
      segmentOffset.add(plan.spillOffsets()[k]);
      begins.put(in, segment[b]);
      opened[b] = in;
      traffic += buffer.backed() ? buffer.size() : 2 * buffer.size();
      for (int user : users.get(b)) {
        if (place[user] > place[out] && place[user] < place[in]) {
          throw new Broken("node " + user + " uses buffer " + buffer.id() + " while it is spilled");
        }
        if (place[user] > place[in]) {
          before.get(user).add(in);
        } else {
          before.get(out).add(user);
        }
      }
    }
    for (int b = 0; b < buffers; b++) {
      ends.put(graph.buffers().get(b).free(), segment[b]);
    }
    return traffic;
  }

  private long residency() {
    long live = 0;
    long peak = 0;
    for (int v : plan.schedule()) {
      if (v < count && !graph.nodes().get(v).isOperation()) {
        KernelNode node = graph.nodes().get(v);
        long size = graph.buffers().get(node.buffer()).size();
        live += node.kind() == KernelNode.Kind.ALLOC ? size : -size;
        peak = Math.max(peak, live);
      }
    }
    return peak;
  }

  /** Replays the caches, and adds what a reuse of addresses has to wait for. */
  private void layOut() throws Broken {
    Map<String, TreeMap<Long, Held>> caches = new HashMap<>();
    for (int v : plan.schedule()) {
      Integer ended = ends.get(v);
      if (ended != null) {
        release(caches, ended, v);
      }
      Integer begun = begins.get(v);
      if (begun != null) {
        take(caches, begun, v);
      }
    }
  }

  private TreeMap<Long, Held> cut(
      Map<String, TreeMap<Long, Held>> caches, String cache, long low, long high) {
    TreeMap<Long, Held> held = caches.computeIfAbsent(cache, key -> new TreeMap<>());
    for (long at : new long[] {low, high}) {
      Map.Entry<Long, Held> around = held.lowerEntry(at);
      if (around != null && around.getValue().end() > at) {
        Held whole = around.getValue();
        held.put(around.getKey(), new Held(at, whole.buffer(), whole.live(), whole.freedBy()));
        held.put(at, whole);
      }
    }
    return held;
  }

  private void release(Map<String, TreeMap<Long, Held>> caches, int segment, int node) {
    int b = segmentBuffer.get(segment);
    KernelBuffer buffer = graph.buffers().get(b);
    long low = segmentOffset.get(segment);
    long high = low + buffer.size();
    if (low < high) {
      TreeMap<Long, Held> held = cut(caches, buffer.cache(), low, high);
      held.subMap(low, high).clear();
      held.put(low, new Held(high, b, false, node));
    }
  }

  private void take(Map<String, TreeMap<Long, Held>> caches, int segment, int node) throws Broken {
    int b = segmentBuffer.get(segment);
    KernelBuffer buffer = graph.buffers().get(b);
    long low = segmentOffset.get(segment);
    long high = low + buffer.size();
    Long capacity = capacities.get(buffer.cache());
    if (capacity == null) {
      throw new Broken("cache " + buffer.cache() + " has no capacity");
    }
    if (low < 0 || high > capacity) {
      throw new Broken(
          "buffer %s at %s, size %s, leaves %s of %s"
              .formatted(buffer.id(), low, buffer.size(), buffer.cache(), capacity));
    }
    if (low == high) {
      return;
    }
    TreeMap<Long, Held> held = cut(caches, buffer.cache(), low, high);
    for (Map.Entry<Long, Held> entry : held.subMap(low, high).entrySet()) {
      if (entry.getValue().live()) {
        throw new Broken(
            "buffers %s and %s share address %s of %s"
                .formatted(
                    graph.buffers().get(entry.getValue().buffer()).id(),
                    buffer.id(),
                    entry.getKey(),
                    buffer.cache()));
      }
      before.get(node).add(entry.getValue().freedBy());
    }
    held.subMap(low, high).clear();
    held.put(low, new Held(high, b, true, -1));
  }

  private long makespan() {
    Map<String, Long> pipes = new HashMap<>();
    long last = 0;
    for (int v : plan.schedule()) {
      String pipe;
      long cycles;
      if (v < count) {
        pipe = graph.nodes().get(v).pipe();
        cycles = graph.nodes().get(v).cycles();
      } else {
        KernelBuffer buffer = graph.buffers().get(plan.spilled()[(v - count) / 2]);
        boolean out = (v - count) % 2 == 0;
        pipe = out ? "MTE3" : "MTE2";
        cycles = out && buffer.backed() ? 0 : 2 * buffer.size() + SPILL_SETUP;
      }
      long start = pipe == null ? 0 : pipes.getOrDefault(pipe, 0L);
      for (int u : before.get(v)) {
        start = Math.max(start, finish[u]);
      }
      begin[v] = start;
      finish[v] = start + cycles;
      last = Math.max(last, finish[v]);
      if (pipe != null) {
        pipes.put(pipe, finish[v]);
      }
    }
    return last;
  }
}

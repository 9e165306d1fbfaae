package stowage.kernel.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.network.TopologicalOrder;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;
import stowage.packing.Rounding;
import stowage.schedule.model.OrderProblem;

/**
 * A kernel graph reduced to its operations: ops in topological order of the file, what each needs
 * run before it, and which buffers it uses, as flat arrays. ALLOC and FREE nodes follow from an
 * order of the ops: an ALLOC is best right before the first op that needs it, a FREE right after
 * the last.
 *
 * <p>An op that an ALLOC precedes directly, or that precedes a FREE directly, counts as a user of
 * the buffer, even where the file does not list the buffer with the op.
 *
 * <p>Cells: in each cache, sizes and capacity are divided by the greatest common divisor of the
 * sizes, the capacity rounded down; no plan is lost by that, because buffers can be pushed down to
 * multiples of it.
 */
public final class KernelOps {
  private static final String OUT_PIPE = "MTE3";
  private static final String IN_PIPE = "MTE2";

  private final KernelGraph graph;
  private final List<String> cacheNames;
  private final Caches limits;

  public final int ops;
  public final int buffers;

  /** Caches and pipes in use, the spills' two pipes included. */
  public final int caches;

  public final int pipes;

  /** By op, its node id, pipe and cycles. */
  public final int[] node;

  public final int[] pipe;
  public final long[] cycles;

  /** The ops before op v are {@code pred[predAt[v]] .. pred[predAt[v + 1] - 1]}; so all lists. */
  public final int[] predAt;

  public final int[] pred;
  public final int[] succAt;
  public final int[] succ;

  /** The buffers that each op uses. */
  public final int[] useAt;

  public final int[] use;

  /** The ops that use each buffer. */
  public final int[] userAt;

  public final int[] user;

  /**
   * By buffer, its cache, its size in units and in cells, and the traffic of one spill in units.
   */
  public final int[] cache;

  public final long[] size;
  public final int[] cells;
  public final long[] price;

  /** By buffer, the cycles of moving it out, and back in. */
  public final long[] outCycles;

  public final long[] inCycles;

  /** By cache, the units of a cell, and the capacity in cells. */
  public final long[] unit;

  public final int[] capacity;

  /** The pipes of moves out, and of moves in. */
  public final int outPipe;

  public final int inPipe;

  private KernelOps(KernelGraph graph, Caches limits) {
    this.graph = graph;
    this.limits = limits;
    List<KernelNode> nodes = graph.nodes();
    int[] order = topological(graph);
    int[] index = new int[nodes.size()];
    Arrays.fill(index, -1);
    int count = 0;
    node = new int[(int) nodes.stream().filter(KernelNode::isOperation).count()];
    for (int v : order) {
      if (nodes.get(v).isOperation()) {
        index[v] = count;
        node[count++] = v;
      }
    }
    ops = count;
    buffers = graph.buffers().size();
    Map<String, Integer> pipeIndex = new LinkedHashMap<>();
    pipe = new int[ops];
    cycles = new long[ops];
    for (int k = 0; k < ops; k++) {
      KernelNode op = nodes.get(node[k]);
      pipe[k] = pipeIndex.computeIfAbsent(op.pipe(), key -> pipeIndex.size());
      cycles[k] = op.cycles();
    }
    outPipe = pipeIndex.computeIfAbsent(OUT_PIPE, key -> pipeIndex.size());
    inPipe = pipeIndex.computeIfAbsent(IN_PIPE, key -> pipeIndex.size());
    pipes = pipeIndex.size();
    List<List<Integer>> before = lists(ops);
    List<List<Integer>> after = lists(ops);
    List<List<Integer>> uses = lists(ops);
    for (int k = 0; k < ops; k++) {
      uses.get(k).addAll(nodes.get(node[k]).uses());
    }
    for (int e = 0; e < graph.edges(); e++) {
      int u = graph.from(e);
      int v = graph.to(e);
      if (index[u] >= 0 && index[v] >= 0) {
        before.get(index[v]).add(index[u]);
        after.get(index[u]).add(index[v]);
      } else if (index[u] >= 0 || index[v] >= 0) {
        int op = Math.max(index[u], index[v]);
        int buffer = nodes.get(index[u] >= 0 ? v : u).buffer();
        if (!uses.get(op).contains(buffer)) {
          uses.get(op).add(buffer);
        }
      }
    }
    predAt = starts(before);
    pred = flat(before);
    succAt = starts(after);
    succ = flat(after);
    useAt = starts(uses);
    use = flat(uses);
    List<List<Integer>> users = lists(buffers);
    for (int k = 0; k < ops; k++) {
      for (int b : uses.get(k)) {
        users.get(b).add(k);
      }
    }
    userAt = starts(users);
    user = flat(users);
    Map<String, Integer> names = new HashMap<>();
    cache = new int[buffers];
    size = new long[buffers];
    cells = new int[buffers];
    price = new long[buffers];
    outCycles = new long[buffers];
    inCycles = new long[buffers];
    cacheNames = new ArrayList<>();
    for (KernelBuffer buffer : graph.buffers()) {
      if (names.putIfAbsent(buffer.cache(), names.size()) == null) {
        cacheNames.add(buffer.cache());
      }
    }
    caches = names.size();
    unit = new long[caches];
    capacity = new int[caches];
    for (int b = 0; b < buffers; b++) {
      KernelBuffer buffer = graph.buffers().get(b);
      cache[b] = names.get(buffer.cache());
      size[b] = buffer.size();
      price[b] = buffer.backed() ? buffer.size() : 2 * buffer.size();
      inCycles[b] = 2 * buffer.size() + 150;
      outCycles[b] = buffer.backed() ? 0 : inCycles[b];
      unit[cache[b]] = Rounding.gcd(unit[cache[b]], buffer.size());
    }
    for (int c = 0; c < caches; c++) {
      unit[c] = Math.max(1, unit[c]);
      long whole = limits.units().getOrDefault(cacheNames.get(c), 0L) / unit[c];
      capacity[c] = (int) Math.min(whole, 1 << 28);
    }
    for (int b = 0; b < buffers; b++) {
      cells[b] = (int) Math.min(size[b] / unit[cache[b]], 1 << 28);
    }
  }

  /** Reduces a graph; a cache that the limits do not name has no capacity. */
  public static KernelOps of(KernelGraph graph, Caches limits) {
    return new KernelOps(graph, limits);
  }

  private static int[] topological(KernelGraph graph) {
    List<List<Integer>> before = lists(graph.nodes().size());
    for (int e = 0; e < graph.edges(); e++) {
      before.get(graph.to(e)).add(graph.from(e));
    }
    return TopologicalOrder.of(before);
  }

  private static List<List<Integer>> lists(int count) {
    List<List<Integer>> lists = new ArrayList<>(count);
    for (int k = 0; k < count; k++) {
      lists.add(new ArrayList<>(4));
    }
    return lists;
  }

  private static int[] starts(List<List<Integer>> lists) {
    int[] starts = new int[lists.size() + 1];
    for (int k = 0; k < lists.size(); k++) {
      starts[k + 1] = starts[k] + lists.get(k).size();
    }
    return starts;
  }

  private static int[] flat(List<List<Integer>> lists) {
    return lists.stream().flatMap(List::stream).mapToInt(Integer::intValue).toArray();
  }

  /** The ops of each name, in the order of their first ones. O(ops). */
  public List<int[]> opsByName() {
    Map<String, List<Integer>> named = new LinkedHashMap<>();
    for (int v = 0; v < ops; v++) {
      named.computeIfAbsent(graph.nodes().get(node[v]).op(), name -> new ArrayList<>()).add(v);
    }
    return named.values().stream().map(kind -> kind.stream().mapToInt(v -> v).toArray()).toList();
  }

  /** Whether an op uses a buffer. */
  public boolean uses(int op, int buffer) {
    return Arrays.stream(use, useAt[op], useAt[op + 1]).anyMatch(b -> b == buffer);
  }

  /** The units of a cache that an op's operands take. */
  public long taken(int op, int in) {
    return Arrays.stream(use, useAt[op], useAt[op + 1])
        .filter(b -> cache[b] == in)
        .mapToLong(b -> size[b])
        .sum();
  }

  /** The graph that was reduced. */
  public KernelGraph graph() {
    return graph;
  }

  /** The capacities. */
  public Caches limits() {
    return limits;
  }

  /** The name of a cache. */
  public String cacheName(int index) {
    return cacheNames.get(index);
  }

  /**
   * The first op whose operands do not fit into a cache together, or a buffer larger than its
   * cache, in words; null where every op fits.
   */
  public String misfit() {
    for (int b = 0; b < buffers; b++) {
      if (cells[b] > capacity[cache[b]] && userAt[b] == userAt[b + 1]) {
        return "buffer " + graph.buffers().get(b).id() + " needs " + fault(cache[b], size[b]);
      }
    }
    long[] need = new long[caches];
    for (int v = 0; v < ops; v++) {
      Arrays.fill(need, 0);
      for (int k = useAt[v]; k < useAt[v + 1]; k++) {
        need[cache[use[k]]] += cells[use[k]];
      }
      for (int c = 0; c < caches; c++) {
        if (need[c] > capacity[c]) {
          return "node %s (%s) needs %s"
              .formatted(node[v], graph.nodes().get(node[v]).op(), fault(c, need[c] * unit[c]));
        }
      }
    }
    return null;
  }

  private String fault(int c, long units) {
    String name = cacheNames.get(c);
    return units + " units of " + name + ", which has " + limits.units().getOrDefault(name, 0L);
  }

  /**
   * Residency as a problem of order alone: each buffer is there from its first user to its last.
   */
  public OrderProblem residency() {
    int[][] before = new int[ops][];
    Arrays.setAll(before, v -> Arrays.copyOfRange(pred, predAt[v], predAt[v + 1]));
    List<OrderProblem.Item> items = new ArrayList<>();
    for (int b = 0; b < buffers; b++) {
      if (userAt[b] < userAt[b + 1]) {
        int[] touches = Arrays.copyOfRange(user, userAt[b], userAt[b + 1]);
        items.add(new OrderProblem.Item(size[b], touches, false, false));
      }
    }
    return OrderProblem.of(before, items, List.of());
  }

  /** The largest buffer without users, which is there alone for a moment; 0 for none. */
  public long largestUnused() {
    return IntStream.range(0, buffers)
        .filter(b -> userAt[b] == userAt[b + 1])
        .mapToLong(b -> size[b])
        .max()
        .orElse(0);
  }
}

package stowage.kernel.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.network.InvalidNetworkException;
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
 * <p>Cells: in each cache, sizes and capacity are divided by the greatest common divisor of the
 * sizes, the capacity rounded down; no plan is lost by that, because buffers can be pushed down to
 * multiples of it.
 */
public final class KernelOps {
  private static final int MOST_CELLS = 1 << 28;
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

  /** By op, the ops right before it and right after it, and the buffers that it uses. */
  public final int[][] preds;

  public final int[][] succs;
  public final int[][] uses;

  /** All uses in a row, as slots: those of op v are from {@code useAt[v]} to useAt[v + 1] - 1. */
  public final int[] use;

  public final int[] useAt;

  /** By buffer, the ops that use it. */
  public final int[][] users;

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
    List<List<Integer>> used = lists(ops);
    for (int k = 0; k < ops; k++) {
      used.get(k).addAll(nodes.get(node[k]).uses());
    }
    for (int e = 0; e < graph.edges(); e++) {
      int u = graph.from(e);
      int v = graph.to(e);
      if (index[u] >= 0 && index[v] >= 0) {
        before.get(index[v]).add(index[u]);
        after.get(index[u]).add(index[v]);
      }
    }
    preds = arrays(before);
    succs = arrays(after);
    uses = arrays(used);
    use = Arrays.stream(uses).flatMapToInt(Arrays::stream).toArray();
    useAt = new int[ops + 1];
    List<List<Integer>> usedBy = lists(buffers);
    for (int k = 0; k < ops; k++) {
      useAt[k + 1] = useAt[k] + uses[k].length;
      for (int b : uses[k]) {
        usedBy.get(b).add(k);
      }
    }
    users = arrays(usedBy);
    cache = new int[buffers];
    size = new long[buffers];
    cells = new int[buffers];
    price = new long[buffers];
    outCycles = new long[buffers];
    inCycles = new long[buffers];
    cacheNames = graph.buffers().stream().map(KernelBuffer::cache).distinct().toList();
    caches = cacheNames.size();
    unit = new long[caches];
    capacity = new int[caches];
    for (int b = 0; b < buffers; b++) {
      KernelBuffer buffer = graph.buffers().get(b);
      cache[b] = cacheNames.indexOf(buffer.cache());
      size[b] = buffer.size();
      price[b] = buffer.backed() ? buffer.size() : 2 * buffer.size();
      inCycles[b] = 2 * buffer.size() + 150;
      outCycles[b] = buffer.backed() ? 0 : inCycles[b];
      unit[cache[b]] = Rounding.gcd(unit[cache[b]], buffer.size());
    }
    for (int c = 0; c < caches; c++) {
      unit[c] = Math.max(1, unit[c]);
      long whole = limits.units().getOrDefault(cacheNames.get(c), 0L) / unit[c];
      capacity[c] = (int) Math.min(whole, MOST_CELLS);
    }
    for (int b = 0; b < buffers; b++) {
      cells[b] = (int) Math.min(size[b] / unit[cache[b]], MOST_CELLS + 1);
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

  private static int[][] arrays(List<List<Integer>> lists) {
    return lists.stream().map(KernelOps::array).toArray(int[][]::new);
  }

  private static int[] array(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The ops of each name, in the order of their first ones. O(ops). */
  public List<int[]> opsByName() {
    Map<String, List<Integer>> named = new LinkedHashMap<>();
    for (int v = 0; v < ops; v++) {
      named.computeIfAbsent(graph.nodes().get(node[v]).op(), name -> new ArrayList<>()).add(v);
    }
    return named.values().stream().map(KernelOps::array).toList();
  }

  /** All ops: those wanted one after another, each right after what has to run before it. */
  public int[] completed(IntStream wanted) {
    int[] order = new int[ops];
    boolean[] done = new boolean[ops];
    int[] count = {0};
    IntStream.concat(wanted, IntStream.range(0, ops))
        .forEach(v -> count[0] = visit(v, order, count[0], done));
    return order;
  }

  private int visit(int v, int[] order, int from, boolean[] done) {
    int count = from;
    if (!done[v]) {
      done[v] = true;
      for (int u : preds[v]) {
        count = visit(u, order, count, done);
      }
      order[count++] = v;
    }
    return count;
  }

  public boolean uses(int op, int buffer) {
    return Arrays.stream(uses[op]).anyMatch(b -> b == buffer);
  }

  /** Whether an edge leads from an op to another. */
  public boolean leads(int op, int to) {
    return Arrays.stream(preds[to]).anyMatch(before -> before == op);
  }

  /** The units of a cache that an op's operands take. */
  public long taken(int op, int in) {
    return Arrays.stream(uses[op]).filter(b -> cache[b] == in).mapToLong(b -> size[b]).sum();
  }

  /** The graph that was reduced. */
  public KernelGraph graph() {
    return graph;
  }

  /** The capacities. */
  public Caches limits() {
    return limits;
  }

  public String cacheName(int index) {
    return cacheNames.get(index);
  }

  /**
   * The first op whose operands do not fit into a cache together, or a buffer larger than its
   * cache, in words; null where every op fits.
   *
   * @throws InvalidNetworkException when a cache that could be full has more than 2^28 cells
   */
  public String misfit() {
    for (int c = 0; c < caches; c++) {
      long most = limits.units().getOrDefault(cacheNames.get(c), 0L);
      long all = 0;
      for (int b = 0; b < buffers; b++) {
        all += cache[b] == c ? size[b] : 0;
      }
      if (Math.min(most, all) / unit[c] > MOST_CELLS) {
        throw new InvalidNetworkException(
            "cache %s: its buffers have %s units together, and %s is the largest divisor of all"
                + " sizes; addresses need at most %s times the divisor, or a smaller --cache",
            cacheNames.get(c), all, unit[c], MOST_CELLS);
      }
    }
    for (int b = 0; b < buffers; b++) {
      if (cells[b] > capacity[cache[b]] && users[b].length == 0) {
        return "buffer " + graph.buffers().get(b).id() + " needs " + fault(cache[b], size[b]);
      }
    }
    long[] need = new long[caches];
    for (int v = 0; v < ops; v++) {
      Arrays.fill(need, 0);
      for (int b : uses[v]) {
        need[cache[b]] += cells[b];
      }
      for (int c = 0; c < caches; c++) {
        if (need[c] > capacity[c]) {
          return "node %s (%s) needs %s"
              .formatted(node[v], graph.nodes().get(node[v]).op(), fault(c, taken(v, c)));
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
    List<OrderProblem.Item> items = new ArrayList<>();
    for (int b = 0; b < buffers; b++) {
      if (users[b].length > 0) {
        items.add(new OrderProblem.Item(size[b], users[b], false, false));
      }
    }
    return OrderProblem.of(preds, items, List.of());
  }

  /** The largest buffer without users, which is there alone for a moment; 0 for none. */
  public long largestUnused() {
    return IntStream.range(0, buffers)
        .filter(b -> users[b].length == 0)
        .mapToLong(b -> size[b])
        .max()
        .orElse(0);
  }
}

package stowage.schedule.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.network.Network;

/**
 * PyTorch Inductor's execution orders for a lower peak.
 *
 * <p>Source: torch/_inductor/memory.py of PyTorch 2.14.1. All three keep every op after those it
 * reads from.
 *
 * <ul>
 *   <li><b>lpmf</b>, least peak memory first: among the ready ops the one with the least (its size
 *       if that exceeds the room below the peak so far, else 0; its size less what it frees; its
 *       index). It frees operands of which it is the last reader, graph outputs never, and its own
 *       results that no op reads. The peak starts at the larger of the inputs' and the outputs'
 *       bytes.
 *   <li><b>bfs</b>: the ready op whose predecessors ran earliest, comparing the sorted lists of
 *       their places, then by index.
 *   <li><b>dfs</b>: from the ops by (bytes made and read, index), each after what it reads from, in
 *       the same order.
 * </ul>
 *
 * {@link #reordered} keeps the first of given, lpmf, bfs and dfs with the least estimated peak, as
 * the original does. Scratch memory does not count there, nor here.
 *
 * <p>Example: x → a (10 bytes), x → b (1), a → c (1), b → d (10), (c, d) → y. lpmf runs b before a,
 * for b needs less and neither exceeds the room; bfs takes a, b, c, d.
 *
 * <p>O(ops · (log ops + sizes of results that are ready)) for lpmf, O(ops log ops) and the lists'
 * lengths for the others.
 */
public final class InductorOrders {
  private final OperandGraph graph;
  private final Set<String> outputs;

  /** Bytes of each op's results, and those of them that are neither read nor outputs. */
  private final long[] made;

  private final long[] unread;

  /** The tensors that each op reads, each once, numbered as they are first read. */
  private final int[][] reads;

  private final List<String> tensors = new ArrayList<>();

  /** By tensor: how many ops read it, and the bytes that its last reader frees. */
  private final int[] readers;

  private final long[] freed;

  InductorOrders(Network network) {
    this.graph = new OperandGraph(network);
    this.outputs = new HashSet<>(network.outputs());
    this.made = new long[graph.size()];
    this.unread = new long[graph.size()];
    this.reads = new int[graph.size()][];
    Map<String, Integer> numbers = new HashMap<>();
    for (int k = 0; k < graph.size(); k++) {
      made[k] = graph.made(k);
      for (String output : graph.op(k).presentOutputs()) {
        boolean stays = outputs.contains(output) || !graph.readers(output).isEmpty();
        unread[k] += stays ? 0 : graph.bytes(output);
      }
      Set<String> read = new LinkedHashSet<>(graph.op(k).presentInputs());
      read.stream().filter(input -> !numbers.containsKey(input)).forEach(tensors::add);
      reads[k] =
          read.stream().mapToInt(i -> numbers.computeIfAbsent(i, name -> numbers.size())).toArray();
    }
    this.readers = tensors.stream().mapToInt(name -> graph.readers(name).size()).toArray();
    this.freed =
        tensors.stream()
            .mapToLong(name -> outputs.contains(name) ? 0 : graph.bytes(name))
            .toArray();
  }

  /** Least peak memory first: indices of the ops in their new order. */
  public static int[] leastPeakMemoryFirst(Network network) {
    return new InductorOrders(network).lpmf();
  }

  /** Breadth first. */
  public static int[] breadthFirst(Network network) {
    return new InductorOrders(network).bfs();
  }

  /** Depth first. */
  public static int[] depthFirst(Network network) {
    return new InductorOrders(network).dfs();
  }

  /** The first of the given order and the three with the least estimated peak. */
  public static int[] reordered(Network network) {
    InductorOrders orders = new InductorOrders(network);
    return Stream.of(network.executionOrder(), orders.lpmf(), orders.bfs(), orders.dfs())
        .min(Comparator.comparingLong(orders::peak))
        .orElseThrow();
  }

  /** The estimated peak of an order, in bytes: live tensors at their own sizes, step by step. */
  long peak(int[] order) {
    int[] left = readers.clone();
    long live = sum(graph.network().inputs());
    long peak = live;
    for (int k : order) {
      peak = Math.max(peak, live + made[k]);
      live += made[k] - freed(k, left);
      for (int tensor : reads[k]) {
        left[tensor]--;
      }
    }
    return peak;
  }

  private long sum(List<String> names) {
    return names.stream().distinct().mapToLong(graph::bytes).sum();
  }

  /** What running an op now would free, given how many readers of each tensor are left. */
  private long freed(int k, int[] left) {
    long sum = unread[k];
    for (int tensor : reads[k]) {
      sum += left[tensor] == 1 ? freed[tensor] : 0;
    }
    return sum;
  }

  private int[] lpmf() {
    int[] open = graph.openCounts();
    int[] left = readers.clone();
    long live = sum(graph.network().inputs());
    long peak = Math.max(live, sum(graph.network().outputs()));
    int[] order = new int[graph.size()];
    boolean[] done = new boolean[order.length];
    long[] gain = new long[order.length];
    Arrays.setAll(gain, k -> made[k] - freed(k, left));
    Comparator<Integer> byGain =
        Comparator.<Integer>comparingLong(k -> gain[k]).thenComparing(Comparator.naturalOrder());
    TreeMap<Long, TreeSet<Integer>> ready = new TreeMap<>(); // by the bytes that they make
    for (int k : ready(open)) {
      ready.computeIfAbsent(made[k], size -> new TreeSet<>(byGain)).add(k);
    }
    for (int step = 0; step < order.length; step++) {
      long room = Math.max(peak - live, ready.firstKey()); // where none fits, the smallest run
      int chosen =
          ready.headMap(room, true).values().stream().map(TreeSet::first).min(byGain).orElseThrow();
      TreeSet<Integer> same = ready.get(made[chosen]);
      same.remove(chosen);
      if (same.isEmpty()) {
        ready.remove(made[chosen]);
      }
      order[step] = chosen;
      done[chosen] = true;
      peak = Math.max(peak, live + made[chosen]);
      live += gain[chosen];
      for (int tensor : reads[chosen]) {
        if (--left[tensor] == 1 && freed[tensor] > 0) {
          Set<Integer> all = graph.readers(tensors.get(tensor));
          int last = all.stream().filter(k -> !done[k]).findFirst().orElseThrow();
          TreeSet<Integer> at = ready.get(made[last]);
          boolean waits = at != null && at.remove(last);
          gain[last] -= freed[tensor];
          if (waits) {
            at.add(last);
          }
        }
      }
      for (int next : graph.users(chosen)) {
        if (--open[next] == 0) {
          ready.computeIfAbsent(made[next], size -> new TreeSet<>(byGain)).add(next);
        }
      }
    }
    return order;
  }

  private static TreeSet<Integer> ready(int[] open) {
    return IntStream.range(0, open.length)
        .filter(k -> open[k] == 0)
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private int[] bfs() {
    int[] open = graph.openCounts();
    int[] place = new int[graph.size()];
    int[][] keys = new int[graph.size()][];
    PriorityQueue<Integer> ready =
        new PriorityQueue<>(
            Comparator.<Integer, int[]>comparing(k -> keys[k], Arrays::compare)
                .thenComparing(Comparator.naturalOrder()));
    for (int k : ready(open)) {
      keys[k] = new int[0];
      ready.add(k);
    }
    int[] order = new int[graph.size()];
    for (int step = 0; step < order.length; step++) {
      int chosen = ready.remove();
      order[step] = chosen;
      place[chosen] = step;
      for (int next : graph.users(chosen)) {
        if (--open[next] == 0) {
          keys[next] = graph.producers(next).stream().mapToInt(p -> place[p]).sorted().toArray();
          ready.add(next);
        }
      }
    }
    return order;
  }

  private int[] dfs() {
    long[] weight = new long[graph.size()];
    Arrays.setAll(weight, k -> made[k] + sum(graph.op(k).presentInputs()));
    Comparator<Integer> lightest =
        Comparator.comparingLong((Integer k) -> weight[k]).thenComparing(Comparator.naturalOrder());
    return OperandGraph.postOrder(
        weight.length,
        IntStream.range(0, weight.length).boxed().sorted(lightest).toList(),
        k -> graph.producers(k).stream().sorted(lightest).toList());
  }
}

package stowage.compiler.inductor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

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
 * <p>O(ops · ready) for lpmf, O(ops log ops) and the lists' lengths for the others.
 */
public final class InductorSchedules {
  private final Network network;
  private final List<Op> ops;
  private final List<Set<Integer>> predecessors = new ArrayList<>();
  private final List<Set<Integer>> successors = new ArrayList<>();
  private final Map<String, Set<Integer>> readers = new HashMap<>();
  private final Set<String> outputs;

  private InductorSchedules(Network network) {
    this.network = network;
    this.ops = network.ops();
    this.outputs = new HashSet<>(network.outputs());
    for (int k = 0; k < ops.size(); k++) {
      predecessors.add(new TreeSet<>());
      successors.add(new TreeSet<>());
    }
    for (int k = 0; k < ops.size(); k++) {
      for (String input : ops.get(k).presentInputs()) {
        if (!network.tensor(input).isWeight()) {
          readers.computeIfAbsent(input, name -> new TreeSet<>()).add(k);
        }
        int from = network.producer(input);
        if (from >= 0) {
          predecessors.get(k).add(from);
          successors.get(from).add(k);
        }
      }
    }
  }

  /** Least peak memory first: indices of the ops in their new order. */
  public static int[] leastPeakMemoryFirst(Network network) {
    return new InductorSchedules(network).lpmf();
  }

  /** Breadth first. */
  public static int[] breadthFirst(Network network) {
    return new InductorSchedules(network).bfs();
  }

  /** Depth first. */
  public static int[] depthFirst(Network network) {
    return new InductorSchedules(network).dfs();
  }

  /** The first of the given order and the three with the least estimated peak. */
  public static int[] reordered(Network network) {
    InductorSchedules schedules = new InductorSchedules(network);
    int[] best = null;
    long least = Long.MAX_VALUE;
    for (int[] order :
        List.of(network.executionOrder(), schedules.lpmf(), schedules.bfs(), schedules.dfs())) {
      long peak = schedules.peak(order);
      if (peak < least) {
        least = peak;
        best = order;
      }
    }
    return best;
  }

  /** The estimated peak of an order, in bytes: live tensors at their own sizes, step by step. */
  public static long estimatedPeak(Network network, int[] order) {
    return new InductorSchedules(network).peak(order);
  }

  private long peak(int[] order) {
    Map<String, Integer> readSoFar = new HashMap<>();
    long live = inputBytes();
    long peak = live;
    for (int k : order) {
      live += made(k);
      peak = Math.max(peak, live);
      live -= freed(k, readSoFar);
      read(k, readSoFar);
    }
    return peak;
  }

  private long inputBytes() {
    return network.inputs().stream().distinct().mapToLong(this::bytes).sum();
  }

  private long bytes(String tensor) {
    Tensor found = network.tensor(tensor);
    return found.isWeight() ? 0 : found.bytes();
  }

  private long made(int k) {
    return ops.get(k).presentOutputs().stream().mapToLong(this::bytes).sum();
  }

  /** What running an op now would free, given how many readers of each tensor have run. */
  private long freed(int k, Map<String, Integer> readSoFar) {
    long freed = 0;
    for (String input : new HashSet<>(ops.get(k).presentInputs())) {
      int all = readers.getOrDefault(input, Set.of()).size();
      if (!outputs.contains(input) && all - readSoFar.getOrDefault(input, 0) == 1) {
        freed += bytes(input);
      }
    }
    for (String output : ops.get(k).presentOutputs()) {
      if (!outputs.contains(output) && !readers.containsKey(output)) {
        freed += bytes(output);
      }
    }
    return freed;
  }

  private void read(int k, Map<String, Integer> readSoFar) {
    for (String input : new HashSet<>(ops.get(k).presentInputs())) {
      readSoFar.merge(input, 1, Integer::sum);
    }
  }

  private int[] lpmf() {
    int[] open = openCounts();
    TreeSet<Integer> ready = ready(open);
    Map<String, Integer> readSoFar = new HashMap<>();
    long live = inputBytes();
    long peak = Math.max(live, network.outputs().stream().distinct().mapToLong(this::bytes).sum());
    int[] order = new int[ops.size()];
    for (int step = 0; step < order.length; step++) {
      long room = peak - live;
      int chosen = -1;
      long leastExcess = 0;
      long leastGain = 0;
      for (int k : ready) {
        long size = made(k);
        long excess = size > room ? size : 0;
        long gain = size - freed(k, readSoFar);
        if (chosen < 0 || excess < leastExcess || (excess == leastExcess && gain < leastGain)) {
          chosen = k;
          leastExcess = excess;
          leastGain = gain;
        }
      }
      ready.remove(chosen);
      order[step] = chosen;
      live += made(chosen);
      peak = Math.max(peak, live);
      live -= freed(chosen, readSoFar);
      read(chosen, readSoFar);
      for (int next : successors.get(chosen)) {
        if (--open[next] == 0) {
          ready.add(next);
        }
      }
    }
    return order;
  }

  private int[] openCounts() {
    return predecessors.stream().mapToInt(Set::size).toArray();
  }

  private static TreeSet<Integer> ready(int[] open) {
    TreeSet<Integer> ready = new TreeSet<>();
    for (int k = 0; k < open.length; k++) {
      if (open[k] == 0) {
        ready.add(k);
      }
    }
    return ready;
  }

  private int[] bfs() {
    int[] open = openCounts();
    int[] place = new int[ops.size()];
    int[][] keys = new int[ops.size()][];
    PriorityQueue<Integer> ready =
        new PriorityQueue<>(
            Comparator.<Integer, int[]>comparing(k -> keys[k], Arrays::compare)
                .thenComparing(Comparator.naturalOrder()));
    for (int k : ready(open)) {
      keys[k] = new int[0];
      ready.add(k);
    }
    int[] order = new int[ops.size()];
    for (int step = 0; step < order.length; step++) {
      int chosen = ready.remove();
      order[step] = chosen;
      place[chosen] = step;
      for (int next : successors.get(chosen)) {
        if (--open[next] == 0) {
          keys[next] = predecessors.get(next).stream().mapToInt(p -> place[p]).sorted().toArray();
          ready.add(next);
        }
      }
    }
    return order;
  }

  private int[] dfs() {
    long[] weight = new long[ops.size()];
    for (int k = 0; k < weight.length; k++) {
      weight[k] =
          made(k) + ops.get(k).presentInputs().stream().distinct().mapToLong(this::bytes).sum();
    }
    Comparator<Integer> lightest =
        Comparator.comparingLong((Integer k) -> weight[k]).thenComparing(Comparator.naturalOrder());
    Integer[] all = new Integer[ops.size()];
    Arrays.setAll(all, k -> k);
    Arrays.sort(all, lightest);
    List<Integer> order = new ArrayList<>();
    boolean[] done = new boolean[ops.size()];
    // A stack instead of recursion, for deep networks.
    for (int root : all) {
      List<Integer> stack = new ArrayList<>(List.of(root));
      while (!stack.isEmpty()) {
        int k = stack.get(stack.size() - 1);
        if (done[k]) {
          stack.remove(stack.size() - 1);
          continue;
        }
        int before = -1;
        for (int p : predecessors.get(k)) {
          if (!done[p] && (before < 0 || lightest.compare(p, before) < 0)) {
            before = p;
          }
        }
        if (before >= 0) {
          stack.add(before);
        } else {
          done[k] = true;
          order.add(k);
          stack.remove(stack.size() - 1);
        }
      }
    }
    return order.stream().mapToInt(Integer::intValue).toArray();
  }
}

package stowage.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.generator.kernel.KernelSketch;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.kernel.spill.ExactSpillSearch;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/** Small random kernels over one cache or two, some buffers written again in place. */
public final class RandomKernels {
  private RandomKernels() {}

  /** A random kernel of so many results. */
  public static KernelGraph graph(SplittableRandom random, int results, int caches) {
    KernelSketch draft = new KernelSketch();
    for (int b = 0; b < results; b++) {
      Set<Integer> sources = new TreeSet<>();
      for (int s = b == 0 ? 0 : random.nextInt(Math.min(3, b + 1)); s > 0; s--) {
        sources.add(random.nextInt(b));
      }
      draft.buffer(random.nextInt(caches) == 0 ? "UB" : "L1", 1 + random.nextInt(4));
      int[] read = sources.stream().mapToInt(Integer::intValue).toArray();
      op(draft, random, read.length == 0 ? "COPY_IN" : "ADD", b, read);
      if (random.nextInt(4) == 0) {
        op(draft, random, "EXP", b); // written again in place
      }
    }
    return draft.graph();
  }

  private static void op(
      KernelSketch draft, SplittableRandom random, String name, int written, int... read) {
    String pipe = name.equals("COPY_IN") ? "MTE2" : random.nextBoolean() ? "VECTOR" : "CUBE";
    draft.op(name, pipe, 10 + random.nextInt(50), written, read);
  }

  /** Capacities at which each op just fits, and so many units more. */
  public static Caches tight(KernelGraph graph, long more) {
    Map<String, Long> units = new HashMap<>();
    for (String name : List.of("UB", "L1")) {
      long most = 1;
      for (KernelNode node : graph.nodes()) {
        long sum = 0;
        for (int b : node.uses()) {
          KernelBuffer buffer = graph.buffers().get(b);
          sum += buffer.cache().equals(name) ? buffer.size() : 0;
        }
        most = Math.max(most, sum);
      }
      units.put(name, most + more);
    }
    return Caches.DEFAULT.with(units);
  }

  /** A random kernel in caches that hold fewer than so many units more than each op needs. */
  public static KernelOps tight(SplittableRandom random, int results, int caches, int more) {
    KernelGraph graph = graph(random, results, caches);
    return KernelOps.of(graph, tight(graph, more == 1 ? 0 : random.nextInt(more)));
  }

  /** The least volume spilled in any order, as far as so many states tell. */
  public static ExactSpillSearch.Answer leastTraffic(KernelOps graph, int mostStates) {
    return ExactSpillSearch.search(graph, false, Long.MAX_VALUE, mostStates, () -> false);
  }

  /** All orders of the ops that respect the edges, up to a number. */
  public static List<int[]> orders(KernelOps graph, int most) {
    List<int[]> all = new ArrayList<>();
    extend(graph, new int[graph.ops], 0, new boolean[graph.ops], all, most);
    return all;
  }

  private static void extend(
      KernelOps graph, int[] order, int at, boolean[] done, List<int[]> all, int most) {
    if (all.size() > most) {
      return;
    }
    if (at == graph.ops) {
      all.add(order.clone());
      return;
    }
    for (int v = 0; v < graph.ops; v++) {
      if (isReady(graph, v, done)) {
        done[v] = true;
        order[at] = v;
        extend(graph, order, at + 1, done, all, most);
        done[v] = false;
      }
    }
  }

  /** A random order of the ops that respects the edges. */
  public static int[] order(KernelOps graph, SplittableRandom random) {
    boolean[] done = new boolean[graph.ops];
    int[] order = new int[graph.ops];
    for (int at = 0; at < graph.ops; at++) {
      int[] ready = IntStream.range(0, graph.ops).filter(v -> isReady(graph, v, done)).toArray();
      order[at] = ready[random.nextInt(ready.length)];
      done[order[at]] = true;
    }
    return order;
  }

  /** Whether an order names every op once and respects the edges. */
  public static boolean isOrder(KernelOps graph, int[] order) {
    boolean[] done = new boolean[graph.ops];
    for (int v : order) {
      if (!isReady(graph, v, done)) {
        return false;
      }
      done[v] = true;
    }
    return order.length == graph.ops;
  }

  /** Whether an op has not run, and all before it have. */
  static boolean isReady(KernelOps graph, int v, boolean[] done) {
    return !done[v] && Arrays.stream(graph.preds[v]).allMatch(u -> done[u]);
  }
}

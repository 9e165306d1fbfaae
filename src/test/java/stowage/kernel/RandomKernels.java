package stowage.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/** Small random kernels over one cache or two, some buffers written again in place. */
public final class RandomKernels {
  private RandomKernels() {}

  /** A random kernel of so many results. */
  public static KernelGraph graph(SplittableRandom random, int results, int caches) {
    List<String> names = List.of("UB", "L1").subList(0, caches);
    List<List<Integer>> uses = new ArrayList<>();
    List<Integer> size = new ArrayList<>();
    List<Integer> cache = new ArrayList<>();
    List<Boolean> backed = new ArrayList<>();
    List<int[]> edges = new ArrayList<>();
    List<Integer> lastWriter = new ArrayList<>();
    List<String> ops = new ArrayList<>();
    for (int b = 0; b < results; b++) {
      int sources = b == 0 ? 0 : random.nextInt(Math.min(3, b + 1));
      List<Integer> used = new ArrayList<>(List.of(b));
      int op = uses.size();
      for (int s = 0; s < sources; s++) {
        int source = random.nextInt(b);
        if (!used.contains(source)) {
          used.add(source);
          edges.add(new int[] {lastWriter.get(source), op});
        }
      }
      uses.add(used);
      ops.add(used.size() == 1 ? "COPY_IN" : "ADD");
      size.add(1 + random.nextInt(4));
      cache.add(random.nextInt(caches));
      backed.add(used.size() == 1);
      lastWriter.add(op);
      if (random.nextInt(4) == 0) { // written again in place
        edges.add(new int[] {op, uses.size()});
        lastWriter.set(b, uses.size());
        uses.add(new ArrayList<>(List.of(b)));
        ops.add("EXP");
      }
    }
    int count = uses.size();
    List<KernelNode> nodes = new ArrayList<>();
    for (int v = 0; v < count; v++) {
      String pipe =
          ops.get(v).equals("COPY_IN") ? "MTE2" : random.nextBoolean() ? "VECTOR" : "CUBE";
      nodes.add(
          new KernelNode(
              KernelNode.Kind.OPERATION,
              ops.get(v),
              -1,
              pipe,
              10 + random.nextInt(50),
              uses.get(v)));
    }
    List<KernelBuffer> buffers = new ArrayList<>();
    for (int b = 0; b < results; b++) {
      int alloc = nodes.size();
      nodes.add(new KernelNode(KernelNode.Kind.ALLOC, "ALLOC", b, null, 0, List.of()));
      nodes.add(new KernelNode(KernelNode.Kind.FREE, "FREE", b, null, 0, List.of()));
      buffers.add(
          new KernelBuffer(
              100 + b, size.get(b), names.get(cache.get(b)), alloc, alloc + 1, backed.get(b)));
      for (int v = 0; v < count; v++) {
        if (uses.get(v).contains(b)) {
          edges.add(new int[] {alloc, v});
          edges.add(new int[] {v, alloc + 1});
        }
      }
    }
    return new KernelGraph(
        nodes,
        buffers,
        edges.stream().mapToInt(edge -> edge[0]).toArray(),
        edges.stream().mapToInt(edge -> edge[1]).toArray());
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
    boolean ready = !done[v];
    for (int k = graph.predAt[v]; ready && k < graph.predAt[v + 1]; k++) {
      ready = done[graph.pred[k]];
    }
    return ready;
  }
}

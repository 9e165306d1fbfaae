package stowage.kernel.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;
import stowage.packing.IndexOrder;

/**
 * A kernel in which ops that feed one other op run as part of it: the moves of a product's blocks
 * into the caches of a matrix unit run with the product. A third of the ops is left of a blocked
 * product, so orders are searched faster.
 *
 * <p>An op is merged if it has one op before it and one after, and the operands of all ops that run
 * as one fit into each cache together. A cache in which no buffer outlasts an op then is left out,
 * since nothing is spilled there. An order of the merged kernel is an order of the kernel, with as
 * much traffic at most where caches are judged by volume.
 */
public final class MergedKernel {
  private final KernelOps graph;
  private final KernelOps ops;
  private final int[] kept;

  /** Merges feeders (see {@link AnchorGreedy}) with the ops that they feed. */
  public MergedKernel(KernelOps graph) {
    this(graph, new AnchorGreedy(graph).feeders());
  }

  public static MergedKernel none(KernelOps graph) {
    return new MergedKernel(graph, new boolean[graph.ops]);
  }

  private MergedKernel(KernelOps graph, boolean[] feeder) {
    this.graph = graph;
    int[] into = new int[graph.ops];
    List<Set<Integer>> operands = new ArrayList<>();
    for (int[] uses : graph.uses) {
      operands.add(Arrays.stream(uses).boxed().collect(Collectors.toSet()));
    }
    for (int v = graph.ops - 1; v >= 0; v--) {
      into[v] = v;
      if (feeder[v] && graph.preds[v].length == 1 && graph.succs[v].length == 1) {
        int with = into[graph.succs[v][0]];
        Set<Integer> both = new HashSet<>(operands.get(with));
        both.addAll(operands.get(v));
        if (fits(both)) {
          into[v] = with;
          operands.set(with, both);
        }
      }
    }
    kept = IntStream.range(0, graph.ops).filter(v -> into[v] == v).toArray();
    int[] only = new int[graph.buffers];
    boolean[] lasting = new boolean[graph.caches];
    Arrays.fill(only, -1);
    for (int v = 0; v < graph.ops; v++) {
      for (int b : graph.uses[v]) {
        lasting[graph.cache[b]] |= only[b] >= 0 && only[b] != into[v];
        only[b] = into[v];
      }
    }
    ops = merged(into, b -> lasting[graph.cache[b]]);
  }

  /**
   * The kernel of the ops that are left, in their order, with the buffers and the edges of those
   * that run as part of them.
   *
   * @param into by op, the op that it is part of, or itself
   */
  private KernelOps merged(int[] into, IntPredicate counts) {
    KernelGraph whole = graph.graph();
    int[] buffer = new int[graph.buffers];
    Arrays.fill(buffer, -1);
    List<KernelNode> nodes = new ArrayList<>();
    List<KernelBuffer> buffers = new ArrayList<>();
    int[] id = new int[whole.nodes().size()];
    Arrays.fill(id, -1);
    List<Set<Integer>> uses = new ArrayList<>();
    IntStream.range(0, graph.ops).forEach(v -> uses.add(new LinkedHashSet<>()));
    for (int v = 0; v < graph.ops; v++) {
      for (int b : graph.uses[v]) {
        if (!counts.test(b)) {
          continue;
        }
        if (buffer[b] < 0) {
          buffer[b] = buffers.size();
          KernelBuffer old = whole.buffers().get(b);
          int alloc = nodes.size();
          id[old.alloc()] = alloc;
          id[old.free()] = alloc + 1;
          nodes.add(node(KernelNode.Kind.ALLOC, buffer[b]));
          nodes.add(node(KernelNode.Kind.FREE, buffer[b]));
          buffers.add(
              new KernelBuffer(old.id(), old.size(), old.cache(), alloc, alloc + 1, old.backed()));
        }
        uses.get(into[v]).add(buffer[b]);
      }
    }
    for (int v : kept) {
      KernelNode old = whole.nodes().get(graph.node[v]);
      id[graph.node[v]] = nodes.size();
      nodes.add(
          new KernelNode(
              old.kind(), old.op(), -1, old.pipe(), old.cycles(), List.copyOf(uses.get(v))));
    }
    for (int v = 0; v < graph.ops; v++) {
      id[graph.node[v]] = id[graph.node[into[v]]];
    }
    int[] edges =
        IntStream.range(0, whole.edges())
            .filter(e -> id[whole.from(e)] >= 0 && id[whole.to(e)] >= 0)
            .filter(e -> id[whole.from(e)] != id[whole.to(e)])
            .toArray();
    return KernelOps.of(
        new KernelGraph(
            nodes,
            buffers,
            Arrays.stream(edges).map(e -> id[whole.from(e)]).toArray(),
            Arrays.stream(edges).map(e -> id[whole.to(e)]).toArray()),
        graph.limits());
  }

  private static KernelNode node(KernelNode.Kind kind, int buffer) {
    return new KernelNode(kind, kind.name(), buffer, null, 0, List.of());
  }

  private boolean fits(Set<Integer> operands) {
    long[] cells = new long[graph.caches];
    operands.forEach(b -> cells[graph.cache[b]] += graph.cells[b]);
    return IntStream.range(0, graph.caches).allMatch(c -> cells[c] <= graph.capacity[c]);
  }

  public KernelOps ops() {
    return ops;
  }

  /** An order of the kernel's ops from one of the merged kernel's. O(ops) */
  public int[] whole(int[] order) {
    return graph.completed(Arrays.stream(order).map(k -> kept[k]));
  }

  /** The order of the merged kernel's ops in an order of all. */
  public int[] of(int[] order) {
    int[] index = IndexOrder.places(kept, graph.ops);
    return Arrays.stream(order).map(v -> index[v]).filter(k -> k >= 0).toArray();
  }
}

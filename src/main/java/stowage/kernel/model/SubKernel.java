package stowage.kernel.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/**
 * A part of a kernel: some ops with all that run before them, and the buffers that they use.
 *
 * <p>Its least traffic is at most the kernel's. Proof: take a plan of the kernel and drop the other
 * ops. What is left is an order of the part, since with each op all ops before it are in the part.
 * Each buffer is needed from its first user in the part to its last one, within the time it was
 * needed before; its spills in that time remain, at the same price, and the others are dropped. So
 * nothing is resident that was not, and no spill is new.
 */
public final class SubKernel {
  private SubKernel() {}

  /** An op and all ops that have to run before it. */
  public static BitSet closure(KernelOps graph, int op) {
    BitSet part = new BitSet(graph.ops);
    part.set(op);
    close(graph, part);
    return part;
  }

  /** Adds all ops that have to run before ops of a set. */
  public static void close(KernelOps graph, BitSet part) {
    for (int v = part.length() - 1; v >= 0; v = part.previousSetBit(v - 1)) {
      for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) { // these are before v
        part.set(graph.pred[k]);
      }
    }
  }

  /** The part of a kernel made of some ops, with each all that have to run before it. */
  public static KernelOps of(KernelOps graph, BitSet part) {
    int[] into = new int[graph.ops];
    Arrays.setAll(into, v -> part.get(v) ? v : -1);
    return of(graph, into, b -> true);
  }

  /**
   * A kernel whose ops each run as part of another or alone; the ops that are left keep their
   * order, and have the buffers and the edges of those that they take in.
   *
   * @param into by op, the op that it is part of, itself, or -1 where it is left out
   * @param counts which buffers are kept
   */
  public static KernelOps of(KernelOps graph, int[] into, IntPredicate counts) {
    KernelGraph whole = graph.graph();
    int[] buffer = new int[graph.buffers];
    Arrays.fill(buffer, -1);
    List<KernelNode> nodes = new ArrayList<>();
    List<KernelBuffer> buffers = new ArrayList<>();
    int[] id = new int[whole.nodes().size()];
    Arrays.fill(id, -1);
    List<Set<Integer>> uses = new ArrayList<>();
    for (int v = 0; v < graph.ops; v++) {
      uses.add(new LinkedHashSet<>());
    }
    for (int v = 0; v < graph.ops; v++) {
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1] && into[v] >= 0; k++) {
        int b = graph.use[k];
        if (!counts.test(b)) {
          continue;
        }
        if (buffer[b] < 0) {
          buffer[b] = buffers.size();
          KernelBuffer old = whole.buffers().get(b);
          id[old.alloc()] = nodes.size();
          id[old.free()] = nodes.size() + 1;
          nodes.add(node(KernelNode.Kind.ALLOC, buffer[b]));
          nodes.add(node(KernelNode.Kind.FREE, buffer[b]));
          buffers.add(
              new KernelBuffer(
                  old.id(),
                  old.size(),
                  old.cache(),
                  id[old.alloc()],
                  id[old.free()],
                  old.backed()));
        }
        uses.get(into[v]).add(buffer[b]);
      }
    }
    for (int v = 0; v < graph.ops; v++) {
      if (into[v] == v) {
        KernelNode old = whole.nodes().get(graph.node[v]);
        id[graph.node[v]] = nodes.size();
        nodes.add(
            new KernelNode(
                old.kind(), old.op(), -1, old.pipe(), old.cycles(), List.copyOf(uses.get(v))));
      }
    }
    for (int v = 0; v < graph.ops; v++) {
      id[graph.node[v]] = into[v] < 0 ? -1 : id[graph.node[into[v]]];
    }
    int[] from = new int[whole.edges()];
    int[] to = new int[whole.edges()];
    int edges = 0;
    for (int e = 0; e < whole.edges(); e++) {
      int one = id[whole.from(e)];
      int other = id[whole.to(e)];
      if (one >= 0 && other >= 0 && one != other) {
        from[edges] = one;
        to[edges++] = other;
      }
    }
    return KernelOps.of(
        new KernelGraph(nodes, buffers, Arrays.copyOf(from, edges), Arrays.copyOf(to, edges)),
        graph.limits());
  }

  private static KernelNode node(KernelNode.Kind kind, int buffer) {
    return new KernelNode(kind, kind.name(), buffer, null, 0, List.of());
  }
}

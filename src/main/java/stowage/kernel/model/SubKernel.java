package stowage.kernel.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
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
    KernelGraph whole = graph.graph();
    int[] buffer = new int[graph.buffers];
    Arrays.fill(buffer, -1);
    List<KernelNode> nodes = new ArrayList<>();
    List<KernelBuffer> buffers = new ArrayList<>();
    int[] id = new int[whole.nodes().size()];
    Arrays.fill(id, -1);
    for (int v = part.nextSetBit(0); v >= 0; v = part.nextSetBit(v + 1)) {
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
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
      }
    }
    for (int v = part.nextSetBit(0); v >= 0; v = part.nextSetBit(v + 1)) {
      KernelNode old = whole.nodes().get(graph.node[v]);
      id[graph.node[v]] = nodes.size();
      nodes.add(
          new KernelNode(
              old.kind(),
              old.op(),
              -1,
              old.pipe(),
              old.cycles(),
              old.uses().stream().map(b -> buffer[b]).toList()));
    }
    int[] from = new int[whole.edges()];
    int[] to = new int[whole.edges()];
    int edges = 0;
    for (int e = 0; e < whole.edges(); e++) {
      if (id[whole.from(e)] >= 0 && id[whole.to(e)] >= 0) {
        from[edges] = id[whole.from(e)];
        to[edges++] = id[whole.to(e)];
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

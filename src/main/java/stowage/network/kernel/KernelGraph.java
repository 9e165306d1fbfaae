package stowage.network.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import stowage.network.InvalidNetworkException;
import stowage.network.TopologicalOrder;

/**
 * A kernel of a neural processor as a graph: operations that run on pipes, ALLOC and FREE nodes
 * that begin and end buffers in caches, and edges for what has to run before what. Node ids are
 * positions in {@link #nodes()}; buffers are known by their position in {@link #buffers()}.
 *
 * <p>It is acyclic; each buffer has one ALLOC without predecessors, one FREE without successors.
 *
 * @param nodes by id
 * @param buffers in any order; nodes refer to them by position
 * @param from the sources of the edges, as node ids
 * @param to their targets
 */
public record KernelGraph(
    List<KernelNode> nodes, List<KernelBuffer> buffers, int[] from, int[] to) {

  /** Refuses an edge that closes a cycle, begins at FREE, ends at ALLOC or joins two buffers. */
  public KernelGraph {
    nodes = List.copyOf(nodes);
    buffers = List.copyOf(buffers);
    from = from.clone();
    to = to.clone();
    for (int k = 0; k < from.length; k++) {
      if (nodes.get(from[k]).kind() == KernelNode.Kind.FREE) {
        throw new InvalidNetworkException(
            "edge " + from[k] + " -> " + to[k] + " begins at a FREE; nothing follows a FREE");
      }
      if (nodes.get(to[k]).kind() == KernelNode.Kind.ALLOC) {
        throw new InvalidNetworkException(
            "edge " + from[k] + " -> " + to[k] + " ends at an ALLOC; nothing precedes an ALLOC");
      }
      int begun = nodes.get(from[k]).buffer();
      int ended = nodes.get(to[k]).buffer();
      if (begun >= 0 && ended >= 0 && begun != ended) {
        throw new InvalidNetworkException(
            "edge %s -> %s joins an ALLOC and the FREE of another buffer; only operations follow an"
                + " ALLOC and precede another buffer's FREE",
            from[k], to[k]);
      }
    }
    List<List<Integer>> needed =
        Stream.<List<Integer>>generate(ArrayList::new).limit(nodes.size()).toList();
    for (int k = 0; k < from.length; k++) {
      needed.get(to[k]).add(from[k]);
    }
    int ordered = TopologicalOrder.of(needed).length;
    if (ordered < nodes.size()) {
      int first = TopologicalOrder.ofAll(needed)[ordered];
      throw new InvalidNetworkException(
          "node " + first + " is on a cycle of edges or depends on one; a kernel has no cycles");
    }
  }

  public int edges() {
    return from.length;
  }

  /** The node an edge begins at. */
  public int from(int edge) {
    return from[edge];
  }

  /** The node an edge ends at. */
  public int to(int edge) {
    return to[edge];
  }
}

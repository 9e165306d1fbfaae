package stowage.network.kernel;

import java.util.ArrayList;
import java.util.List;
import stowage.network.InvalidNetworkException;
import stowage.network.TopologicalOrder;

/**
 * A kernel of a neural processor as a graph: operations that run on pipes, ALLOC and FREE nodes
 * that begin and end buffers in caches, and edges for what has to run before what. Node ids are
 * positions in {@link #nodes()}; buffers are known by their position in {@link #buffers()}.
 *
 * <p>It is acyclic; each buffer has one ALLOC without predecessors, one FREE without successors.
 */
public final class KernelGraph {
  private final List<KernelNode> nodes;
  private final List<KernelBuffer> buffers;
  private final int[] from;
  private final int[] to;

  /**
   * @param nodes by id
   * @param buffers in any order; nodes refer to them by position
   * @param from the sources of the edges, as node ids
   * @param to their targets
   * @throws InvalidNetworkException on an edge that closes a cycle, begins at FREE or ends at ALLOC
   */
  public KernelGraph(List<KernelNode> nodes, List<KernelBuffer> buffers, int[] from, int[] to) {
    this.nodes = List.copyOf(nodes);
    this.buffers = List.copyOf(buffers);
    this.from = from.clone();
    this.to = to.clone();
    for (int k = 0; k < from.length; k++) {
      if (nodes.get(from[k]).kind() == KernelNode.Kind.FREE) {
        throw new InvalidNetworkException(
            "edge " + from[k] + " -> " + to[k] + " begins at a FREE; nothing follows a FREE");
      }
      if (nodes.get(to[k]).kind() == KernelNode.Kind.ALLOC) {
        throw new InvalidNetworkException(
            "edge " + from[k] + " -> " + to[k] + " ends at an ALLOC; nothing precedes an ALLOC");
      }
    }
    checkAcyclic();
  }

  private void checkAcyclic() {
    List<List<Integer>> needed = new ArrayList<>();
    nodes.forEach(node -> needed.add(new ArrayList<>()));
    for (int k = 0; k < from.length; k++) {
      needed.get(to[k]).add(from[k]);
    }
    int ordered = TopologicalOrder.of(needed).length;
    if (ordered < nodes.size()) {
      int first = TopologicalOrder.ofAll(needed)[ordered];
      throw new InvalidNetworkException(
          "node " + first + " is on a cycle of edges or behind one; a kernel has no cycles");
    }
  }

  /** The nodes; a node's id is its position. */
  public List<KernelNode> nodes() {
    return nodes;
  }

  /** The buffers. */
  public List<KernelBuffer> buffers() {
    return buffers;
  }

  /** How many edges there are. */
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

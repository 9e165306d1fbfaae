package stowage.network.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.network.InvalidNetworkException;

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
    int count = nodes.size();
    int[] waiting = new int[count];
    int[] first = new int[count + 1];
    for (int k = 0; k < from.length; k++) {
      waiting[to[k]]++;
      first[from[k] + 1]++;
    }
    for (int v = 0; v < count; v++) {
      first[v + 1] += first[v];
    }
    int[] following = new int[from.length];
    int[] at = Arrays.copyOf(first, count);
    for (int k = 0; k < from.length; k++) {
      following[at[from[k]]++] = to[k];
    }
    List<Integer> ready =
        new ArrayList<>(IntStream.range(0, count).filter(v -> waiting[v] == 0).boxed().toList());
    for (int k = 0; k < ready.size(); k++) {
      int v = ready.get(k);
      for (int e = first[v]; e < first[v + 1]; e++) {
        if (--waiting[following[e]] == 0) {
          ready.add(following[e]);
        }
      }
    }
    for (int v = 0; ready.size() < count && v < count; v++) {
      if (waiting[v] > 0) {
        throw new InvalidNetworkException(
            "node " + v + " is on a cycle of edges or behind one; a kernel has no cycles");
      }
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

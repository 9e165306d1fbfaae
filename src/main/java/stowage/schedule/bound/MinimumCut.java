package stowage.schedule.bound;

import java.util.Arrays;
import java.util.List;

/**
 * Minimum cuts of a network whose nodes can be forced to the source's or the sink's side: forced
 * nodes are as many sources and sinks. The maximum flow is found by Dinic's method (Dinitz 1970;
 * its history: doi 10.1007/11685654_10), O(nodes² · edges) at worst, near linear on networks of
 * orders. A flow stays when more nodes are forced. Not thread-safe.
 */
public final class MinimumCut {
  /** A capacity that no cut of interest contains; a flow of as much says that there is no cut. */
  public static final long UNLIMITED = Long.MAX_VALUE / 8;

  /** Where a node is to be. */
  public enum Side {
    /** Wherever it costs least. */
    FREE,
    /** With the sources. */
    SOURCE,
    /** With the sinks. */
    SINK
  }

  /** An arc with its capacity. */
  public record Arc(int from, int to, long limit) {
    /** An arc that no cut contains. */
    public static Arc unlimited(int from, int to) {
      return new Arc(from, to, UNLIMITED);
    }
  }

  // The edges from node v are firstEdge[v] to firstEdge[v + 1] - 1, arcs and arcs backwards.
  final int[] firstEdge;
  final int[] target;
  final long[] capacity;
  final long[] room;
  final Side[] side;
  private final int[] back;
  private final int[] edgeOf;
  private final int[] level;
  private final int[] next;
  private final int[] queue;
  private final int[] path;
  private long flow;

  /** A network without flow and forced nodes. O(nodes + arcs). */
  public MinimumCut(int nodes, List<Arc> arcs) {
    int half = arcs.size();
    this.target = new int[2 * half];
    this.back = new int[2 * half];
    this.capacity = new long[2 * half];
    this.room = new long[2 * half];
    this.edgeOf = new int[half];
    this.firstEdge = new int[nodes + 1];
    for (Arc arc : arcs) {
      firstEdge[arc.from + 1]++;
      firstEdge[arc.to + 1]++;
    }
    for (int v = 0; v < nodes; v++) {
      firstEdge[v + 1] += firstEdge[v];
    }
    int[] at = Arrays.copyOf(firstEdge, nodes);
    for (int k = 0; k < half; k++) {
      Arc arc = arcs.get(k);
      int there = at[arc.from]++;
      int here = at[arc.to]++;
      target[there] = arc.to;
      target[here] = arc.from;
      back[there] = here;
      back[here] = there;
      capacity[there] = arc.limit;
      edgeOf[k] = there;
    }
    this.side = new Side[nodes];
    Arrays.fill(side, Side.FREE);
    this.level = new int[nodes];
    this.next = new int[nodes];
    this.queue = new int[nodes];
    this.path = new int[nodes + 1];
    reset();
  }

  /** The edge of an arc, by its place in the list that the network was made from. */
  int edge(int arc) {
    return edgeOf[arc];
  }

  /** Sets the capacity of an arc, by its place in the list, for the flows to come. */
  public void limit(int arc, long limit) {
    capacity[edgeOf[arc]] = limit;
  }

  /** Forces a node to a side, or lets it go. */
  public void force(int node, Side to) {
    side[node] = to;
  }

  /** Forgets the flow; forced nodes stay. */
  public void reset() {
    System.arraycopy(capacity, 0, room, 0, room.length);
    flow = 0;
  }

  /** Keeps the flow and the forced nodes of now, to go back to with {@link #restore}. */
  Kept keep() {
    return new Kept(room.clone(), side.clone(), flow);
  }

  void restore(Kept kept) {
    System.arraycopy(kept.room, 0, room, 0, room.length);
    System.arraycopy(kept.side, 0, side, 0, side.length);
    flow = kept.flow;
  }

  /** A flow with its forced nodes. */
  record Kept(long[] room, Side[] side, long flow) {}

  /** Raises the flow to the maximum, or until it is above a limit; gives it, in bytes. */
  public long maximum(long limit) {
    while (flow <= limit && levels()) {
      System.arraycopy(firstEdge, 0, next, 0, side.length);
      for (int source = 0; source < side.length && flow <= limit; source++) {
        if (side[source] == Side.SOURCE) {
          long pushed;
          while (flow < UNLIMITED && (pushed = augment(source)) > 0) {
            flow += pushed;
          }
        }
      }
    }
    return flow;
  }

  private boolean levels() {
    Arrays.fill(level, -1);
    int head = 0;
    int tail = 0;
    for (int v = 0; v < side.length; v++) {
      if (side[v] == Side.SOURCE) {
        level[v] = 0;
        queue[tail++] = v;
      }
    }
    boolean found = false;
    while (head < tail) {
      int v = queue[head++];
      for (int e = firstEdge[v]; e < firstEdge[v + 1]; e++) {
        int u = target[e];
        if (room[e] > 0 && level[u] < 0) {
          level[u] = level[v] + 1;
          if (side[u] == Side.SINK) {
            found = true;
          } else {
            queue[tail++] = u;
          }
        }
      }
    }
    return found;
  }

  /** One path from a source to any sink along the levels; without recursion. */
  private long augment(int source) {
    int length = 0;
    int at = source;
    while (true) {
      if (side[at] == Side.SINK) {
        long amount = Long.MAX_VALUE;
        for (int k = 0; k < length; k++) {
          amount = Math.min(amount, room[path[k]]);
        }
        for (int k = 0; k < length; k++) {
          room[path[k]] -= amount;
          room[back[path[k]]] += amount;
        }
        return amount;
      }
      boolean stepped = false;
      while (next[at] < firstEdge[at + 1]) {
        int e = next[at];
        int u = target[e];
        if (room[e] > 0 && level[u] == level[at] + 1 && side[u] != Side.SOURCE) {
          path[length++] = e;
          at = u;
          stepped = true;
          break;
        }
        next[at]++;
      }
      if (!stepped) {
        if (length == 0) {
          return 0;
        }
        level[at] = -1;
        at = target[back[path[--length]]];
        next[at]++;
      }
    }
  }

  /** Whether a node is with the sources in the smallest minimum cut that was found last. */
  public boolean isSourceSide(int node) {
    return level[node] >= 0 && side[node] != Side.SINK;
  }

  /** After {@link #maximum}: the nodes with the sources in the smallest minimum cut. */
  boolean[] smallest() {
    levels();
    boolean[] nodes = new boolean[side.length];
    for (int v = 0; v < nodes.length; v++) {
      nodes[v] = isSourceSide(v);
    }
    return nodes;
  }

  /** After {@link #maximum}: the nodes with the sources in the largest minimum cut. */
  boolean[] largest() {
    boolean[] nodes = new boolean[side.length];
    Arrays.fill(nodes, true);
    int head = 0;
    int tail = 0;
    for (int v = 0; v < nodes.length; v++) {
      if (side[v] == Side.SINK) {
        nodes[v] = false;
        queue[tail++] = v;
      }
    }
    while (head < tail) {
      int v = queue[head++];
      for (int e = firstEdge[v]; e < firstEdge[v + 1]; e++) {
        int u = target[e];
        if (room[back[e]] > 0 && nodes[u] && side[u] != Side.SOURCE) {
          nodes[u] = false;
          queue[tail++] = u;
        }
      }
    }
    return nodes;
  }
}

package stowage.kernel.bound;

import java.util.Arrays;

/**
 * Maximum flow by Dinic's algorithm on arrays (Dinitz 1970; its history: doi 10.1007/11685654_10):
 * the least cut between two nodes. Arcs are added once; capacities may be reset between runs. Not
 * thread-safe.
 */
public final class MaxFlow {
  /** A capacity that no cut of interest contains. */
  public static final long INFINITE = Long.MAX_VALUE / 8;

  private final int nodes;
  private final int[] head;
  private int[] next = new int[64];
  private int[] target = new int[64];
  private long[] capacity = new long[64];
  private long[] initial = new long[64];
  private int arcs;
  private final int[] level;
  private final int[] current;
  private final int[] queue;
  private final int[] path;

  /** A network of so many nodes without arcs. */
  public MaxFlow(int nodes) {
    this.nodes = nodes;
    head = new int[nodes];
    Arrays.fill(head, -1);
    level = new int[nodes];
    current = new int[nodes];
    queue = new int[nodes];
    path = new int[nodes + 1];
  }

  /** Adds an arc; returns its number. */
  public int arc(int from, int to, long limit) {
    int number = arcs;
    half(from, to, limit);
    half(to, from, 0);
    return number;
  }

  private void half(int from, int to, long limit) {
    if (arcs == next.length) {
      next = Arrays.copyOf(next, 2 * arcs);
      target = Arrays.copyOf(target, 2 * arcs);
      capacity = Arrays.copyOf(capacity, 2 * arcs);
      initial = Arrays.copyOf(initial, 2 * arcs);
    }
    target[arcs] = to;
    initial[arcs] = limit;
    next[arcs] = head[from];
    head[from] = arcs++;
  }

  /** Sets the capacity of an arc for the runs to come. */
  public void set(int arc, long limit) {
    initial[arc] = limit;
  }

  /** Whether a node is on the source's side of the least cut that the last whole run found. */
  public boolean isSourceSide(int node) {
    return level[node] >= 0;
  }

  /**
   * The value of a maximum flow, which is the least capacity of a cut.
   *
   * @param enough the run may end once the flow has reached it
   */
  public long run(int source, int sink, long enough) {
    System.arraycopy(initial, 0, capacity, 0, arcs);
    long flow = 0;
    while (flow < enough && layer(source, sink)) {
      System.arraycopy(head, 0, current, 0, nodes);
      for (long more = augment(source, sink); more > 0; more = augment(source, sink)) {
        flow += more;
        if (flow >= enough) {
          return flow;
        }
      }
    }
    return flow;
  }

  private boolean layer(int source, int sink) {
    Arrays.fill(level, -1);
    level[source] = 0;
    int end = 0;
    queue[end++] = source;
    for (int k = 0; k < end; k++) {
      int v = queue[k];
      for (int a = head[v]; a >= 0; a = next[a]) {
        if (capacity[a] > 0 && level[target[a]] < 0) {
          level[target[a]] = level[v] + 1;
          if (target[a] == sink) {
            return true;
          }
          queue[end++] = target[a];
        }
      }
    }
    return false;
  }

  private long augment(int source, int sink) {
    int depth = 0;
    int v = source;
    while (v != sink) {
      int a = current[v];
      while (a >= 0 && (capacity[a] == 0 || level[target[a]] != level[v] + 1)) {
        a = next[a];
      }
      current[v] = a;
      if (a >= 0) {
        path[depth++] = a;
        v = target[a];
      } else if (depth == 0) {
        return 0;
      } else {
        level[v] = -1;
        v = target[path[--depth] ^ 1];
      }
    }
    long least = Long.MAX_VALUE;
    for (int k = 0; k < depth; k++) {
      least = Math.min(least, capacity[path[k]]);
    }
    for (int k = 0; k < depth; k++) {
      capacity[path[k]] -= least;
      capacity[path[k] ^ 1] += least;
    }
    return least;
  }
}

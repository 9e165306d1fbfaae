package stowage.exact.object;

import java.util.Arrays;

/**
 * Looks for a set of pairwise conflicting items that one item completes: a clique of a wanted size
 * among the items before it that conflict with it.
 *
 * <p>Branch and bound (Tomita and Seki 2003): candidates are coloured greedily so that those of one
 * colour do not conflict; a set has at most one of each colour, so candidates of a colour below
 * what is still wanted cannot lead there.
 */
final class ConflictingSet {
  private final ObjectGraph graph;
  private long[][] candidates = new long[0][];
  private int[] chosen = new int[0];
  private int nodes;
  private int nodesLeft;

  /**
   * @param nodesLeft nodes for all searches together
   */
  ConflictingSet(ObjectGraph graph, int nodesLeft) {
    this.graph = graph;
    this.nodesLeft = nodesLeft;
  }

  /**
   * The wanted number of items before one, and itself.
   *
   * @param nodeLimit nodes after which the search ends
   * @return the set, ascending, or null when none was found
   */
  int[] around(int item, int wanted, int nodeLimit) {
    reserve(wanted + 1);
    long[] first = candidates[0];
    long[] row = graph.row(item);
    for (int w = 0; w < first.length; w++) {
      int low = w << 6;
      long before = low + 64 <= item ? -1L : low >= item ? 0 : (1L << (item - low)) - 1;
      first[w] = row[w] & before;
    }
    if (ObjectGraph.cardinality(first) < wanted) {
      return null;
    }
    int granted = Math.min(nodeLimit, nodesLeft);
    nodes = granted;
    boolean complete = extend(0, wanted);
    nodesLeft -= granted - Math.max(0, nodes);
    if (!complete) {
      return null;
    }
    int[] set = Arrays.copyOf(chosen, wanted + 1);
    set[wanted] = item;
    Arrays.sort(set);
    return set;
  }

  private void reserve(int depth) {
    if (chosen.length < depth) {
      int before = candidates.length;
      candidates = Arrays.copyOf(candidates, depth + 16);
      for (int d = before; d < candidates.length; d++) {
        candidates[d] = new long[graph.words()];
      }
      chosen = Arrays.copyOf(chosen, depth + 16);
    }
  }

  private boolean extend(int depth, int wanted) {
    if (wanted == 0) {
      return true;
    }
    if (--nodes < 0) {
      return false;
    }
    long[] here = candidates[depth];
    int size = ObjectGraph.cardinality(here);
    int[] order = new int[size];
    int[] colour = new int[size];
    colourGreedily(here, order, colour);
    for (int k = size - 1; k >= 0 && colour[k] >= wanted; k--) {
      long[] next = candidates[depth + 1];
      long[] row = graph.row(order[k]);
      for (int w = 0; w < next.length; w++) {
        next[w] = here[w] & row[w];
      }
      chosen[depth] = order[k];
      if (extend(depth + 1, wanted - 1)) {
        return true;
      }
      ObjectGraph.clear(here, order[k]);
    }
    return false;
  }

  /** Fills the order by rising colour, colours from 1. */
  private void colourGreedily(long[] items, int[] order, int[] colour) {
    long[] left = items.clone();
    int count = 0;
    for (int c = 1; count < order.length; c++) {
      long[] free = left.clone();
      for (int w = 0; w < free.length; w++) {
        while (free[w] != 0) {
          int item = (w << 6) + Long.numberOfTrailingZeros(free[w]);
          order[count] = item;
          colour[count++] = c;
          ObjectGraph.clear(left, item);
          ObjectGraph.clear(free, item);
          long[] row = graph.row(item);
          for (int v = w; v < free.length; v++) {
            free[v] &= ~row[v];
          }
        }
      }
    }
  }
}

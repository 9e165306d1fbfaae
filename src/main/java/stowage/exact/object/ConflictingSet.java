package stowage.exact.object;

import java.util.Arrays;
import java.util.BitSet;

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
  private final int[] chosen;
  private int nodes;
  private int nodesLeft;

  /**
   * @param nodesLeft nodes for all searches together
   */
  ConflictingSet(ObjectGraph graph, int nodesLeft) {
    this.graph = graph;
    this.chosen = new int[graph.count()];
    this.nodesLeft = nodesLeft;
  }

  /**
   * The wanted number of items before one, and itself.
   *
   * @param nodeLimit nodes after which the search ends
   * @return the set, ascending, or null when none was found
   */
  int[] around(int item, int wanted, int nodeLimit) {
    BitSet before = graph.row(item).get(0, item);
    if (before.cardinality() < wanted) {
      return null;
    }
    int granted = Math.min(nodeLimit, nodesLeft);
    nodes = granted;
    boolean complete = extend(0, wanted, before);
    nodesLeft -= granted - Math.max(0, nodes);
    if (!complete) {
      return null;
    }
    int[] set = Arrays.copyOf(chosen, wanted + 1);
    set[wanted] = item;
    Arrays.sort(set);
    return set;
  }

  private boolean extend(int depth, int wanted, BitSet candidates) {
    if (wanted == 0) {
      return true;
    }
    if (--nodes < 0) {
      return false;
    }
    int[] order = new int[candidates.cardinality()];
    int[] colour = new int[order.length];
    colourGreedily(candidates, order, colour);
    for (int k = order.length - 1; k >= 0 && colour[k] >= wanted; k--) {
      BitSet next = (BitSet) candidates.clone();
      next.and(graph.row(order[k]));
      chosen[depth] = order[k];
      if (extend(depth + 1, wanted - 1, next)) {
        return true;
      }
      candidates.clear(order[k]);
    }
    return false;
  }

  /** Fills the order by rising colour, colours from 1. */
  private void colourGreedily(BitSet items, int[] order, int[] colour) {
    BitSet left = (BitSet) items.clone();
    int count = 0;
    for (int c = 1; count < order.length; c++) {
      BitSet free = (BitSet) left.clone();
      for (int item = free.nextSetBit(0); item >= 0; item = free.nextSetBit(item + 1)) {
        order[count] = item;
        colour[count++] = c;
        left.clear(item);
        free.andNot(graph.row(item));
      }
    }
  }
}

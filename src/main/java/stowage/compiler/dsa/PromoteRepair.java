package stowage.compiler.dsa;

import stowage.heuristic.NotPlannableException;
import stowage.packing.Memory;
import stowage.packing.RunControl;

/**
 * dsa-solver's promote and repair: first fit with all soft pairs kept apart; while the result ends
 * beyond a capacity, the chain of nodes that hold each other up from the one that is furthest
 * beyond gives up its cheapest soft pair, and all is placed again.
 *
 * <p>Source: {@code docs/dsa_rp_constructive_baselines.md} and {@code
 * reuse_penalty_baseline_solvers.cpp}. Where a chain has no soft pair the next order is taken
 * (largest first, by birth, by the weight of soft pairs), and after the last the canonical greedy.
 * O(soft pairs · n²).
 *
 * @see <a
 *     href="https://github.com/tonibohnlein/dsa-solver/blob/9442a7f7d4a3bb9a3dd4d61385765b2f7f396a99/docs/dsa_rp_constructive_baselines.md">tonibohnlein/dsa-solver@9442a7f7:dsa_rp_constructive_baselines.md</a>
 */
public final class PromoteRepair extends DsaPlanner {
  public PromoteRepair() {
    super(
        "dsa-promote-repair",
        "dsa-solver: first fit with all priced pairs apart, the cheapest given up until it fits");
  }

  @Override
  long[] place(DsaNodes nodes, RunControl control) {
    boolean[][] apart = new boolean[nodes.count][nodes.count];
    for (int i = 0; i < nodes.count; i++) {
      for (int j = 0; j < nodes.count; j++) {
        apart[i][j] = nodes.hard[i][j] || nodes.soft[i][j] > 0;
      }
    }
    for (int[] order : nodes.orders()) {
      while (true) {
        long[] offsets = firstFit(nodes, apart, order, control);
        int highest = furthestBeyond(nodes, offsets);
        if (highest < 0) {
          return offsets;
        }
        if (!giveUp(nodes, apart, offsets, highest)) {
          break;
        }
      }
    }
    return CanonicalGreedy.best(nodes, control);
  }

  /** Each node at its lowest free offset, whatever the capacity. */
  private static long[] firstFit(
      DsaNodes nodes, boolean[][] apart, int[] order, RunControl control) {
    long[] offsets = new long[nodes.count];
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int node = order[k];
      long at = nodes.unreserved(node, 0);
      boolean moved = true;
      while (moved) {
        moved = false;
        for (int p = 0; p < k; p++) {
          int other = order[p];
          if (apart[node][other] && nodes.overlap(node, at, other, offsets[other])) {
            at = nodes.unreserved(node, offsets[other] + nodes.size[other]);
            moved = true;
          }
        }
      }
      offsets[node] = at;
    }
    return offsets;
  }

  /** The node that ends furthest beyond its capacity, of equal ones the highest; -1 for none. */
  private static int furthestBeyond(DsaNodes nodes, long[] offsets) {
    int found = -1;
    long most = 0;
    for (int i = 0; i < nodes.count; i++) {
      long top = offsets[i] + nodes.size[i];
      long beyond = nodes.capacity(i) == Memory.UNBOUNDED ? 0 : top - nodes.capacity(i);
      boolean higher = found >= 0 && top > offsets[found] + nodes.size[found];
      if (beyond > most || beyond == most && beyond > 0 && higher) {
        found = i;
        most = beyond;
      }
    }
    return found;
  }

  /** Gives up the cheapest soft pair that is still apart on the chain below a node. */
  private static boolean giveUp(DsaNodes nodes, boolean[][] apart, long[] offsets, int highest) {
    boolean[] visited = new boolean[nodes.count];
    int one = -1;
    int other = -1;
    int at = highest;
    while (at >= 0 && !visited[at] && offsets[at] > 0) {
      visited[at] = true;
      int support = -1;
      for (int j = 0; j < nodes.count; j++) {
        long top = offsets[j] + nodes.size[j];
        boolean holds = apart[at][j] && nodes.memory[at] == nodes.memory[j];
        if (holds && nodes.aligned(at, top) == offsets[at]) {
          boolean higher = support < 0 || top > offsets[support] + nodes.size[support];
          support = higher ? j : support;
        }
      }
      if (support >= 0 && nodes.soft[at][support] > 0) {
        if (one < 0 || nodes.soft[at][support] < nodes.soft[one][other]) {
          one = at;
          other = support;
        }
      }
      at = support;
    }
    if (one >= 0) {
      apart[one][other] = false;
      apart[other][one] = false;
    }
    return one >= 0;
  }
}

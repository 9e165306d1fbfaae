package stowage.compiler.dsa;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import stowage.heuristic.NotPlannableException;
import stowage.packing.RunControl;

/**
 * dsa-solver's canonical greedy: each node goes where it adds least to the price, of equal places
 * to the lowest, out of 0, the tops of placed nodes that it has a hard or soft pair with, and the
 * ends of reserved ranges.
 *
 * <p>Source: {@code docs/dsa_rp_constructive_baselines.md} and {@code
 * reuse_penalty_baseline_solvers.cpp}. The orders are largest first, by birth, by the weight of
 * soft pairs, and four at random, which are not those of the original's generator; the cheapest
 * placing is the answer. O(n³).
 *
 * @see <a
 *     href="https://github.com/tonibohnlein/dsa-solver/blob/9442a7f7d4a3bb9a3dd4d61385765b2f7f396a99/docs/dsa_rp_constructive_baselines.md">tonibohnlein/dsa-solver@9442a7f7:dsa_rp_constructive_baselines.md</a>
 */
public final class CanonicalGreedy extends DsaPlanner {
  private static final int SHUFFLES = 4;

  public CanonicalGreedy() {
    super(
        "dsa-canonical-greedy",
        "dsa-solver: the place on top of a neighbour that adds least to the price of reuse");
  }

  @Override
  long[] place(DsaNodes nodes, RunControl control) {
    return best(nodes, control);
  }

  /** The cheapest of the orders' placings, or null. */
  static long[] best(DsaNodes nodes, RunControl control) {
    long[] best = null;
    long least = Long.MAX_VALUE;
    List<int[]> orders = new ArrayList<>(nodes.orders());
    SplittableRandom random = new SplittableRandom(control.seed());
    for (int k = 0; k < SHUFFLES; k++) {
      int[] order = orders.get(orders.size() - 1).clone();
      for (int at = order.length - 1; at > 0; at--) {
        int other = random.nextInt(at + 1);
        int node = order[at];
        order[at] = order[other];
        order[other] = node;
      }
      orders.add(order);
    }
    for (int[] order : orders) {
      long[] made = placed(nodes, order, control);
      if (made != null && nodes.price(made) < least) {
        best = made;
        least = nodes.price(made);
      }
    }
    return best;
  }

  private static long[] placed(DsaNodes nodes, int[] order, RunControl control) {
    long[] offsets = new long[nodes.count];
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int node = order[k];
      TreeSet<Long> places = new TreeSet<>();
      places.add(0L);
      nodes.reserved(node).forEach(range -> places.add(nodes.aligned(node, range.to())));
      for (int p = 0; p < k; p++) {
        int other = order[p];
        if (nodes.hard[node][other] || nodes.soft[node][other] > 0) {
          places.add(nodes.aligned(node, offsets[other] + nodes.size[other]));
        }
      }
      long least = Long.MAX_VALUE;
      for (long place : places) {
        long price = price(nodes, order, k, offsets, place);
        if (price < least) {
          least = price;
          offsets[node] = place;
        }
      }
      if (least == Long.MAX_VALUE) {
        return null;
      }
    }
    return offsets;
  }

  /** What a place adds to the price; the largest long where it does not fit. */
  private static long price(DsaNodes nodes, int[] order, int k, long[] offsets, long place) {
    int node = order[k];
    if (!nodes.fits(node, place) || nodes.unreserved(node, place) != place) {
      return Long.MAX_VALUE;
    }
    long price = 0;
    for (int p = 0; p < k; p++) {
      int other = order[p];
      if (nodes.overlap(node, place, other, offsets[other])) {
        if (nodes.hard[node][other]) {
          return Long.MAX_VALUE;
        }
        price += nodes.soft[node][other];
      }
    }
    return price;
  }
}

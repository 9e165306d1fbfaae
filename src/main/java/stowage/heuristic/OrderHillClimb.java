package stowage.heuristic;

import stowage.packing.IndexOrder;

/**
 * Climbs over orders: a buffer that reaches the peak is moved before a random one that it is on or
 * beside, and the new order is kept unless it is worse.
 *
 * <p>Source: the idea of TVM's and Vela's hill climbs, that only what reaches the peak can lower
 * it; the neighbourhood is our own. Start: the best of greedy by size, urgency and area, first fit.
 * Equal scores are kept, so that plateaus are crossed. Each step is one decoding: O(n k log n) for
 * live sets of about k; see {@link OrderSearch} for when it ends.
 */
public final class OrderHillClimb extends OrderSearch {
  @Override
  public String name() {
    return "hill-climb";
  }

  @Override
  public String summary() {
    return "Moves what reaches the peak forward in the order, keeps what is not worse";
  }

  @Override
  void improve(Walk walk) {
    while (!walk.isOver()) {
      Walk.State before = walk.state();
      int critical = walk.criticalPosition();
      int neighbour = walk.neighbourPosition(critical);
      IndexOrder.move(walk.order, critical, Math.min(critical, neighbour));
      if (walk.random.nextInt(3) == 0 || neighbour >= critical) {
        int any = walk.random.nextInt(walk.order.length);
        IndexOrder.move(walk.order, any, walk.random.nextInt(walk.order.length));
      }
      walk.decode();
      if (walk.score.compareTo(before.score()) > 0) {
        walk.restore(before);
      }
    }
  }
}

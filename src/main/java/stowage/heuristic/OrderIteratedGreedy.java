package stowage.heuristic;

import stowage.packing.IndexOrder;

/**
 * Iterated greedy over orders: takes a few buffers out of the order, the one that reaches the peak
 * among them, and puts each back at the best of some places tried.
 *
 * <p>Source: Ruiz and Stützle, A simple and effective iterated greedy algorithm for the permutation
 * flowshop scheduling problem (2007, doi 10.1016/j.ejor.2005.12.009). Here {@value #REMOVED}
 * buffers a round and {@value #PLACES} random places each, the first no later than its own; a
 * round's result is kept if it is worse by no more than 0.2 %, and the run goes back to the best
 * order after {@value #PATIENCE} rounds without gain. Start: the best of greedy by size, urgency
 * and area, first fit. See {@link OrderSearch} for when it ends.
 */
public final class OrderIteratedGreedy extends OrderSearch {
  private static final int REMOVED = 3;
  private static final int PLACES = 4;
  private static final int PATIENCE = 20;
  private static final double TOLERANCE = 0.002;

  @Override
  public String name() {
    return "iterated-greedy";
  }

  @Override
  public String summary() {
    return "Takes buffers out of the order and puts each back where it serves best";
  }

  @Override
  public void improve(Walk walk) {
    Walk.State best = walk.state();
    Walk.State kept = best;
    int idle = 0;
    while (!walk.isOver()) {
      for (int k = 0; k < REMOVED && !walk.isOver(); k++) {
        int position = k == 0 ? walk.criticalPosition() : walk.random.nextInt(walk.order.length);
        reinsert(walk, position);
      }
      if (Walk.worsening(kept.score(), walk.score) <= TOLERANCE) {
        kept = walk.state();
      }
      idle++;
      if (walk.score.compareTo(best.score()) < 0) {
        best = walk.state();
        idle = 0;
      }
      if (idle >= PATIENCE) {
        idle = 0;
        kept = best;
      }
      walk.restore(kept);
    }
  }

  /** Tries the buffer at a position elsewhere and leaves the order at the best place met. */
  private static void reinsert(Walk walk, int position) {
    Walk.State from = walk.state();
    Walk.State best = null;
    for (int k = 0; k < PLACES && !walk.isOver(); k++) {
      walk.order = from.order().clone();
      int target =
          k == 0 ? walk.random.nextInt(position + 1) : walk.random.nextInt(walk.order.length);
      IndexOrder.move(walk.order, position, target);
      walk.decode();
      if (best == null || walk.score.compareTo(best.score()) < 0) {
        best = walk.state();
      }
    }
    walk.restore(best == null ? from : best);
  }
}

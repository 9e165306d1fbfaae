package stowage.exact.search;

import stowage.exact.search.model.SearchModel;
import stowage.exact.search.model.SharedIncumbent;
import stowage.exact.search.tree.CanonicalSearch;
import stowage.exact.search.tree.Ordering;
import stowage.packing.RunControl;

/**
 * Searches at capacities spread between the target and the best peak, by several orderings with
 * growing node limits. Whether a search ends early at one capacity says little about the next one,
 * so many short tries reach lower than one long one.
 */
final class SweepWorker extends TreeWorker {
  /** Tries before the node limit doubles, a multiple of the orderings. */
  private static final int TRIES_A_LIMIT = 48;

  private final CapacitySpread spread = new CapacitySpread();
  private long limit;
  private int turn;

  SweepWorker(SearchModel model, RunControl control) {
    super(model, control);
    this.limit = 16L * Math.max(64, model.count);
  }

  @Override
  public void advance(SharedIncumbent incumbent, long nodes) {
    long end = nodes() + nodes;
    while (!incumbent.ended() && nodes() < end) {
      long capacity = spread.next(incumbent);
      if (!search.representable(capacity)) {
        return;
      }
      restarts++;
      int answer =
          search.searchAll(
              capacity, limit, rankers[turn % rankers.length], turn / rankers.length % 4 < 3, null);
      String name = "sweep " + Ordering.values()[turn % rankers.length];
      if (answer == CanonicalSearch.FOUND) {
        incumbent.offer(search.offsets(), name);
      } else if (answer == CanonicalSearch.FAILED) {
        incumbent.raise(search.nextCapacity(), name);
      }
      if (++turn == TRIES_A_LIMIT) {
        turn = 0;
        limit *= 2;
      }
    }
  }
}

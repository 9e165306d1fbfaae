package stowage.exact.search;

import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.tree.CanonicalSearch;
import stowage.exact.search.tree.Ordering;
import stowage.packing.RunControl;

/**
 * Worker that searches at the target, by several orderings in turn with node limits that double:
 * the exact engine. Success at the bound is a proof by itself; an exhausted search raises the
 * bound.
 */
final class ExactWorker extends TreeWorker {
  private long limit;
  private int turn;
  private long target = -1;

  ExactWorker(SearchModel model, RunControl control) {
    super(model, control);
  }

  @Override
  public void advance(ComponentIncumbent incumbent, long nodes) {
    long end = search.totalNodes() + nodes;
    while (!incumbent.ended() && search.totalNodes() < end) {
      if (incumbent.target() != target) {
        target = incumbent.target();
        turn = 0;
        limit = 2L * Math.max(8, model.count);
      }
      if (!search.representable(target)) {
        return;
      }
      // The last turn of a round keeps the ranks of the whole in its parts.
      boolean fixedRanks = turn == rankers.length;
      int answer = search(target, limit, rankers[turn % rankers.length], !fixedRanks, null);
      if (answer == CanonicalSearch.FOUND) {
        incumbent.offer(search.offsets(), name());
      } else if (answer == CanonicalSearch.FAILED) {
        incumbent.raise(search.nextCapacity(), name());
      } else if (++turn > rankers.length) {
        turn = 0;
        limit *= 2;
      }
    }
  }

  private String name() {
    return "search "
        + Ordering.values()[turn % rankers.length]
        + (turn == rankers.length ? " static" : "");
  }
}

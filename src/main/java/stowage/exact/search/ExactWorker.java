package stowage.exact.search;

import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.tree.CanonicalSearch;
import stowage.exact.search.tree.Ordering;
import stowage.packing.RunControl;

/**
 * Searches at the target, by several orderings in turn with node limits that double: the exact
 * engine. Success at the bound is a proof by itself; an exhausted search raises the bound.
 *
 * <p>Parts that no buffer connects in time are solved one by one, and a part once solved is kept as
 * long as its peak fits.
 */
final class ExactWorker extends TreeWorker {
  private final boolean[] solved;
  private final long firstLimit;
  private long limit;
  private int turn;
  private int part;
  private long target = -1;

  ExactWorker(SearchModel model, RunControl control) {
    super(model, control);
    this.solved = new boolean[search.parts()];
    this.firstLimit = 2L * Math.max(8, model.count);
    this.limit = firstLimit;
  }

  @Override
  public void advance(ComponentIncumbent incumbent, long nodes) {
    long end = search.totalNodes() + nodes;
    while (!incumbent.ended() && search.totalNodes() < end) {
      if (incumbent.target() != target) {
        retarget(incumbent.target());
      }
      if (!search.representable(target)) {
        return;
      }
      while (part < solved.length && solved[part]) {
        part++;
      }
      if (part == solved.length) {
        incumbent.offer(search.offsets(), name());
        return;
      }
      // The last turn of a round keeps the ranks of the whole in its parts.
      boolean fixedRanks = turn == rankers.length;
      restarts++;
      int answer =
          search.search(part, target, limit, rankers[turn % rankers.length], !fixedRanks, null);
      if (answer == CanonicalSearch.FOUND) {
        solved[part] = true;
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

  private void retarget(long next) {
    target = next;
    turn = 0;
    part = 0;
    limit = firstLimit;
    for (int k = 0; k < solved.length; k++) {
      for (int buffer : search.members(k)) {
        solved[k] &= search.offsets()[buffer] + model.size[buffer] <= target;
      }
    }
  }
}

package stowage.onchip.cpsat;

import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOutcome;

/** A group that could be chosen, and what is known of its cost so far. */
final class ConvexGroup {
  /** Positions in the execution order, rising. */
  final int[] members;

  /** What it costs at least; infinite when it cannot run. */
  double lower;

  /** What it costs by the best way found; infinite when none was found. */
  double cost;

  /** Whether ways of running it were sought. */
  boolean searched;

  /** A group whose least cost is known; of an op by itself that is its cost. */
  ConvexGroup(int[] members, double least) {
    this.members = members;
    this.lower = least;
    this.searched = members.length == 1;
    this.cost = searched ? least : Double.POSITIVE_INFINITY;
  }

  /** Whether its cost is the least, or it cannot run. */
  boolean isProven() {
    return searched && lower >= cost * (1 - 1e-12);
  }

  /**
   * Takes up what a search has found: all where it is complete, else only the bound; where searches
   * do not prove, what was found is taken for the least.
   */
  void learn(
      GroupOutcome outcome,
      GroupOptions.GroupObjective objective,
      boolean complete,
      boolean proving) {
    lower = Math.max(lower, outcome.lower());
    if (outcome.fits()) {
      cost = Math.min(cost, outcome.cost(objective));
    }
    lower = complete && !proving ? cost : Math.min(lower, cost);
    searched |= complete;
  }
}

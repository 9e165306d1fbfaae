package stowage.onchip.cpsat;

import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOutcome;

/** A group that could be chosen, and what is known of its cost so far. */
final class ConvexGroup {
  private final int[] members;
  private double lower;
  private double cost;
  private boolean searched;

  private ConvexGroup(int[] members, double lower, double cost, boolean searched) {
    this.members = members;
    this.lower = lower;
    this.cost = cost;
    this.searched = searched;
  }

  /** An op by itself, whose cost is known. */
  static ConvexGroup alone(int position, double cost) {
    return new ConvexGroup(new int[] {position}, cost, cost, true);
  }

  /** A group of which only the least cost is known. */
  static ConvexGroup of(int[] members, double least) {
    return new ConvexGroup(members, least, Double.POSITIVE_INFINITY, false);
  }

  /** Positions in the execution order, rising. */
  int[] members() {
    return members;
  }

  /** What it costs at least; infinite when it cannot run. */
  double lower() {
    return lower;
  }

  /** What it costs by the best way found; infinite when none was found. */
  double cost() {
    return cost;
  }

  /** Whether ways of running it were sought. */
  boolean isSearched() {
    return searched;
  }

  /** Whether its cost is the least, or it cannot run. */
  boolean isProven() {
    return searched && lower >= cost * (1 - 1e-12);
  }

  /**
   * Takes up what a search has found.
   *
   * @param complete whether the search is over; else only the bound is taken
   * @param proving whether searches bound what they find; else what was found is taken for the
   *     least
   */
  void learn(
      GroupOutcome outcome,
      GroupOptions.GroupObjective objective,
      boolean complete,
      boolean proving) {
    lower = Math.max(lower, outcome.lowerCost(objective));
    if (outcome.fits()) {
      cost = Math.min(cost, outcome.cost(objective));
    }
    lower = complete && !proving ? cost : Math.min(lower, cost);
    searched |= complete;
  }
}

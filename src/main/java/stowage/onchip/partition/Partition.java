package stowage.onchip.partition;

import java.util.List;
import stowage.onchip.search.GroupSearch;

/**
 * Which ops run together.
 *
 * @param groups positions in the execution order, rising, one array a group, in an order in which
 *     the groups can run; a single op runs by itself
 * @param lowerBound no partition of the scope costs less, under the objective
 * @param scope which groupings the bound is over
 */
public record Partition(List<int[]> groups, double lowerBound, BoundScope scope) {
  /** Bounds are sums of many numbers, and so not exact to the last digit. */
  private static final double ROUNDING = 1e-9;

  public Partition {
    groups = List.copyOf(groups);
  }

  /** Groups with the bound that needs no search and is over all groupings. */
  static Partition unproven(List<int[]> groups, GroupSearch search) {
    return of(groups, 0, BoundScope.NETWORK, search);
  }

  /** Groups with a bound over some groupings, or over all where that is no lower. */
  public static Partition of(
      List<int[]> groups, double lower, BoundScope scope, GroupSearch search) {
    double network = IntervalPartitioner.lowerBound(search.graph(), search.options().objective());
    return network >= lower * (1 - ROUNDING)
        ? new Partition(groups, network, BoundScope.NETWORK)
        : new Partition(groups, lower, scope);
  }

  /** Whether groups of such a cost are proven to be the cheapest of all groupings. */
  public boolean isBestOfAll(double cost) {
    return scope == BoundScope.NETWORK && cost <= lowerBound * (1 + ROUNDING);
  }
}

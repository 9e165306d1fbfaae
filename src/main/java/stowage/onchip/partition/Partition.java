package stowage.onchip.partition;

import java.util.List;

/**
 * Which ops run together.
 *
 * @param groups positions in the execution order, rising, one array a group, in an order in which
 *     the groups can run; a single op runs by itself
 * @param lowerBound no partition of the kind looked at costs less, under the objective
 */
public record Partition(List<int[]> groups, double lowerBound) {
  public Partition {
    groups = List.copyOf(groups);
  }
}

package stowage.onchip.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.onchip.slice.GroupModel;

/**
 * Numbers the groups of a network by structure, so that groups of the same number have the same
 * answers. Which number a set of ops has is remembered: a group's structure is put together once,
 * however many searches ask for it.
 */
final class GroupIndex {
  /** What {@link #known} says of a group that was not met. */
  static final int UNKNOWN = -1;

  private final int[][] intervals;
  private final Map<List<Integer>, Integer> scattered = new HashMap<>();
  private final Map<GroupStructure, Integer> structures = new HashMap<>();

  /**
   * @param ops of the network
   */
  GroupIndex(int ops) {
    this.intervals = new int[ops][];
  }

  /**
   * The number of a group that was met, else {@link #UNKNOWN}. O(1) for neighbours, O(members) for
   * others.
   *
   * @param members positions in the execution order, rising
   */
  int known(int[] members) {
    int first = members[0];
    int last = members[members.length - 1];
    if (last - first + 1 == members.length) {
      int[] row = intervals[first];
      return row == null || row.length < members.length ? UNKNOWN : row[members.length - 1] - 1;
    }
    return scattered.getOrDefault(key(members), UNKNOWN);
  }

  /** The number of a group, which is kept. O(members * operands). */
  int of(GroupModel group) {
    int[] members = group.members();
    int number = structures.computeIfAbsent(GroupStructure.of(group), key -> structures.size());
    int first = members[0];
    int last = members[members.length - 1];
    if (last - first + 1 != members.length) {
      scattered.put(key(members), number);
      return number;
    }
    int[] row = intervals[first];
    if (row == null || row.length < members.length) {
      int length = Math.min(intervals.length - first, Math.max(8, 2 * members.length));
      row = row == null ? new int[length] : Arrays.copyOf(row, length);
      intervals[first] = row;
    }
    row[members.length - 1] = number + 1;
    return number;
  }

  private static List<Integer> key(int[] members) {
    return Arrays.stream(members).boxed().toList();
  }
}

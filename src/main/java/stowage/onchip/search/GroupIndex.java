package stowage.onchip.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.slice.GroupModel;

/**
 * Index of a network's groups by structure, which is what a group's planning depends on, without
 * names: groups of the same number have the same answers, so that repeated blocks of a network cost
 * once. Which number a set of ops has is remembered: a group's structure is put together once,
 * however many searches ask for it.
 */
final class GroupIndex {
  /** What {@link #known} says of a group that was not met. */
  static final int UNKNOWN = -1;

  private final int[][] intervals;
  private final Map<List<Integer>, Integer> scattered = new HashMap<>();
  private final Map<List<Object>, Integer> structures = new HashMap<>();

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
    int number = structures.computeIfAbsent(structure(group), key -> structures.size());
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

  /** What planning a group depends on. O(members * operands). */
  private static List<Object> structure(GroupModel group) {
    LayerGraph graph = group.graph();
    List<Object> parts = new ArrayList<>();
    for (int m = 0; m < group.size(); m++) {
      Layer layer = group.layer(m);
      parts.add(layer.work());
      parts.add(layer.inPlace());
      for (Layer.Operand operand : layer.operands()) {
        parts.add(group.numberOf(operand.tensor()));
        parts.add(operand.rules());
      }
      for (int result : layer.results()) {
        parts.add(-1 - group.numberOf(result));
      }
    }
    for (int t = 0; t < group.tensorCount(); t++) {
      parts.add(graph.extents(group.tensor(t)));
      parts.add(graph.bits(group.tensor(t)));
      parts.add(group.isStored(t));
    }
    for (int w = 0; w < group.weightCount(); w++) {
      Layer.WeightUse use = group.weight(w);
      parts.add(use.extents());
      parts.add(use.bits());
      parts.add(use.aligned());
      parts.add(group.weightBytes(w));
      for (int reader : group.weightReaders(w)) {
        parts.add(reader);
      }
    }
    return parts;
  }

  private static List<Integer> key(int[] members) {
    return Arrays.stream(members).boxed().toList();
  }
}

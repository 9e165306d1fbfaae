package stowage.onchip.slice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.LaneSize;

/**
 * The ways of cutting one group, each axis and count worked out once: a slicing only puts five of
 * them side by side.
 */
public final class GroupCuts {
  private final GroupModel group;
  private final BackwardSlicer slicer;
  private final Slicing most;
  private final Map<Integer, AxisCut> known = new HashMap<>();

  public GroupCuts(GroupModel group, BackwardSlicer.Rules rules) {
    this.group = group;
    this.slicer = new BackwardSlicer(rules);
    this.most = BackwardSlicer.most(group, rules);
  }

  public GroupModel group() {
    return group;
  }

  /** The slices along an axis; null when it cannot be cut so. */
  AxisCut cut(Axis axis, int count) {
    int key = count * Axis.COUNT + axis.ordinal();
    if (!known.containsKey(key)) {
      known.put(key, attempted(axis, count));
    }
    return known.get(key);
  }

  private AxisCut attempted(Axis axis, int count) {
    try {
      return slicer.cut(group, axis, count);
    } catch (SlicingException cannot) {
      return null;
    }
  }

  /** The group cut into slices; null when it cannot be cut so. */
  public SlicedGroup slice(Slicing slicing) {
    AxisCut[] cuts = new AxisCut[Axis.COUNT];
    for (Axis axis : Axis.values()) {
      cuts[axis.ordinal()] = cut(axis, slicing.along(axis));
      if (cuts[axis.ordinal()] == null) {
        return null;
      }
    }
    return new SlicedGroup(group, slicing, cuts);
  }

  /** Whether the group can be cut in two along an axis. */
  public boolean canCut(Axis axis) {
    return most.along(axis) > 1 && cut(axis, 2) != null;
  }

  /** The counts that can be cut along an axis and differ in the size of the largest slice. */
  public List<Integer> counts(Axis axis) {
    List<Integer> counts = new ArrayList<>();
    int extent = most.along(axis);
    long least = Long.MAX_VALUE;
    for (int count = 1; count <= extent; count++) {
      long size = LaneSize.ceilDiv(extent, count);
      if (size < least) {
        least = size;
        if (cut(axis, count) != null) {
          counts.add(count);
        }
      }
    }
    return counts;
  }

  /**
   * The load of the finest slices; null when it is not known which those are. Where it exceeds the
   * lane, no slices fit.
   */
  public LoadBound finest() {
    Slicing finest = most;
    List<Axis> whole = new ArrayList<>();
    for (Axis axis : Axis.values()) {
      int count = finest.along(axis);
      if (count > 1 && cut(axis, count) == null) {
        if (canCut(axis)) {
          return null;
        }
        finest = finest.with(axis, 1);
        whole.add(axis);
      }
    }
    SlicedGroup sliced = slice(finest);
    LoadBound load = sliced == null ? null : new LoadBound(sliced);
    // An axis that cannot be cut in two may be cut in three.
    boolean known = load == null || !load.exceedsLane();
    return known || whole.stream().allMatch(axis -> counts(axis).size() == 1) ? load : null;
  }
}

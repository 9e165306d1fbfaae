package stowage.onchip;

import java.util.List;

/**
 * A group with the slices of all its activations.
 *
 * <p>Along an axis that is not cut every activation has one slice, the whole. Along one that is cut
 * each has as many slices as the {@link Slicing} says; slices of neighbours overlap where a window
 * reaches over the border.
 */
public final class SlicedGroup {
  private final GroupModel group;
  private final Slicing slicing;
  private final Slice[][][] slices;
  private final Extents[] largest;

  /**
   * @param slices by activation, axis, slice
   */
  SlicedGroup(GroupModel group, Slicing slicing, Slice[][][] slices) {
    this.group = group;
    this.slicing = slicing;
    this.slices = slices;
    this.largest = new Extents[slices.length];
    for (int t = 0; t < slices.length; t++) {
      Extents most = group.graph().extents(group.tensor(t));
      for (Axis axis : Axis.values()) {
        long size = 0;
        for (Slice slice : slices[t][axis.ordinal()]) {
          size = Math.max(size, slice.size());
        }
        most = most.with(axis, size);
      }
      largest[t] = most;
    }
  }

  /** The group. */
  public GroupModel group() {
    return group;
  }

  /** How it is cut. */
  public Slicing slicing() {
    return slicing;
  }

  /** The slices of an activation along an axis, one where it is not cut. */
  public List<Slice> slices(int activation, Axis axis) {
    return List.of(slices[activation][axis.ordinal()]);
  }

  Slice slice(int activation, Axis axis, int number) {
    Slice[] along = slices[activation][axis.ordinal()];
    return along.length == 1 ? along[0] : along[number];
  }

  /** The largest slice of an activation along each axis. */
  public Extents largest(int activation) {
    return largest[activation];
  }

  /** Bytes a lane that an activation's largest slice takes. */
  public long laneBytes(int activation) {
    LayerGraph graph = group.graph();
    return LaneSize.bytes(
        graph.chip(), graph.bits(group.tensor(activation)), largest[activation], true);
  }

  /** Bytes a lane that a constant takes. */
  public long weightLaneBytes(int weight) {
    Layer.WeightUse use = group.weight(weight);
    return LaneSize.bytes(group.graph().chip(), use.bits(), use.extents(), use.aligned());
  }

  /** Whether every slice of the group uses the same part of an activation. */
  public boolean isConstant(int activation) {
    for (Axis axis : Axis.values()) {
      Slice[] along = slices[activation][axis.ordinal()];
      for (Slice slice : along) {
        if (!slice.equals(along[0])) {
          return false;
        }
      }
    }
    return true;
  }

  /** Elements of an activation over all runs of the group, repeated ones counted each time. */
  public long elementsMoved(int activation) {
    long product = 1;
    for (Axis axis : Axis.values()) {
      long sum = 0;
      int count = slicing.along(axis);
      for (int k = 0; k < count; k++) {
        sum += slice(activation, axis, k).size();
      }
      product *= sum;
    }
    return product;
  }
}

package stowage.onchip.slice;

import java.util.List;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.Extents;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Slice;

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
  private final AxisCut[] cuts;

  /**
   * @param cuts by {@link Axis#ordinal()}
   */
  SlicedGroup(GroupModel group, Slicing slicing, AxisCut[] cuts) {
    this.group = group;
    this.slicing = slicing;
    this.cuts = cuts;
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
    return List.of(cuts[axis.ordinal()].slices(activation));
  }

  /** The largest slice of an activation along each axis. */
  public Extents largest(int activation) {
    return new Extents(
        cuts[Axis.N.ordinal()].largest(activation),
        cuts[Axis.C.ordinal()].largest(activation),
        cuts[Axis.D.ordinal()].largest(activation),
        cuts[Axis.H.ordinal()].largest(activation),
        cuts[Axis.W.ordinal()].largest(activation));
  }

  /** Bytes a lane that an activation's largest slice takes. */
  public long laneBytes(int activation) {
    LayerGraph graph = group.graph();
    return LaneSize.bytes(
        graph.chip(), graph.bits(group.tensor(activation)), largest(activation), true);
  }

  /** Bytes a lane that a constant takes. */
  public long weightLaneBytes(int weight) {
    return group.weightLaneBytes(weight);
  }

  /** Whether every slice of the group uses the same part of an activation. */
  public boolean isConstant(int activation) {
    for (AxisCut cut : cuts) {
      if (!cut.isConstant(activation)) {
        return false;
      }
    }
    return true;
  }

  /** Inputs of which every slice uses the same part, by activation; none where nothing is cut. */
  public boolean[] constantInputs() {
    boolean[] held = new boolean[group.tensorCount()];
    for (int t = 0; t < held.length; t++) {
      held[t] = slicing.isCut() && group.isInput(t) && isConstant(t);
    }
    return held;
  }

  /** Elements of an activation over all runs of the group, repeated ones counted each time. */
  public long elementsMoved(int activation) {
    long product = 1;
    for (AxisCut cut : cuts) {
      product *= cut.total(activation);
    }
    return product;
  }
}

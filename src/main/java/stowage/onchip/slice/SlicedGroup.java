package stowage.onchip.slice;

import java.util.Arrays;
import java.util.List;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.Extents;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Scratch;
import stowage.onchip.layer.Slice;

/**
 * A group with the slices of all its activations.
 *
 * <p>Along an axis that is not cut every activation has one slice, the whole. Along one that is cut
 * each has as many slices as the {@link Slicing} says; slices of neighbours overlap where a window
 * reaches over the border.
 *
 * @param cuts by {@link Axis#ordinal()}
 */
public record SlicedGroup(GroupModel group, Slicing slicing, AxisCut[] cuts) {
  /** The slices of an activation along an axis, one where it is not cut. */
  public List<Slice> slices(int activation, Axis axis) {
    return List.of(cuts[axis.ordinal()].slices()[activation]);
  }

  /** The largest slice of an activation along each axis. */
  public Extents largest(int activation) {
    long[] along = new long[Axis.COUNT];
    Arrays.setAll(along, axis -> cuts[axis].largest()[activation]);
    return new Extents(along[0], along[1], along[2], along[3], along[4]);
  }

  /** Bytes a lane that an activation's largest slice takes. */
  public long laneBytes(int activation) {
    LayerGraph graph = group.graph();
    return LaneSize.bytes(
        graph.chip(), graph.bits(group.tensor(activation)), largest(activation), true);
  }

  /** Bytes a lane that an op of the group needs besides its operands and results. */
  public long scratch(Layer layer) {
    return Scratch.bytes(group.graph(), layer, tensor -> largest(group.numberOf(tensor)));
  }

  /** Whether every slice of the group uses the same part of an activation. */
  public boolean isConstant(int activation) {
    return Arrays.stream(cuts).allMatch(cut -> cut.constant()[activation]);
  }

  /** Bytes loaded again, by constant, when it does not stay. */
  public long[] reloads() {
    long[] reloads = new long[group.weightCount()];
    Arrays.setAll(reloads, w -> group.weightBytes(w) * (slicing.count() - 1));
    return reloads;
  }

  /** Elements of an activation over all runs of the group, repeated ones counted each time. */
  public long elementsMoved(int activation) {
    return Arrays.stream(cuts).mapToLong(cut -> cut.total()[activation]).reduce(1, (a, b) -> a * b);
  }
}

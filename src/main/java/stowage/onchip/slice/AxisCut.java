package stowage.onchip.slice;

import stowage.onchip.layer.Slice;

/**
 * The slices of all activations of a group along one axis. Axes are cut independently, so that the
 * slices of a {@link Slicing} are five of these side by side.
 */
final class AxisCut {
  private final Slice[][] slices;
  private final long[] largest;
  private final long[] total;
  private final boolean[] constant;

  /**
   * @param slices by activation; one slice each where the axis is not cut
   */
  AxisCut(Slice[][] slices) {
    this.slices = slices;
    this.largest = new long[slices.length];
    this.total = new long[slices.length];
    this.constant = new boolean[slices.length];
    for (int t = 0; t < slices.length; t++) {
      constant[t] = true;
      for (Slice slice : slices[t]) {
        largest[t] = Math.max(largest[t], slice.size());
        total[t] += slice.size();
        constant[t] &= slice.equals(slices[t][0]);
      }
    }
  }

  /** The slices of an activation. */
  Slice[] slices(int activation) {
    return slices[activation];
  }

  /** The size of an activation's largest slice. */
  long largest(int activation) {
    return largest[activation];
  }

  /** The sizes of an activation's slices together, repeated parts counted each time. */
  long total(int activation) {
    return total[activation];
  }

  /** Whether all slices of an activation are the same. */
  boolean isConstant(int activation) {
    return constant[activation];
  }
}

package stowage.onchip.slice;

import stowage.onchip.layer.Slice;

/**
 * The slices of all activations of a group along one axis. Axes are cut independently, so that the
 * slices of a {@link Slicing} are five of these side by side.
 *
 * @param slices by activation; one slice each where the axis is not cut
 * @param largest by activation, the size of the largest slice
 * @param total by activation, the sizes together, repeated parts counted each time
 * @param constant by activation, whether all slices are the same
 */
record AxisCut(Slice[][] slices, long[] largest, long[] total, boolean[] constant) {
  AxisCut(Slice[][] slices) {
    this(slices, new long[slices.length], new long[slices.length], new boolean[slices.length]);
    for (int t = 0; t < slices.length; t++) {
      constant[t] = true;
      for (Slice slice : slices[t]) {
        largest[t] = Math.max(largest[t], slice.size());
        total[t] += slice.size();
        constant[t] &= slice.equals(slices[t][0]);
      }
    }
  }
}

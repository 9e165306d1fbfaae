package stowage.onchip.slice;

import stowage.onchip.layer.Slice;

/**
 * By activation its slices along one axis (one where that is not cut), the size of the largest, the
 * sizes together, repeated parts counted each time, and whether all are the same. Axes are cut
 * independently: the slices of a {@link Slicing} are five of these side by side.
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

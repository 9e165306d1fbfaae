package stowage.rewrite;

import java.util.Arrays;

/**
 * Where the result of a run is cut along one axis.
 *
 * @param bounds the inner bounds, rising, each above 0 and below the extent of the run's result; n
 *     - 1 of them make n pieces
 */
public record AxisSplit(SplitAxis axis, int[] bounds) {

  /** Copies the bounds and checks that they rise. */
  public AxisSplit {
    bounds = bounds.clone();
    for (int k = 0; k < bounds.length; k++) {
      if (bounds[k] <= (k == 0 ? 0 : bounds[k - 1])) {
        throw new IllegalArgumentException(
            "bounds " + Arrays.toString(bounds) + " should rise and be above 0");
      }
    }
  }

  /**
   * Pieces as equal as the extent allows, the longer ones first.
   *
   * @throws IllegalArgumentException when there are fewer rows than pieces
   */
  public static AxisSplit even(SplitAxis axis, long extent, int pieces) {
    if (pieces < 1 || pieces > extent) {
      throw new IllegalArgumentException(pieces + " pieces of an extent of " + extent);
    }
    int[] bounds = new int[pieces - 1];
    for (int k = 0; k < bounds.length; k++) {
      bounds[k] = Math.toIntExact((k + 1) * (extent / pieces) + Math.min(k + 1, extent % pieces));
    }
    return new AxisSplit(axis, bounds);
  }

  /** How many pieces the axis is cut into. */
  public int pieces() {
    return bounds.length + 1;
  }

  /** The inner bounds; a copy. */
  @Override
  public int[] bounds() {
    return bounds.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AxisSplit split
        && split.axis == axis
        && Arrays.equals(split.bounds, bounds);
  }

  @Override
  public int hashCode() {
    return 31 * axis.hashCode() + Arrays.hashCode(bounds);
  }

  @Override
  public String toString() {
    return axis.label() + Arrays.toString(bounds);
  }
}

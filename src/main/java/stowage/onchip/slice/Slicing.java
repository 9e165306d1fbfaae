package stowage.onchip.slice;

import stowage.onchip.layer.Axis;

/**
 * Into how many slices each result of a group is cut along each axis.
 *
 * @param c slices of the channels, whole rounds of lanes each
 */
public record Slicing(int n, int c, int d, int h, int w) {
  /** Nothing is cut. */
  public static final Slicing WHOLE = new Slicing(1, 1, 1, 1, 1);

  public Slicing {
    if (n < 1 || c < 1 || d < 1 || h < 1 || w < 1) {
      throw new IllegalArgumentException("slice counts should be 1 or more");
    }
  }

  /** Counts by {@link Axis#ordinal()}. */
  public static Slicing of(int... counts) {
    return new Slicing(counts[0], counts[1], counts[2], counts[3], counts[4]);
  }

  private int[] counts() {
    return new int[] {n, c, d, h, w};
  }

  public int along(Axis axis) {
    return counts()[axis.ordinal()];
  }

  /** The same with another count along an axis. */
  public Slicing with(Axis axis, int count) {
    int[] counts = counts();
    counts[axis.ordinal()] = count;
    return of(counts);
  }

  /** How often the group runs: the product of the counts. */
  public long count() {
    return (long) n * c * d * h * w;
  }

  public boolean isCut() {
    return count() > 1;
  }

  /** The axes that are cut, such as {@code h4 w2}; {@code whole} where none is. */
  public String cuts() {
    return isCut()
        ? toString().replaceAll("\\b[a-z]1\\b", "").trim().replaceAll(" +", " ")
        : "whole";
  }

  @Override
  public String toString() {
    return "n" + n + " c" + c + " d" + d + " h" + h + " w" + w;
  }
}

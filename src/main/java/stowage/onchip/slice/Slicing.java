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

  /** The count along one axis. */
  public int along(Axis axis) {
    return switch (axis) {
      case N -> n;
      case C -> c;
      case D -> d;
      case H -> h;
      case W -> w;
    };
  }

  /** The same with another count along an axis. */
  public Slicing with(Axis axis, int count) {
    return switch (axis) {
      case N -> new Slicing(count, c, d, h, w);
      case C -> new Slicing(n, count, d, h, w);
      case D -> new Slicing(n, c, count, h, w);
      case H -> new Slicing(n, c, d, count, w);
      case W -> new Slicing(n, c, d, h, count);
    };
  }

  /** How often the group runs: the product of the counts. */
  public long count() {
    return (long) n * c * d * h * w;
  }

  /** Whether anything is cut. */
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

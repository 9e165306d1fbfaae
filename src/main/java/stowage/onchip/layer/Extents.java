package stowage.onchip.layer;

import java.util.List;

/**
 * The extents of a tensor, or of a slice of it, along the five axes of LMEM.
 *
 * <p>A tensor of up to four dimensions is read as batch, channels, rows, columns, from the front; a
 * fifth dimension makes the third the depth; further ones are folded into the columns. Scalars and
 * absent dimensions have extent 1; a tensor of one dimension is read as channels.
 *
 * @param n batch
 * @param c channels
 * @param d depth
 * @param h rows
 * @param w columns
 */
public record Extents(long n, long c, long d, long h, long w) {

  /** Checks that no extent is negative. */
  public Extents {
    if (n < 0 || c < 0 || d < 0 || h < 0 || w < 0) {
      throw new IllegalArgumentException(
          "extents " + List.of(n, c, d, h, w) + " should be 0 or more");
    }
  }

  /** The extents of a shape, as LMEM sees it. */
  public static Extents of(List<Long> shape) {
    switch (shape.size()) {
      case 0:
        return new Extents(1, 1, 1, 1, 1);
      case 1:
        return new Extents(1, shape.get(0), 1, 1, 1);
      case 2:
        return new Extents(shape.get(0), shape.get(1), 1, 1, 1);
      case 3:
        return new Extents(shape.get(0), shape.get(1), 1, shape.get(2), 1);
      case 4:
        return new Extents(shape.get(0), shape.get(1), 1, shape.get(2), shape.get(3));
      default:
        long columns = 1;
        for (long extent : shape.subList(4, shape.size())) {
          columns *= extent;
        }
        return new Extents(shape.get(0), shape.get(1), shape.get(2), shape.get(3), columns);
    }
  }

  /** The axis that a dimension of a tensor of the given rank is on. */
  public static Axis axisOf(int dimension, int rank) {
    if (rank == 1) {
      return Axis.C;
    }
    switch (dimension) {
      case 0:
        return Axis.N;
      case 1:
        return Axis.C;
      case 2:
        return rank >= 5 ? Axis.D : Axis.H;
      case 3:
        return rank >= 5 ? Axis.H : Axis.W;
      default:
        return Axis.W;
    }
  }

  /** The extent along one axis. */
  public long along(Axis axis) {
    return switch (axis) {
      case N -> n;
      case C -> c;
      case D -> d;
      case H -> h;
      case W -> w;
    };
  }

  /** The number of elements. */
  public long elements() {
    return n * c * d * h * w;
  }
}

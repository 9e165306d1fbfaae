package stowage.onchip.layer;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The extents of a tensor, or of a slice of it, along the five axes of LMEM: batch, channels,
 * depth, rows, columns.
 *
 * <p>A tensor of up to four dimensions is read as batch, channels, rows, columns, from the front; a
 * fifth dimension makes the third the depth; further ones are folded into the columns. Scalars and
 * absent dimensions have extent 1; a tensor of one dimension is read as channels.
 */
public record Extents(long n, long c, long d, long h, long w) {
  public Extents {
    if (n < 0 || c < 0 || d < 0 || h < 0 || w < 0) {
      throw new IllegalArgumentException(
          "extents " + List.of(n, c, d, h, w) + " should be 0 or more");
    }
  }

  /** The extents of a shape, as LMEM sees it. */
  public static Extents of(List<Long> shape) {
    int rank = shape.size();
    long[] all =
        LongStream.concat(shape.stream().mapToLong(x -> x), LongStream.of(1, 1, 1, 1)).toArray();
    if (rank < 2) {
      return new Extents(1, all[0], 1, 1, 1);
    }
    return rank < 5
        ? new Extents(all[0], all[1], 1, all[2], all[3])
        : new Extents(
            all[0], all[1], all[2], all[3], LongStream.of(all).skip(4).reduce(1, (a, b) -> a * b));
  }

  /** The axis that a dimension of a tensor of the given rank is on. */
  public static Axis axisOf(int dimension, int rank) {
    if (rank == 1) {
      return Axis.C;
    }
    int axis = rank < 5 && dimension > 1 ? dimension + 1 : dimension;
    return axis < 0 || axis >= Axis.COUNT ? Axis.W : Axis.values()[axis];
  }

  public long along(Axis axis) {
    return switch (axis) {
      case N -> n;
      case C -> c;
      case D -> d;
      case H -> h;
      case W -> w;
    };
  }

  public long elements() {
    return n * c * d * h * w;
  }
}

package stowage.network;

import java.util.List;

/**
 * A value of a network: what one op makes and others read.
 *
 * @param name unique in the network
 * @param shape extents, each 0 or more; empty for a scalar
 * @param kind whether it is computed, constant, or state kept between runs
 */
public record Tensor(String name, List<Long> shape, ElementType type, Kind kind) {
  /** How a tensor comes to be. */
  public enum Kind {
    /** Computed while the network runs, or given to it: planned by its live range. */
    ACTIVATION,
    /** Constant data of the model: laid out once, never reused. */
    WEIGHT,
    /** State that survives between runs, such as a KV cache kept by the model: never reused. */
    VARIABLE
  }

  /** So many elements of 128 bits are within a long as bits. */
  private static final long MOST_ELEMENTS = Long.MAX_VALUE / 128;

  /** Checks that no extent is negative and there are fewer than 2^56 elements. */
  public Tensor {
    if (name == null || name.isEmpty()) {
      throw new InvalidNetworkException("a tensor needs a name that is not empty");
    }
    shape = List.copyOf(shape);
    long elements = shape.contains(0L) ? 0 : 1;
    for (long extent : shape) {
      if (extent < 0) {
        throw new InvalidNetworkException(
            "tensor \"%s\": extent %s of shape %s should be 0 or more", name, extent, shape);
      }
      if (elements > MOST_ELEMENTS / Math.max(1, extent)) {
        throw new InvalidNetworkException(
            "tensor \"%s\": shape %s should have at most %s elements", name, shape, MOST_ELEMENTS);
      }
      elements *= extent;
    }
  }

  /** The number of elements: the product of the extents, 1 for a scalar. */
  public long elements() {
    long elements = 1;
    for (long extent : shape) {
      elements *= extent;
    }
    return elements;
  }

  /** Bytes of the whole tensor, its bits packed and rounded up. */
  public long bytes() {
    return (elements() * type.bits() + 7) / 8;
  }

  /** Whether the tensor is constant. */
  public boolean isWeight() {
    return kind == Kind.WEIGHT;
  }

  public long extent(int dimension) {
    return shape.get(dimension);
  }

  /** The number of dimensions. */
  public int rank() {
    return shape.size();
  }
}

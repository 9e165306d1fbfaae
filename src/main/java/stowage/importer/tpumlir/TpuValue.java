package stowage.importer.tpumlir;

import java.util.List;
import java.util.OptionalLong;
import stowage.network.ElementType;
import stowage.network.Tensor;

/**
 * A value of a TPU-MLIR file: a tensor in GMEM, or inside of a layer group one in LMEM.
 *
 * @param id distinguishes it from all others of the file; empty for an absent operand ({@code
 *     top.None})
 * @param name what the file calls it; inside of a group it may equal that of a value outside
 * @param shape extents of the whole tensor, not of a slice
 * @param type type of the elements
 * @param weight whether it is constant
 * @param address where it is in GMEM, if the file says
 */
public record TpuValue(
    String id,
    String name,
    List<Long> shape,
    ElementType type,
    boolean weight,
    OptionalLong address) {
  /** Marks an operand that is absent. */
  public static final TpuValue ABSENT =
      new TpuValue("", "", List.of(), ElementType.OPAQUE, false, OptionalLong.empty());

  /** Whether there is a value at all. */
  public boolean present() {
    return !id.isEmpty();
  }

  /** Bytes of the whole tensor. */
  public long bytes() {
    return tensor().bytes();
  }

  /** The value as a network's tensor. */
  public Tensor tensor() {
    return new Tensor(
        present() ? name : "none",
        shape,
        type,
        weight ? Tensor.Kind.WEIGHT : Tensor.Kind.ACTIVATION);
  }
}

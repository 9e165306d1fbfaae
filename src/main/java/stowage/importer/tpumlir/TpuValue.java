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
 * @param tensor the whole, not a slice of it, by the name that the file calls it; inside of a group
 *     that may equal the name of a value outside
 * @param address where it is in GMEM, if the file says
 */
public record TpuValue(String id, Tensor tensor, OptionalLong address) {
  /** Marks an operand that is absent. */
  public static final TpuValue ABSENT =
      new TpuValue(
          "",
          new Tensor("none", List.of(), ElementType.OPAQUE, Tensor.Kind.ACTIVATION),
          OptionalLong.empty());

  /** Whether there is a value at all. */
  public boolean present() {
    return !id.isEmpty();
  }

  /** The tensor's name; empty for an absent operand. */
  public String name() {
    return present() ? tensor.name() : "";
  }
}

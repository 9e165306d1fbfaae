package stowage.onchip.layer;

import stowage.network.Chip;
import stowage.network.ElementType;
import stowage.network.Tensor;

/**
 * How many bytes of each lane a tensor takes.
 *
 * <p>Channels are dealt out over the lanes, one after the other; each lane holds, for every batch,
 * depth and round of channels, an image of h * w elements, whose extent is rounded up to what the
 * execution unit takes at once where the op asks for it. With 64 lanes of 64-byte units,
 * 1x256x56x56 16-bit elements take 4 rounds of 56 * 56 = 3136 elements (a multiple of 32): 25,088
 * bytes a lane.
 *
 * <p>Source: {@code Arch::get_tensor_lmem_bytes} of TPU-MLIR, lib/Backend/Arch.cpp.
 */
public final class LaneSize {
  private LaneSize() {}

  /**
   * The bytes of each lane that a tensor, or its largest slice, takes; {@code aligned} says whether
   * each image is rounded up to the execution unit.
   */
  public static long bytes(Chip chip, int bits, Extents extents, boolean aligned) {
    long rounds = ceilDiv(extents.c(), chip.lanes());
    long image = extents.h() * extents.w();
    if (chip.fourNPacking()) {
      long perWord = Math.max(1, 32 / Math.max(1, bits));
      long words = ceilDiv(extents.n(), perWord) * Math.max(1, bits / 32);
      return words * extents.d() * rounds * alignUp(image, Math.max(1, chip.vectorBytes() / 4)) * 4;
    }
    long unit = Math.max(1, 8L * chip.vectorBytes() / Math.max(1, bits));
    long elements = extents.n() * extents.d() * rounds * (aligned ? alignUp(image, unit) : image);
    return bits < 8 ? ceilDiv(alignUp(elements, 2) * bits, 8) : elements * (bits / 8);
  }

  /** Bytes of a number of elements of this many bits each, packed. */
  public static long bytes(long elements, int bits) {
    return (elements * bits + 7) / 8;
  }

  /** Bytes of a constant as it is moved: in the chip's layout, without alignment. */
  public static long weightBytes(Layer.WeightUse weight, Tensor tensor) {
    return tensor.type() == ElementType.OPAQUE
        ? 0
        : Math.max(tensor.bytes(), bytes(weight.extents().elements(), weight.bits()));
  }

  /** The quotient rounded up. */
  public static long ceilDiv(long value, long by) {
    return (value + by - 1) / by;
  }

  /** The value rounded up to a multiple. */
  public static long alignUp(long value, long to) {
    return ceilDiv(value, to) * to;
  }
}

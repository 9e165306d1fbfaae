package stowage.onchip.layer;

import java.util.function.IntFunction;
import stowage.network.Chip;

/**
 * Bytes of each lane that an op needs while it runs, besides its operands and results.
 *
 * <p>Depthwise convolutions: one channel's image of the operand, 32-bit sums of the result, one
 * byte a tap and round, and 4: this gives the {@code buffer_size} of every depthwise convolution of
 * compiled 16-bit models. Convolutions and additions of 8-bit integers: 32-bit sums of the result.
 * Softmax and normalisations: two 32-bit images of the result; other functions: two images of the
 * operand. Tables of function values are small and not counted.
 *
 * <p>Source: getBufferSize of TPU-MLIR's local layers (lib/Dialect/Tpu/Interfaces/BM1684X), and
 * measurement where it is said.
 */
public final class Scratch {
  private Scratch() {}

  /** The scratch of an op on given slices, {@code largest} giving the extents of a tensor's. */
  public static long bytes(LayerGraph graph, Layer layer, IntFunction<Extents> largest) {
    Chip chip = graph.chip();
    int first = layer.operands().get(0).tensor();
    int bits = graph.bits(first);
    Extents operand = largest.apply(first);
    Extents result = largest.apply(layer.results()[0]);
    long rounds = LaneSize.ceilDiv(result.c(), chip.lanes());
    Layer.Work work = layer.work();
    switch (work.kind()) {
      case WINDOW:
        if (work.window() == 0) {
          return 0;
        }
        long image = LaneSize.bytes(operand.h() * operand.w(), bits);
        return image + rounds * result.h() * result.w() * 4 + rounds * work.window() + 4;
      case PRODUCT:
        return bits <= 8 ? LaneSize.bytes(chip, 32, result, true) : 0;
      case ELEMENTWISE:
        boolean sum = bits <= 8 && layer.operands().size() + layer.weights().size() > 1;
        return sum ? LaneSize.bytes(chip, 32, result, true) : 0;
      case FUNCTION:
        boolean whole = layer.operands().get(0).rules().contains(AxisRule.UNCUT);
        return whole
            ? 2 * LaneSize.bytes(chip, 32, result, true)
            : 2 * LaneSize.bytes(chip, bits, operand, true) / Math.max(1, operand.n());
      default:
        return 0;
    }
  }
}

package stowage.rewrite;

import java.util.List;
import java.util.Map;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.rewrite.range.AxisRules;

/**
 * Operands that say, as constants, what a piece has to have of its own: where a slice begins, the
 * shape of a result, margins. A rewritten op has them as attributes, the operand being absent;
 * writers of files make constants of them again.
 */
public final class ConstantOperands {
  private static final Map<String, List<String>> TFLITE =
      Map.of(
          "SLICE", List.of("", "begin", "size"),
          "PAD", List.of("", "pads"),
          "PADV2", List.of("", "pads"),
          "RESHAPE", List.of("", "shape"),
          "RESIZENEARESTNEIGHBOR", List.of("", "size"),
          "TRANSPOSECONV", List.of("output_shape"));
  private static final Map<String, List<String>> OTHERS =
      Map.of(
          "SLICE", List.of("", "starts", "ends", "axes", "steps"),
          "PAD", List.of("", "pads"),
          "RESHAPE", List.of("", "shape"),
          "RESIZE", List.of("", "", "", "sizes"));

  private ConstantOperands() {}

  /** The attributes that stand for operands, by position; empty names: operands that stay. O(1). */
  public static List<String> of(Network network, Op op) {
    return (AxisRules.isTflite(network) ? TFLITE : OTHERS).getOrDefault(OpTypes.key(op), List.of());
  }
}

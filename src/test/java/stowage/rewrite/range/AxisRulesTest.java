package stowage.rewrite.range;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.network.Graphs;
import stowage.network.Network;

class AxisRulesTest {
  /** Whether the op y of a network can be cut along each dimension of its result. */
  private static String cuts(String op) {
    String statements = "format onnx; x:2x4x6; weight one:1 scale:4 last:6 blocks:2x4x2; ";
    Network network = Graphs.of(statements + "y:2x4x6 = " + op + "; -> y").network();
    AxisRules rules = new AxisRules(network);
    StringBuilder cuts = new StringBuilder();
    for (int dim = 0; dim < 3; dim++) {
      AxisRule rule = rules.rule(network.ops().get(0), dim, PadForm.values()[0]);
      cuts.append(rule.barrier() == null && rule.dimension(0) == dim ? "y" : "n");
    }
    return cuts.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "QuantizeLinear x one one, yyy",
    "QuantizeLinear x scale scale, yny",
    "DequantizeLinear x last axis=-1, yyn",
    "DequantizeLinear x last axis=2, yyn",
    "QuantizeLinear x blocks axis=2 block_size=3, nnn",
    "QuantizeLinear x, nnn",
    "DequantizeLinear x _ one, nnn"
  })
  void quantisedAxesAreNotCut(String op, String cuts) {
    assertEquals(cuts, cuts(op), op);
  }

  /** Networks in JSON say how a resize rounds as ONNX files do, by ONNX's defaults. */
  @ParameterizedTest
  @CsvSource({
    "'', true",
    "coordinate_transformation_mode=asymmetric nearest_mode=floor, true",
    "coordinate_transformation_mode=asymmetric nearest_mode=ceil, false",
    "coordinate_transformation_mode=align_corners, false"
  })
  void onlyAResizeThatRepeatsRowsIsCut(String attributes, boolean cut) {
    Network network =
        Graphs.of("x:1x1x2x2; y:1x1x4x4 = Resize x mode=nearest " + attributes + "; -> y")
            .network();
    AxisRule rule = new AxisRules(network).rule(network.ops().get(0), 2, PadForm.values()[0]);
    assertEquals(cut, rule.barrier() == null, rule.barrier());
  }

  /** Strides, taps and dilations of 0 or less, and slices of a scalar, are no windows or ranges. */
  @Test
  void numbersThatNoOpHasAreNotFollowed() {
    List<Long> shape = List.of(1L, 1L, 4L, 4L);
    for (String wrong : List.of("strides=[0,1]", "strides=[1,-1]", "dilations=[1,0]")) {
      Network network =
          Graphs.of(
                  "format onnx; x:1x1x4x4; weight w:1x1x1x1; y:1x1x4x4 = Conv x w "
                      + wrong
                      + "; -> y")
              .network();
      assertNull(WindowShape.of(network.ops().get(0), shape, shape, shape, false, false), wrong);
    }
    Network slice = Graphs.of("x:1; y:1 = Slice x starts=[0]; -> y").network();
    assertArrayEquals(new long[] {0}, SliceStarts.of(slice.ops().get(0), new long[] {1}));
    assertNull(SliceStarts.of(slice.ops().get(0), new long[0]));
  }
}

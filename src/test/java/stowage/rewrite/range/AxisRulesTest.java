package stowage.rewrite.range;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}

package stowage.rewrite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;

class RewritingTest {

  @Test
  void productsAreCountedByTheFiltersOfEachFormat() {
    Network network =
        Graphs.of(
                ElementType.I8, "x:1x8x8x4 y:1x8x8x6; weight image:6x3x3x4 depth:1x3x5x6 rows:6x4")
            .and("format tflite; -> x")
            .network();
    assertEquals(384 * 36, count(network, "CONV_2D", "x", "image"));
    assertEquals(384 * 15, count(network, "DEPTHWISE_CONV_2D", "x", "depth"));
    assertEquals(384 * 4, count(network, "FULLY_CONNECTED", "x", "rows"));
    assertEquals(256 * 36, count(network, "ConvTranspose", "x", "image"));
    assertEquals(384 * 4, count(network, "MatMul", "x", "rows"));
    assertEquals(384 * 8, MacCount.of(network, op("Gemm", Map.of("transA", 1L), "x", "rows")));
    assertEquals(0, count(network, "Add", "x", "rows"));
    assertEquals(0, count(network, "CONV_2D", "", "image"));
    assertEquals(0, count(network, "TRANSPOSE_CONV", "x", "image"));
    Op without = new Op("o", "CONV_2D", Map.of(), List.of("x", "image"), List.of(), 0);
    assertEquals(0, MacCount.of(network, without)); // it writes what was written before
  }

  private static long count(Network network, String type, String... inputs) {
    return MacCount.of(network, op(type, Map.of(), inputs));
  }

  private static Op op(String type, Map<String, Object> attributes, String... inputs) {
    return new Op("o", type, attributes, List.of(inputs), List.of("y"), 0);
  }

  @Test
  void copiesOfOpsNamedLikeTheirResultsAreNumbered() {
    Network network = Graphs.of("x:4; y:4 = Relu x; z:4 = Add y x; -> z").network();
    Op again = Recomputation.of(network, new int[] {0, 0, 1}).network().ops().get(1);
    assertEquals("y@2 [y@2]", again.name() + " " + again.outputs());
  }

  @Test
  void evenPiecesDifferByOneAtMost() {
    assertArrayEquals(new int[] {3, 5}, AxisSplit.even(SplitAxis.ROWS, 7, 3).bounds());
    assertThrows(IllegalArgumentException.class, () -> AxisSplit.even(SplitAxis.ROWS, 2, 3));
    assertThrows(
        IllegalArgumentException.class, () -> new AxisSplit(SplitAxis.ROWS, new int[] {3, 3}));
  }
}

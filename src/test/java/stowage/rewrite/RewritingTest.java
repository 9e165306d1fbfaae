package stowage.rewrite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

class RewritingTest {

  private static Tensor tensor(String name, Tensor.Kind kind, Long... shape) {
    return new Tensor(name, List.of(shape), ElementType.I8, kind);
  }

  @Test
  void productsAreCountedByTheFiltersOfEachFormat() {
    Tensor x = tensor("x", Tensor.Kind.ACTIVATION, 1L, 8L, 8L, 4L);
    Tensor y = tensor("y", Tensor.Kind.ACTIVATION, 1L, 8L, 8L, 6L);
    Tensor image = tensor("image", Tensor.Kind.WEIGHT, 6L, 3L, 3L, 4L);
    Tensor depth = tensor("depth", Tensor.Kind.WEIGHT, 1L, 3L, 5L, 6L);
    Tensor rows = tensor("rows", Tensor.Kind.WEIGHT, 6L, 4L);
    Network network =
        new Network(
            "n",
            "tflite",
            List.of(x, y, image, depth, rows),
            List.of(),
            List.of("x"),
            List.of("x"),
            List.of());
    assertEquals(384 * 36, count(network, "CONV_2D", "x", "image"));
    assertEquals(384 * 15, count(network, "DEPTHWISE_CONV_2D", "x", "depth"));
    assertEquals(384 * 4, count(network, "FULLY_CONNECTED", "x", "rows"));
    assertEquals(256 * 36, count(network, "ConvTranspose", "x", "image"));
    assertEquals(384 * 4, count(network, "MatMul", "x", "rows"));
    assertEquals(384 * 8, MacCount.of(network, op("Gemm", Map.of("transA", 1L), "x", "rows")));
    assertEquals(0, count(network, "Add", "x", "rows"));
  }

  private static long count(Network network, String type, String... inputs) {
    return MacCount.of(network, op(type, Map.of(), inputs));
  }

  private static Op op(String type, Map<String, Object> attributes, String... inputs) {
    return new Op("o", type, attributes, List.of(inputs), List.of("y"), 0);
  }

  @Test
  void evenPiecesDifferByOneAtMost() {
    assertArrayEquals(new int[] {3, 5}, AxisSplit.even(SplitAxis.ROWS, 7, 3).bounds());
    assertThrows(IllegalArgumentException.class, () -> AxisSplit.even(SplitAxis.ROWS, 2, 3));
    assertThrows(
        IllegalArgumentException.class, () -> new AxisSplit(SplitAxis.ROWS, new int[] {3, 3}));
  }
}

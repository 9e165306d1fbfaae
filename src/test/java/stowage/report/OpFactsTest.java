package stowage.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Ops by step, and producers and readers of buffers. */
class OpFactsTest {

  @Test
  void producersAndReadersFollowTheOrderThatRuns() {
    List<Tensor> tensors = new ArrayList<>();
    for (String name : List.of("x", "a", "b", "y")) {
      tensors.add(new Tensor(name, List.of(2L, 3L), ElementType.F32, Tensor.Kind.ACTIVATION));
    }
    Network network =
        new Network(
            "net",
            "test",
            tensors,
            List.of(
                new Op("left", "Relu", Map.of(), List.of("x"), List.of("a"), 0),
                new Op("right", "Conv", Map.of(), List.of("x"), List.of("b"), 0),
                new Op("sum", "Add", Map.of(), List.of("a", "b"), List.of("y"), 0)),
            List.of("x"),
            List.of("y"),
            List.of());
    OpFacts facts =
        OpFacts.of(
            network,
            new int[] {1, 0, 2},
            List.of(List.of("x"), List.of("a", "y"), List.of("b"), List.of()));
    assertEquals(List.of("right", "left", "sum"), facts.names());
    assertEquals(List.of("Conv", "Relu", "Add"), facts.types());
    assertArrayEquals(new int[] {-1, 1, 0, -1}, facts.producers());
    assertArrayEquals(new int[] {0, 1}, facts.readers().get(0));
    assertArrayEquals(new int[] {2}, facts.readers().get(1));
    assertEquals("2x3 f32", facts.shapes().get(0));
    assertEquals("", facts.shapes().get(3));
  }
}

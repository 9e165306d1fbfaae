package stowage.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;

/** Ops by step, and producers and readers of buffers. */
class OpFactsTest {

  @Test
  void producersAndReadersFollowTheOrderThatRuns() {
    Network network =
        Graphs.of(ElementType.F32, "x:2x3; a:2x3 = Relu x; b:2x3 = Conv x; y:2x3 = Add a b; -> y")
            .network();
    OpFacts facts =
        OpFacts.of(
            network,
            new int[] {1, 0, 2},
            List.of(List.of("x"), List.of("a", "y"), List.of("b"), List.of()));
    assertEquals(List.of("b", "a", "y"), facts.names());
    assertEquals(List.of("Conv", "Relu", "Add"), facts.types());
    assertArrayEquals(new int[] {-1, 1, 0, -1}, facts.producers());
    assertArrayEquals(new int[] {0, 1}, facts.readers().get(0));
    assertArrayEquals(new int[] {2}, facts.readers().get(1));
    assertEquals("2x3 f32", facts.shapes().get(0));
    assertEquals("", facts.shapes().get(3));
  }
}

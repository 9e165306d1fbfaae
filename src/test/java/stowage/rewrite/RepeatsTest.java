package stowage.rewrite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Readers of variables run again as long as the variable is what it was. */
class RepeatsTest {
  private static Tensor tensor(String name, Tensor.Kind kind) {
    return new Tensor(name, List.of(4L), ElementType.U8, kind);
  }

  private static Op op(String name, String type, List<String> reads, String result) {
    return new Op(name, type, Map.of(), reads, result == null ? List.of() : List.of(result), 0);
  }

  /** Two readers of w around what may write it, and a reader of a variable nothing writes. */
  private static Network network(String between, String result) {
    return new Network(
        "n",
        "json",
        List.of(
            tensor("x", Tensor.Kind.ACTIVATION),
            tensor("w", Tensor.Kind.VARIABLE),
            tensor("s", Tensor.Kind.VARIABLE),
            tensor("a", Tensor.Kind.ACTIVATION),
            tensor("b", Tensor.Kind.ACTIVATION),
            tensor("c", Tensor.Kind.ACTIVATION),
            tensor("d", Tensor.Kind.ACTIVATION)),
        List.of(
            op("first", "Mul", List.of("x", "w"), "a"),
            op("state", "Mul", List.of("a", "s"), "b"),
            op("between", between, List.of("w", "b"), result),
            op("last", "Mul", List.of("a", "w"), "d")),
        List.of("x"),
        List.of("d"),
        List.of());
  }

  @Test
  void aReaderRunsAgainUntilItsVariableIsWritten() {
    for (String writer : List.of("SgdUpdate", "Anything")) {
      Network network = network(writer, writer.equals("Anything") ? "c" : null);
      assertNull(Repeats.obstacle(network, network.ops().get(0)));
      assertEquals(
          "reads variable \"s\"", Repeats.obstacle(network, network.ops().get(1)), "not written");
      assertNull(Repeats.obstacle(network, network.ops().get(3)));
      assertArrayEquals(new int[] {2, 4, 4, 4}, Repeats.until(network));
      assertEquals(5, Recomputation.of(network, new int[] {0, 1, 0, 2, 3}).network().ops().size());
      Recomputation.of(network, new int[] {0, 1, 2, 3, 3});
      Exception refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> Recomputation.of(network, new int[] {0, 1, 2, 0, 3}));
      assertEquals(
          "op \"first\" must not run again after a variable it reads was written",
          refused.getMessage());
    }
    Network unknown = network("Anything", "c");
    assertEquals("reads variable \"w\"", Repeats.obstacle(unknown, unknown.ops().get(2)));
  }

  @Test
  void readersOfAVariableThatNothingWritesNeverRunAgain() {
    Network network = network("Mul", "c");
    for (Op op : network.ops()) {
      String read = op.name().equals("state") ? "s" : "w";
      assertEquals("reads variable \"" + read + "\"", Repeats.obstacle(network, op));
    }
  }
}

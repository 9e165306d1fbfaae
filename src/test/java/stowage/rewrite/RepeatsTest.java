package stowage.rewrite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.Refusals;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;

/** Readers of variables run again as long as the variable is what it was. */
class RepeatsTest {
  /** Two readers of w around what may write it, and a reader of a variable nothing writes. */
  private static Network network(String between) {
    String ops = "a:4 = Mul x w name=first; b:4 = Mul a s name=state; %s w b name=between;";
    return Graphs.of("x:4; variable w:4 s:4; " + ops.formatted(between))
        .and("d:4 = Mul a w name=last; -> d")
        .network();
  }

  @Test
  void aReaderRunsAgainUntilItsVariableIsWritten() {
    for (String writer : List.of("= SgdUpdate", "c:4 = Anything")) {
      Network network = network(writer);
      assertNull(Repeats.obstacle(network, network.ops().get(0)));
      assertEquals(
          "reads variable \"s\"", Repeats.obstacle(network, network.ops().get(1)), "not written");
      assertNull(Repeats.obstacle(network, network.ops().get(3)));
      assertArrayEquals(new int[] {2, 4, 4, 4}, Repeats.until(network));
      assertEquals(5, Recomputation.of(network, new int[] {0, 1, 0, 2, 3}).network().ops().size());
      Recomputation.of(network, new int[] {0, 1, 2, 3, 3});
      Refusals.says(
          IllegalArgumentException.class,
          () -> Recomputation.of(network, new int[] {0, 1, 2, 0, 3}),
          "op \"first\" must not run again after a variable it reads was written");
    }
    Network unknown = network("c:4 = Anything");
    assertEquals("reads variable \"w\"", Repeats.obstacle(unknown, unknown.ops().get(2)));
  }

  @Test
  void readersOfAVariableThatNothingWritesNeverRunAgain() {
    Network network = network("c:4 = Mul");
    for (Op op : network.ops()) {
      String read = op.name().equals("state") ? "s" : "w";
      assertEquals("reads variable \"" + read + "\"", Repeats.obstacle(network, op));
    }
  }
}

package stowage.planning.schedule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.schedule.order.SystemOrders;

/**
 * The orders of real systems on one graph on which they all differ, each worked by hand from the
 * system's rules. x has 10 bytes; the outputs are R and H; no op reads E. S is a Shape, R a
 * Reshape.
 *
 * <pre>
 * A 4 (x)   B 5 (x)   C 4 (A, B)   D 1 (A)   E 9 (C)   S 1 (D, B)   R 9 (B)   H 1 (S)
 * </pre>
 */
class SystemOrdersTest {
  private final Network network =
      Graphs.of(
              "x:10; A:4 = Conv x; B:5 = Conv x; C:4 = Conv A B; D:1 = Conv A; E:9 = Conv C; "
                  + "S:1 = Shape D B; R:9 = Reshape B; H:1 = Conv S; -> R H")
          .network();

  private void runs(String system, String order) {
    StringBuilder names = new StringBuilder();
    for (int k : SystemOrders.of(network).get(system)) {
      names.append(network.ops().get(k).name());
    }
    assertEquals(order, names.toString(), system);
  }

  @Test
  void inductorTakesWhatNeedsLeastThenBreadthThenDepth() {
    // A (4 above the peak) before B (5); D (1) before B; C and S gain 0, C is first; E frees 13.
    runs("inductor-lpmf", "ADBCESHR");
    // By places of predecessors: D [0], C [0, 1], R [1], S [1, 2], E [3], H [5].
    runs("inductor-bfs", "ABDCRSEH");
    // Bytes made and read: H 2, D 5, S 7, C 13, E 13, A 14, R 14, B 15.
    runs("inductor-dfs", "ADBSHCER");
  }

  /** What a list gives in which all users of all operands are renewed, on 300 drawn networks. */
  @Test
  void xlaRenewsTheUsersOfOperandsInTheirOrder() {
    int hash = 0;
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder("n0:3; ");
      int ops = 5 + random.nextInt(30);
      for (int k = 1; k <= ops; k++) {
        text.append("n").append(k).append(':').append(1 + random.nextInt(3)).append(" = Conv");
        for (int read : random.ints(1 + random.nextInt(4), 0, k).distinct().toArray()) {
          text.append(" n").append(read);
        }
        text.append("; ");
      }
      Network drawn = Graphs.of(text + "-> n" + ops + " n1").network();
      hash = 31 * hash + Arrays.hashCode(SystemOrders.of(drawn, "xla-list"));
    }
    assertEquals(1405374598, hash);
  }

  @Test
  void xlaTakesTheGreatestGainOrGoesByExtraUsersOrByOperands() {
    // A -4 before B -5; D, S, H of one element first; C 0; R frees B then: -4; E -5.
    runs("xla-list", "ADBSHCRE");
    // The dead E first, through C to B (2 extra users) and A (1); H (3) before R (2).
    runs("xla-dfs", "BACEDSHR");
    // The dead E first, operands in their order, then R, then H.
    runs("xla-post-order", "ABCERDSH");
  }

  @Test
  void onnxRuntimeGoesBackFromTheLastLeafByTheHighestProducer() {
    runs("onnxruntime", "ADBSHRCE");
    runs("onnxruntime-priority", "ABCDSERH"); // the Shape as soon as it is ready
  }

  @Test
  void openVinoGoesBackFromTheOutputsByPortsAndDoesTheRestLast() {
    runs("openvino-cpu", "BRADSHCE");
  }

  @Test
  void velaGoesBackFromTheOutputsOnceAllReadersAreTaken() {
    // Backwards: R; H, S, D, A, and B once both R and S are taken. C and E lead to no output.
    runs("vela", "BADSHRCE");
  }

  @Test
  void tpuMlirTakesLocalOpsInTurnsWithOthers() {
    // B is the last ready op; A; its users D and C; C's only user E; then R and S, which are not
    // local, as users of B; then H.
    runs("tpu-mlir", "BADCERSH");
  }

  /** Each op of the chain waits for its reader that is not local until the chain has ended. */
  @Test
  void tpuMlirTakesNoSquareOfTheOpsThatWait() {
    int ops = 20_000;
    StringBuilder text = new StringBuilder("t0:1");
    for (int k = 1; k <= ops; k++) {
      text.append("; t%d:1 = Neg t%d; s%1$d:1 = Sort t%1$d".formatted(k, k - 1));
    }
    Network chain = Graphs.of(text.append("; -> s" + ops).toString()).network();
    int[] expected = new int[2 * ops];
    for (int k = 0; k < ops; k++) {
      expected[k] = chain.producer("t" + (k + 1));
      expected[2 * ops - 1 - k] = chain.producer("s" + (k + 1));
    }
    assertArrayEquals(expected, SystemOrders.of(chain, "tpu-mlir"));
  }

  @Test
  void whereTimeIsOutTheOwnOrderIsThereAlone() {
    Map<String, int[]> orders = new HashMap<>();
    SystemOrders.addTo(orders, network, () -> true);
    assertEquals(Set.of(SystemOrders.GIVEN), orders.keySet());
  }

  @Test
  void allOfThemDifferHere() {
    Set<String> seen = new HashSet<>();
    Set<String> choices = Set.of("inductor", "xla", "random");
    Map<String, int[]> orders = SystemOrders.of(network);
    for (Map.Entry<String, int[]> one : orders.entrySet()) {
      if (!choices.contains(one.getKey())) {
        seen.add(Arrays.toString(one.getValue()));
      }
    }
    assertEquals(orders.size() - choices.size(), seen.size());
  }

  @Test
  void theChoicesTakeTheLeastOfTheirOwnEstimates() {
    // The given order has 19 bytes live at B, when x is still there; lpmf 20, at B after D.
    runs("inductor", "ABCDESRH");
    // Without parameters: list 23, at E beside B's R and H; dfs and post-order 22, at E.
    runs("xla", "BACEDSHR");
  }
}

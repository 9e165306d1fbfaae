package stowage.planning.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
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
  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Op> ops = new ArrayList<>();
  private final Network network = network();

  private Network network() {
    tensor("x", 10);
    op("A", "Conv", 4, "x");
    op("B", "Conv", 5, "x");
    op("C", "Conv", 4, "A", "B");
    op("D", "Conv", 1, "A");
    op("E", "Conv", 9, "C");
    op("S", "Shape", 1, "D", "B");
    op("R", "Reshape", 9, "B");
    op("H", "Conv", 1, "S");
    return new Network("n", "json", tensors, ops, List.of("x"), List.of("R", "H"), List.of());
  }

  private void tensor(String name, long bytes) {
    tensors.add(new Tensor(name, List.of(bytes), ElementType.U8, Tensor.Kind.ACTIVATION));
  }

  private void op(String name, String type, long bytes, String... inputs) {
    tensor(name, bytes);
    ops.add(new Op(name, type, Map.of(), List.of(inputs), List.of(name), 0));
  }

  private void runs(String system, String order) {
    StringBuilder names = new StringBuilder();
    for (int k : SystemOrders.of(network).get(system)) {
      names.append(ops.get(k).name());
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

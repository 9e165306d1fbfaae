package stowage.planning.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;
import stowage.planning.LoadedProblem;

/** Two branches with a large tensor each: run one after the other, they need half as much. */
class OrderHintTest {
  private static Op op(String name, List<String> read) {
    return new Op("op_" + name, "Relu", Map.of(), read, List.of(name), 0);
  }

  private static String hint(List<String> order, LivenessOptions.Order freedom) {
    Map<String, Long> sizes = Map.of("x", 8L, "a", 900L, "b", 900L, "c", 8L, "d", 8L, "y", 8L);
    Map<String, Op> ops =
        Map.of(
            "a", op("a", List.of("x")),
            "b", op("b", List.of("x")),
            "c", op("c", List.of("a")),
            "d", op("d", List.of("b")),
            "y", op("y", List.of("c", "d")));
    List<Tensor> tensors = new ArrayList<>();
    for (String name : List.of("x", "a", "b", "c", "d", "y")) {
      List<Long> shape = List.of(sizes.get(name));
      tensors.add(new Tensor(name, shape, ElementType.I8, Tensor.Kind.ACTIVATION));
    }
    Network network =
        new Network(
            "branches",
            "test",
            tensors,
            order.stream().map(ops::get).toList(),
            List.of("x"),
            List.of("y"),
            List.of());
    PlanningCase planned =
        Liveness.of(network, LivenessOptions.defaults().withAlignments(1, 1).withOrder(freedom));
    Incumbent found = new Incumbent(planned.problem());
    found.offer(
        new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST)
            .plan(planned.problem(), RunControl.unlimited()),
        "greedy");
    LoadedProblem input = new LoadedProblem(planned.problem(), planned, null, null, Set.of());
    return OrderHint.of(input, found, "net.json");
  }

  @Test
  void namesTheCommandWhereAnotherOrderNeedsLess() {
    String said = hint(List.of("a", "b", "c", "d", "y"), LivenessOptions.Order.IN_ORDER);
    assertNotNull(said);
    assertTrue(said.endsWith("below that of this order: stowage schedule net.json"), said);
    assertEquals(said, hint(List.of("a", "b", "c", "d", "y"), LivenessOptions.Order.IN_ORDER));
  }

  @Test
  void saysNothingWhereTheOrderIsGoodOrFree() {
    assertNull(hint(List.of("a", "c", "b", "d", "y"), LivenessOptions.Order.IN_ORDER));
    assertNull(hint(List.of("a", "b", "c", "d", "y"), LivenessOptions.Order.BRANCHES));
  }
}

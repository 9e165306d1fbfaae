package stowage.planning.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;
import stowage.planning.LoadedProblem;

/** Two branches with a large tensor each: run one after the other, they need half as much. */
class OrderHintTest {
  /** Two branches from x, whose ops run in an order. */
  private static String hint(String order, LivenessOptions.Order freedom) {
    Map<String, String> ops =
        Map.of(
            "a", "a:900 = Relu x; ",
            "b", "b:900 = Relu x; ",
            "c", "c:8 = Relu a; ",
            "d", "d:8 = Relu b; ",
            "y", "y:8 = Relu c d; ");
    String all =
        order.chars().mapToObj(Character::toString).map(ops::get).collect(Collectors.joining());
    Network network = Graphs.of("x:8; " + all + "-> y").network();
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
    String said = hint("abcdy", LivenessOptions.Order.IN_ORDER);
    assertNotNull(said);
    assertTrue(said.endsWith("below that of this order: stowage schedule net.json"), said);
    assertEquals(said, hint("abcdy", LivenessOptions.Order.IN_ORDER));
  }

  @Test
  void saysNothingWhereTheOrderIsGoodOrFree() {
    assertNull(hint("acbdy", LivenessOptions.Order.IN_ORDER));
    assertNull(hint("abcdy", LivenessOptions.Order.BRANCHES));
  }
}

package stowage.planning.fit.piece;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Orders with shrinking ops moved forward, beside loads worked out step by step. */
class EagerOrderTest {
  @Test
  void anOpThatFreesMoreThanItMakesRunsAtOnce() {
    String ops = "big:9 = Grow x; b:2 = Op x; s:3 = Shrink big; y:1 = Join s b";
    Network network = Graphs.of("x:1; " + ops + "; -> y").network();
    int[] given = {0, 1, 2, 3};
    assertArrayEquals(new int[] {0, 2, 1, 3}, EagerOrder.of(network, given, Set.of("y")));
    assertArrayEquals(given, EagerOrder.of(network, given, Set.of("y", "big")), "big is kept");
  }

  /** By op the bytes that are there while it runs. */
  private static long[] loads(Network network, int[] order, Set<String> kept) {
    long[] loads = new long[order.length];
    for (Tensor tensor : network.tensors().values()) {
      int made = 0;
      int last = 0;
      for (int k = 0; k < order.length; k++) {
        Op op = network.ops().get(order[k]);
        made = op.outputs().contains(tensor.name()) ? k : made;
        last = op.inputs().contains(tensor.name()) ? k : last;
      }
      last = kept.contains(tensor.name()) ? order.length - 1 : Math.max(made, last);
      for (int k = made; k <= last; k++) {
        loads[order[k]] += tensor.bytes();
      }
    }
    return loads;
  }

  @Test
  void ordersStayOrdersAndNoOtherOpSeesMoreBytes() {
    int lower = 0;
    for (int seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      Graphs graph = Graphs.of("x:" + (1 + random.nextInt(20)));
      List<String> made = new ArrayList<>(List.of("x"));
      for (int k = 0; k < 3 + random.nextInt(8); k++) {
        Set<String> from = new HashSet<>();
        for (int n = random.nextInt(3); n >= 0; n--) {
          from.add(made.get(random.nextInt(made.size())));
        }
        made.add("t" + k);
        graph.and("t%d:%d = Op ".formatted(k, 1 + random.nextInt(20)) + String.join(" ", from));
      }
      String end = made.get(made.size() - 1);
      Network network = graph.and("-> " + end).network();
      Set<String> kept = random.nextBoolean() ? Set.of(end) : Set.of(end, "x");
      int[] given = network.executionOrder();
      int[] moved = EagerOrder.of(network, given, kept);
      assertArrayEquals(
          Arrays.stream(given).sorted().toArray(),
          Arrays.stream(moved).sorted().toArray(),
          "seed " + seed);
      Set<String> there = new HashSet<>(List.of("x"));
      long[] before = loads(network, given, kept);
      long[] after = loads(network, moved, kept);
      for (int index : moved) {
        Op op = network.ops().get(index);
        assertTrue(there.containsAll(op.inputs()), "seed " + seed + ": " + op.name());
        there.addAll(op.outputs());
        long read = op.inputs().stream().mapToLong(name -> network.tensor(name).bytes()).sum();
        if (network.tensor("t" + index).bytes() >= read) {
          assertTrue(after[index] <= before[index], "seed " + seed + ": " + op.name());
          lower += after[index] < before[index] ? 1 : 0;
        }
      }
      assertEquals(there.size(), made.size(), "seed " + seed);
    }
    assertTrue(lower > 100, lower + " steps hold less");
  }
}

package stowage.kernel.order;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.kernel.RandomKernels;
import stowage.kernel.cpsat.SpillFlow;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.KernelPlan;
import stowage.kernel.spill.SpillProblem;
import stowage.kernel.verify.KernelVerifier;

/** Traffic counted move by move, against whole orders and bounds of any choice of spills. */
class TrafficEstimateTest {
  @Test
  void movesNearTheBeginCostWhatTheWholeOrderCosts() {
    SplittableRandom random = new SplittableRandom(71);
    int moved = 0;
    int passed = 0;
    int cases = Thorough.of(150, 400);
    for (int k = 0; k < cases; k++) {
      KernelOps graph =
          RandomKernels.tight(random, 20 + random.nextInt(60), 1 + random.nextInt(2), 4);
      boolean[] feeder = new AnchorGreedy(graph).feeders();
      OrderMoves moves = new OrderMoves(graph, feeder, k % 2 == 0);
      TrafficEstimate estimate = new TrafficEstimate(graph);
      TrafficEstimate whole = new TrafficEstimate(graph);
      int[] order = RandomKernels.order(graph, random);
      moves.follow(order);
      double cost = estimate.follow(order);
      boolean anew = true;
      for (int m = 0; m < 30; m++) {
        int[] before = order.clone();
        moves.random(random);
        String label = "seed 71, case " + k + ", move " + m;
        assertTrue(RandomKernels.isOrder(graph, order), label);
        assertEquals(!Arrays.equals(order, before), moves.low < moves.high, label);
        if (moves.low == moves.high) {
          continue;
        }
        double limit = random.nextBoolean() ? Double.MAX_VALUE : cost;
        double found = estimate.moved(moves.low, moves.high, limit);
        double exact = whole.cost(order.clone(), Double.MAX_VALUE);
        if (anew && moves.low < 16 && found <= limit) {
          assertEquals(exact, found, label);
          moved++;
        }
        passed += found > limit ? 1 : 0;
        assertTrue(found > limit || found >= bound(graph, order), label);
        if (random.nextBoolean() && found <= limit) {
          estimate.keep();
          cost = found;
          anew = false;
        } else {
          moves.undo();
          estimate.undo(moves.low, moves.high);
          assertArrayEquals(before, order, label);
        }
        if (m % 3 == 0) {
          cost = estimate.follow(order);
          anew = true;
        }
      }
    }
    assertTrue(
        moved > 15 * cases / 4 && passed > 5 * cases / 2,
        moved + " compared, " + passed + " over limits");
  }

  private static long bound(KernelOps graph, int[] order) {
    return SpillProblem.of(graph, order).stream().mapToLong(p -> SpillFlow.solve(p).bound()).sum();
  }

  /** Traffic with addresses: that of a plan which the verifier admits. */
  @Test
  void replayedOrdersCostWhatTheirPlansMove() {
    SplittableRandom random = new SplittableRandom(72);
    long sum = 0;
    for (int k = 0; k < 200; k++) {
      KernelOps graph = RandomKernels.tight(random, 2 + random.nextInt(20), 1 + k % 2, 4);
      for (Replay.Fit fit : Replay.Fit.values()) {
        OrderSearch.OrderCost cost = OrderCosts.replayed(graph, fit);
        int[] order = RandomKernels.order(graph, random);
        KernelPlan plan = new Replay(graph).plan(order, null, fit, null);
        var right = KernelVerifier.verify(graph.graph(), graph.limits().units(), plan);
        assertTrue(right.holds(), "case " + k);
        assertEquals(right.figures().traffic(), cost.follow(order), "case " + k);
        assertEquals(right.figures().traffic(), cost.moved(0, order.length, 0), "case " + k);
        sum += right.figures().traffic();
      }
    }
    assertTrue(sum > 1000, "orders should spill: " + sum);
  }
}

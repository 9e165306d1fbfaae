package stowage.schedule.order;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.network.Graphs;
import stowage.network.Network;

class InductorOrdersTest {
  /**
   * Ops 0: a (10) from x, 1: b (1) from x, 2: c (1) from a, 3: d (10) from b, 4: y from c and d.
   */
  private static final Network FORK =
      Graphs.of(
              "x:4; a:10 = Conv x; b:1 = Conv x; c:1 = Conv a; d:10 = Conv b; "
                  + "y:2 = Add c d; -> y")
          .network();

  @Test
  void leastPeakMemoryFirstTakesTheSmallGainFirst() {
    // Live 4, peak 4: both exceed the room of 0, b by 1: b. Then a (excess 10, gain 10 - 4) and d
    // (excess 10, gain 10 - 1): a. Peak 15, live 11. Then c fits the room of 4, d does not: c, d,
    // y.
    assertArrayEquals(new int[] {1, 0, 2, 3, 4}, InductorOrders.leastPeakMemoryFirst(FORK));
    assertEquals(15, new InductorOrders(FORK).peak(new int[] {1, 0, 2, 3, 4}));
  }

  @Test
  void breadthFirstFollowsThePlacesOfPredecessors() {
    assertArrayEquals(new int[] {0, 1, 2, 3, 4}, InductorOrders.breadthFirst(FORK));
  }

  @Test
  void depthFirstStartsFromTheLightest() {
    // Bytes made and read: a 14, b 5, c 11, d 11, y 13. b; then c after a; d; y.
    assertArrayEquals(new int[] {1, 0, 2, 3, 4}, InductorOrders.depthFirst(FORK));
  }

  @Test
  void thefirstOfTheLeastPeaksIsKept() {
    // As given: x 4, a 14, b 15, then x is over: 11; c 12, 2 with a over; d 12; y 13. Peak 15.
    assertEquals(15, new InductorOrders(FORK).peak(FORK.executionOrder()));
    assertArrayEquals(new int[] {0, 1, 2, 3, 4}, InductorOrders.reordered(FORK));
  }

  @Test
  void reorderingFindsALowerPeakWhereThereIsOne() {
    Network wide =
        Graphs.of(
                "x:1; a:100 = Conv x; b:100 = Conv x; c:1 = Conv a; d:1 = Conv b; "
                    + "y:1 = Add c d; -> y")
            .network();
    assertEquals(201, new InductorOrders(wide).peak(wide.executionOrder()));
    int[] better = InductorOrders.reordered(wide);
    assertEquals(102, new InductorOrders(wide).peak(better));
    assertArrayEquals(new int[] {0, 2, 1, 3, 4}, better);
  }

  @Test
  void everyOrderCanRun() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Graphs graph = Graphs.of("t0:3");
      int ops = 1 + random.nextInt(15);
      for (int k = 1; k <= ops; k++) {
        String read = "t" + random.nextInt(k) + " t" + random.nextInt(k);
        graph.and("t" + k + ":" + (1 + random.nextInt(9)) + " = Op " + read);
      }
      Network network = graph.and("-> t" + ops).network();
      LivenessOptions options = LivenessOptions.defaults().withAlignments(1, 1);
      // Liveness refuses an order that cannot run.
      Liveness.of(network, InductorOrders.leastPeakMemoryFirst(network), options);
      Liveness.of(network, InductorOrders.breadthFirst(network), options);
      Liveness.of(network, InductorOrders.depthFirst(network), options);
      long given = new InductorOrders(network).peak(network.executionOrder());
      long least = new InductorOrders(network).peak(InductorOrders.reordered(network));
      assertTrue(least <= given, "seed " + seed);
    }
  }
}

package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.LoadProfile;
import stowage.schedule.NetworkOrders;
import stowage.schedule.model.Downset;

/** The load of a network's order is the max load of the packing problem of that order. */
public class BufferUsesTest {
  @Test
  void loadsOfRandomOrdersAreThoseOfTheirPackingProblems() {
    for (int seed = 0; seed < RandomNetworks.rounds(3000); seed++) {
      Random random = new Random(seed);
      Network network = RandomNetworks.network(random, 1 + random.nextInt(12));
      LivenessOptions options =
          RandomNetworks.options(random, network).withOrder(LivenessOptions.Order.IN_ORDER);
      NetworkOrders orders = NetworkOrders.of(network, options);
      for (int k = 0; k < 3; k++) {
        int[] order = k == 0 ? network.executionOrder() : randomOrder(orders, random);
        long load = orders.problem().peak(orders.fromNetwork(order));
        PlanningCase planned = Liveness.of(network, order, options);
        String what = "seed " + seed + ", " + options;
        if (options.inPlace() != InPlace.OPTIMAL) {
          assertEquals(maxLoad(planned), load, what);
        }
      }
    }
  }

  @Test
  void whatAnySharingLeavesIsNoMoreThanWhatEachTakesUnderAnyOrder() {
    int tight = 0;
    for (int seed = 0; seed < RandomNetworks.rounds(2000); seed++) {
      Random random = new Random(seed);
      Network network = RandomNetworks.network(random, 1 + random.nextInt(12));
      LivenessOptions options =
          RandomNetworks.options(random, network).withOrder(LivenessOptions.Order.IN_ORDER);
      NetworkOrders least = NetworkOrders.of(BufferUses.leastOf(network, options), List.of());
      int[] order = randomOrder(least, random);
      long bound = least.problem().peak(least.fromNetwork(order));
      long best = Long.MAX_VALUE;
      for (InPlace sharing :
          List.of(InPlace.NONE, InPlace.VIEWS, InPlace.ELEMENTWISE, InPlace.OPTIMAL)) {
        long load = maxLoad(Liveness.of(network, order, options.withInPlace(sharing)));
        assertTrue(bound <= load, "seed " + seed + ", " + sharing + ": " + load + " < " + bound);
        best = Math.min(best, load);
      }
      tight += best == bound ? 1 : 0;
    }
    assertTrue(tight > RandomNetworks.rounds(2000) / 2, "met " + tight + " times");
  }

  /** Written over is also an operand or a result inside of a larger buffer. */
  @ParameterizedTest
  @CsvSource({
    "x:4 y:1; r:4 = Relu x; c:5 = Concat r y axis=0; -> c, 5",
    "x:4; a:2 b:2 = Split x axis=0; r:2 = Relu a; c:4 = Concat r b axis=0; -> c, 4",
  })
  void whatAnySharingLeavesHasNoBytesTwiceWhereAnOpWritesOverAnOperand(String graph, long least) {
    LivenessOptions options = LivenessOptions.defaults().withAlignments(1, 1);
    BufferUses uses = BufferUses.leastOf(Graphs.of(graph).network(), options);
    NetworkOrders orders = NetworkOrders.of(uses, List.of());
    int[] order = orders.fromNetwork(uses.network().executionOrder());
    assertTrue(orders.problem().peak(order) <= least, orders.problem().peak(order) + " bytes");
  }

  /** What nothing makes has memory before all ops of a model, which no file can say otherwise. */
  @Test
  void allOpsWaitForTheStepsBeforeThem() {
    Network read =
        Graphs.of("x:1x2x2 r:1x2x2; y:1x2x2 = RELU x; z:1x2x2 = RELU r; -> y z").network();
    Op reserve = new Op("reserve", "MODEL.reserve", Map.of(), List.of(), List.of("r"), 0);
    List<Op> ops = List.of(reserve, read.ops().get(0), read.ops().get(1));
    Network network = read.with(read.tensors().values(), ops);
    int[][] waits = BufferUses.of(network, LivenessOptions.defaults()).waits();
    assertArrayEquals(new int[] {0}, waits[1]);
    assertArrayEquals(new int[] {0}, IntStream.of(waits[2]).distinct().toArray());
  }

  private static long maxLoad(PlanningCase planned) {
    return LoadProfile.of(planned.problem()).maxLoad();
  }

  /** Any order that the problem's precedences allow. */
  public static int[] randomOrder(NetworkOrders orders, Random random) {
    Downset downset = new Downset(orders.problem());
    int[] order = new int[orders.problem().ops()];
    for (int k = 0; k < order.length; k++) {
      order[k] = downset.ready(random.nextInt(downset.readyCount()));
      downset.run(order[k]);
    }
    return orders.toNetwork(order);
  }
}

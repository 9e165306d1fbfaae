package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.planning.fit.piece.ChainedNetwork;
import stowage.rewrite.Rewriting;
import stowage.rewrite.SplitModel;

/** Chains of random networks: orders of them are orders of the ops. */
class ChainedNetworkTest {
  @Test
  void ordersOfChainsAreOrdersOfOps() {
    int shorter = 0;
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Network network =
          seed % 2 == 0
              ? RandomChains.forked(random, random.nextBoolean(), 12, 9)
              : RandomChains.dense(random, random.nextBoolean(), 9);
      ChainedNetwork chained = new ChainedNetwork(new SplitModel(network));
      int[] order = chained.network().executionOrder();
      int[] ops = chained.opsOf(order);
      String label = "seed " + seed;
      int[] places = IntStream.range(0, ops.length).toArray();
      assertArrayEquals(places, Arrays.stream(ops).sorted().toArray(), label);
      Network reordered = Rewriting.reordered(network, ops).network();
      assertArrayEquals(places, reordered.executionOrder(), label);
      assertArrayEquals(order, chained.chainsOf(ops), label);
      for (Tensor tensor : chained.network().tensors().values()) {
        assertEquals(tensor, network.tensor(tensor.name()), label);
      }
      shorter += order.length < ops.length ? 1 : 0;
    }
    assertTrue(shorter > 30, shorter + " networks have chains");
  }
}

package stowage.kernel.order;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.generator.kernel.KernelGenerator;
import stowage.kernel.RandomKernels;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.network.kernel.KernelGraph;

/** Waves on random kernels and on an attention whose queries have to share keys. */
class WaveOrdersTest {
  @Test
  void everyWaveRespectsTheEdges() {
    SplittableRandom random = new SplittableRandom(21);
    int several = 0;
    for (int k = 0; k < 300; k++) {
      KernelOps graph =
          KernelOps.of(
              RandomKernels.graph(random, 3 + random.nextInt(12), 1 + k % 2), Caches.DEFAULT);
      WaveOrders waves = new WaveOrders(graph, new AnchorGreedy(graph).feeders());
      several += waves.isUseful() ? 1 : 0;
      int[] order = new int[graph.ops];
      waves.build(order, waves.random(random), random);
      assertTrue(RandomKernels.isOrder(graph, order), "seed 21, case " + k);
    }
    assertTrue(several > 50, several + " kernels have several chains");
  }

  @Test
  void wavesShareWhatTheOrderOfTheFileLoadsAgain() {
    KernelOps graph = KernelOps.of(KernelGenerator.attention(6, 12, 256, 128), Caches.DEFAULT);
    OrderSearch.OrderCost judge = OrderCosts.traffic(graph);
    int[] order = IntStream.range(0, graph.ops).toArray();
    double file = judge.cost(order, Double.MAX_VALUE);
    double best = best(graph, 100);
    assertFalse(best > 0.1 * file, best + " of " + file);
  }

  /** Four sums in turn over two blocks of channels, band after band, and then the other two. */
  @Test
  void sumsAtTheBordersOfAConvolutionTakeTheSameBlocksOfChannelsAsTheOthers() {
    KernelGraph kernel = KernelGenerator.convolution(8, 1, 4, 4, 384, 256, 128, 256);
    double best = best(new MergedKernel(KernelOps.of(kernel, Caches.DEFAULT)).ops(), 800);
    assertFalse(best > 18_432, "traffic by volume: " + best);
  }

  private static double best(KernelOps graph, int constructions) {
    OrderSearch.OrderCost judge = OrderCosts.traffic(graph);
    WaveOrders waves = new WaveOrders(graph, new AnchorGreedy(graph).feeders());
    SplittableRandom random = new SplittableRandom(22);
    int[] order = new int[graph.ops];
    double best = Double.MAX_VALUE;
    for (int k = 0; k < constructions; k++) {
      waves.build(order, waves.random(random), random);
      best = Math.min(best, judge.cost(order, Double.MAX_VALUE));
    }
    return best;
  }
}

package stowage.kernel.order;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import stowage.generator.kernel.KernelGenerator;
import stowage.kernel.RandomKernels;
import stowage.kernel.cpsat.SpillFlow;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.kernel.spill.SpillProblem;
import stowage.network.kernel.KernelGraph;

/** Orders of merged kernels as orders of the whole ones. */
class MergedKernelTest {
  @Test
  void anOrderMayBeMergedAndMadeWholeWithoutMoreTraffic() {
    SplittableRandom random = new SplittableRandom(81);
    int fewer = 0;
    int spilled = 0;
    for (int k = 0; k < 300; k++) {
      KernelGraph kernel = RandomKernels.graph(random, 4 + random.nextInt(20), 1 + k % 2);
      KernelOps graph = KernelOps.of(kernel, RandomKernels.tight(kernel, random.nextInt(4)));
      MergedKernel merged = new MergedKernel(graph);
      String label = "seed 81, case " + k;
      int[] order = merged.of(RandomKernels.order(graph, random));
      assertTrue(RandomKernels.isOrder(merged.ops(), order), label);
      int[] whole = merged.whole(order);
      assertTrue(RandomKernels.isOrder(graph, whole), label);
      assertArrayEquals(order, merged.of(whole), label);
      long bound = sum(graph, whole, problem -> SpillFlow.solve(problem).bound());
      long traffic = sum(merged.ops(), order, problem -> SpillFlow.solve(problem).traffic());
      assertTrue(bound <= traffic, label + ": " + bound + " of " + traffic);
      fewer += merged.ops().ops < graph.ops ? 1 : 0;
      spilled += bound > 0 ? 1 : 0;
    }
    assertTrue(fewer > 50 && spilled > 50, fewer + " are merged, " + spilled + " spill");
  }

  private static long sum(KernelOps graph, int[] order, ToLongFunction<SpillProblem> figure) {
    return SpillProblem.of(graph, order).stream().mapToLong(figure).sum();
  }

  @Test
  void theMovesOfAProductRunWithIt() {
    KernelOps graph = KernelOps.of(KernelGenerator.matmul(3, 4, 5, 8, 4, 8), Caches.DEFAULT);
    int copies = 3 * 5 + 5 * 4 + 3 * 4;
    assertEquals(3 * 3 * 4 * 5 + copies, graph.ops);
    assertEquals(3 * 4 * 5 + copies, new MergedKernel(graph).ops().ops);
  }
}

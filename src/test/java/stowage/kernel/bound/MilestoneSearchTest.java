package stowage.kernel.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.generator.kernel.KernelGenerator;
import stowage.kernel.KernelBruteForce;
import stowage.kernel.KernelGoal;
import stowage.kernel.KernelSolver;
import stowage.kernel.RandomKernels;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.packing.RunControl;

/** Bounds by milestones against the least of all orders, and symmetry against renamed kernels. */
class MilestoneSearchTest {
  private static final int MOST_ORDERS = 2000;

  @Test
  void withAllOpsAsMilestonesResidencyIsExactAndWithSomeItIsABound() {
    SplittableRandom random = new SplittableRandom(11);
    int exact = 0;
    int above = 0;
    for (int k = 0; k < 400; k++) {
      KernelOps graph =
          KernelOps.of(
              RandomKernels.graph(random, 2 + random.nextInt(6), 1 + k % 2), Caches.DEFAULT);
      long least = KernelBruteForce.leastResidency(graph, MOST_ORDERS);
      if (least < 0) {
        continue;
      }
      String label = "seed 11, case " + k;
      long all = residency(graph, IntStream.range(0, graph.ops).toArray());
      assertEquals(least, all, label);
      int[] some = IntStream.range(0, graph.ops).filter(v -> random.nextBoolean()).toArray();
      long part = residency(graph, some);
      assertTrue(part <= least, label + ": " + part + " of " + least);
      exact++;
      above += part > 0 ? 1 : 0;
      long tried =
          new ResidencyMilestones(graph, 0, () -> least + 1, () -> false).residency(bound -> {});
      assertTrue(tried <= least, label + ": " + tried + " of " + least);
    }
    assertTrue(exact > 300 && above > 250, exact + " compared, " + above + " above 0");
  }

  private static long residency(KernelOps graph, int[] milestones) {
    MilestoneSearch search =
        new MilestoneSearch(
            graph,
            new CutPrice(graph),
            new KernelSymmetry(graph),
            milestones,
            0,
            () -> Long.MAX_VALUE,
            () -> false);
    search.advance(Long.MAX_VALUE / 2);
    assertTrue(search.isDone());
    return search.bound();
  }

  @Test
  void equivalentSetsAreFoundAndOthersAreNot() {
    KernelOps graph = KernelOps.of(KernelGenerator.matmul(3, 3, 2, 64, 32, 32), Caches.DEFAULT);
    KernelSymmetry symmetry = new KernelSymmetry(graph);
    int[] products =
        IntStream.range(0, graph.ops)
            .filter(v -> graph.graph().nodes().get(graph.node[v]).op().equals("COPY_OUT"))
            .toArray();
    assertEquals(9, products.length);
    KernelSymmetry.Labelling one = symmetry.label(marks(graph, products[0], products[1]));
    KernelSymmetry.Labelling row = symmetry.label(marks(graph, products[4], products[5]));
    KernelSymmetry.Labelling column = symmetry.label(marks(graph, products[2], products[5]));
    KernelSymmetry.Labelling apart = symmetry.label(marks(graph, products[0], products[4]));
    KernelSymmetry.Labelling other = symmetry.label(marks(graph, products[1], products[5]));
    assertTrue(symmetry.maps(one, row));
    assertTrue(symmetry.maps(apart, symmetry.label(marks(graph, products[2], products[3]))));
    assertFalse(symmetry.maps(one, apart));
    assertFalse(symmetry.maps(one, other) && symmetry.maps(one, apart));
    assertFalse(symmetry.maps(apart, column));
  }

  private static byte[] marks(KernelOps graph, int... set) {
    byte[] marks = new byte[graph.ops];
    for (int v : set) {
      marks[v] = 1;
    }
    return marks;
  }

  @Test
  void aBlockedProductIsProvenByItsProducts() {
    KernelOps graph = KernelOps.of(KernelGenerator.matmul(3, 3, 1, 8, 4, 4), Caches.DEFAULT);
    long least =
        KernelSolver.solve(
                graph,
                graph.limits(),
                KernelGoal.RESIDENCY,
                Long.MAX_VALUE,
                RunControl.ofSeconds(3600, 1, 1).withWork(200_000))
            .figure();
    long bound =
        new ResidencyMilestones(graph, 0, () -> Long.MAX_VALUE, () -> false).residency(value -> {});
    assertEquals(least, bound);
  }
}

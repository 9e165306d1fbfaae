package stowage.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.generator.kernel.KernelGenerator;
import stowage.generator.kernel.KernelSketch;
import stowage.kernel.bound.KernelBounds;
import stowage.kernel.cpsat.SpillFlow;
import stowage.kernel.cpsat.SpillModel;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.KernelPlan;
import stowage.kernel.order.Replay;
import stowage.kernel.spill.ExactSpillSearch;
import stowage.kernel.spill.SpillProblem;
import stowage.kernel.verify.KernelVerifier;
import stowage.network.InvalidNetworkException;
import stowage.network.kernel.KernelGraph;
import stowage.packing.RunControl;

/** Searches, bounds and replays of kernels against plain searches, on seeded random kernels. */
class KernelSolverTest {
  private static final int MOST_ORDERS = 3000;

  private static KernelIncumbent solve(
      KernelOps ops, KernelGoal goal, long mostTraffic, double seconds) {
    RunControl control = RunControl.ofSeconds(seconds, 1, 1);
    return KernelSolver.solve(ops, ops.limits(), goal, mostTraffic, control);
  }

  @Test
  void leastResidencyIsTheLeastOfAllOrders() {
    long seed = Thorough.of(1, 2);
    int cases = Thorough.of(60, 5000);
    SplittableRandom random = new SplittableRandom(seed);
    for (int k = 0; k < cases; k++) {
      KernelGraph graph = RandomKernels.graph(random, 2 + random.nextInt(5), 1 + k % 2);
      KernelOps ops = KernelOps.of(graph, Caches.DEFAULT);
      long least = KernelBruteForce.leastResidency(ops, MOST_ORDERS);
      if (least < 0) {
        continue;
      }
      String label = "seed " + seed + ", case " + k;
      KernelIncumbent best = solve(ops, KernelGoal.RESIDENCY, Long.MAX_VALUE, 10);
      assertEquals(least, best.figures().residency(), label);
      assertTrue(best.isProven(), label);
      long bound = new KernelBounds(ops, () -> false).residency(Long.MAX_VALUE);
      assertTrue(bound <= least, label + ": bound " + bound + " of " + least);
    }
  }

  @Test
  void withWorkCountedTheSameSeedGivesTheSamePlanOnAnyThreads() {
    KernelGraph graph = KernelGenerator.matmul(3, 3, 3, 128, 64, 64);
    KernelOps ops = KernelOps.of(graph, RandomKernels.tight(graph, 0));
    int open = 0;
    for (KernelGoal goal : KernelGoal.values()) {
      KernelIncumbent first = counted(ops, goal, Long.MAX_VALUE, 1);
      KernelIncumbent again = counted(ops, goal, Long.MAX_VALUE, 1);
      KernelIncumbent wide = counted(ops, goal, Long.MAX_VALUE, 3);
      assertArrayEquals(first.plan().schedule(), again.plan().schedule(), goal.name());
      assertArrayEquals(first.plan().schedule(), wide.plan().schedule(), goal.name());
      assertArrayEquals(first.plan().offsets(), wide.plan().offsets(), goal.name());
      assertEquals(first.figures(), wide.figures(), goal.name());
      assertEquals(first.bound(), wide.bound(), goal.name());
      open += first.isProven() ? 0 : 1;
    }
    assertTrue(open > 0, "every run ended with a proof, not with its work");
  }

  /** Ends by a proof or by its count of work: the deadline is an hour. */
  private static KernelIncumbent counted(
      KernelOps ops, KernelGoal goal, long mostTraffic, int threads) {
    RunControl control = RunControl.ofSeconds(3600, threads, 7).withWork(80_000);
    return KernelSolver.solve(ops, ops.limits(), goal, mostTraffic, control);
  }

  @Test
  void aMisfitNamesTheCapacityThatWasGiven() {
    KernelGraph graph = KernelGenerator.matmul(2, 2, 2, 400, 400, 256);
    String misfit = KernelOps.of(graph, Caches.DEFAULT).misfit();
    assertTrue(misfit.endsWith("needs 400 units of L0A, which has 256"), misfit);
  }

  @Test
  void cellsBeyondThoseThatAreToldApartAreRefused() {
    KernelSketch draft = new KernelSketch();
    draft.buffer("UB", 1L << 29);
    draft.buffer("UB", 1 + (1L << 29));
    draft.op("COPY_IN", "MTE2", 1, 0);
    draft.op("ADD", "VECTOR", 1, 1, 0);
    KernelGraph graph = draft.graph();
    Caches wide = Caches.DEFAULT.with(Map.of("UB", 1L << 40));
    Exception refused =
        assertThrows(InvalidNetworkException.class, () -> KernelOps.of(graph, wide).misfit());
    assertTrue(refused.getMessage().contains("1073741825 units together"), refused.getMessage());
    Caches small = Caches.DEFAULT.with(Map.of("UB", 1L << 28));
    String misfit = KernelOps.of(graph, small).misfit();
    assertEquals("node 2 (COPY_IN) needs 536870912 units of UB, which has 268435456", misfit);
  }

  @Test
  void leastTrafficIsTheLeastOfAllOrdersAndAddresses() {
    long seed = Thorough.of(3, 4);
    int cases = Thorough.of(40, 3000);
    SplittableRandom random = new SplittableRandom(seed);
    for (int k = 0; k < cases; k++) {
      KernelOps ops = RandomKernels.tight(random, 3 + random.nextInt(3), 1 + k % 2, 2);
      assertNull(ops.misfit());
      long least = KernelBruteForce.traffic(ops, null);
      String label = "seed " + seed + ", case " + k;
      KernelIncumbent best = solve(ops, KernelGoal.TRAFFIC, Long.MAX_VALUE, 4);
      assertEquals(least, best.figures().traffic(), label);
      assertTrue(best.isProven(), label);
      ExactSpillSearch.Answer volume =
          ExactSpillSearch.search(ops, false, Long.MAX_VALUE, 100_000, () -> false);
      assertTrue(volume.bound() <= least, label);
      long bound = new KernelBounds(ops, () -> false).traffic(Long.MAX_VALUE);
      assertTrue(bound <= least, label + ": bound " + bound + " of " + least);
    }
  }

  @Test
  void gapModelsAtAFixedOrderAgreeWithAllSubsets() {
    SplittableRandom random = new SplittableRandom(5);
    int strict = 0;
    for (int k = 0; k < 300; k++) {
      KernelOps ops = RandomKernels.tight(random, 4 + random.nextInt(6), 2, 3);
      int[] order = RandomKernels.order(ops, random);
      for (SpillProblem problem : SpillProblem.of(ops, order)) {
        if (problem.gaps() > 14) {
          continue;
        }
        long least = Long.MAX_VALUE;
        for (int set = 0; set < 1 << problem.gaps(); set++) {
          boolean[] kept = new boolean[problem.gaps()];
          for (int g = 0; g < kept.length; g++) {
            kept[g] = (set >> g & 1) != 0;
          }
          if (problem.fits(kept)) {
            least = Math.min(least, problem.traffic(kept));
          }
        }
        SpillProblem.GapAnswer relaxed = SpillFlow.solve(problem);
        assertTrue(relaxed.bound() <= least && least <= relaxed.traffic(), "case " + k);
        assertTrue(problem.fits(relaxed.kept()), "case " + k);
        strict += relaxed.bound() == least && least > 0 ? 1 : 0;
        if (k % 10 == 0) {
          SpillProblem.GapAnswer exact =
              SpillModel.improve(problem, relaxed, RunControl.unlimited(), 10);
          assertEquals(least, exact.traffic(), "case " + k);
          assertEquals(least, exact.bound(), "case " + k);
        }
      }
    }
    assertTrue(strict > 20, "the relaxation should often be tight: " + strict);
  }

  @Test
  void orderBoundNeverExceedsTheLeastTrafficOfTheOrder() {
    SplittableRandom random = new SplittableRandom(6);
    int positive = 0;
    for (int k = 0; k < 200; k++) {
      KernelOps ops = RandomKernels.tight(random, 3 + random.nextInt(3), 1, 1);
      int[] order = RandomKernels.order(ops, random);
      long least = KernelBruteForce.traffic(ops, order);
      long bound = 0;
      for (SpillProblem part : SpillProblem.of(ops, order)) {
        RunControl control = RunControl.unlimited();
        bound += SpillModel.improve(part, SpillFlow.solve(part), control, 10).bound();
      }
      assertTrue(bound <= least, "case " + k + ": bound " + bound + " of " + least);
      positive += bound > 0 ? 1 : 0;
    }
    assertTrue(positive > 10, "some orders should spill: " + positive);
  }

  @Test
  void everyReplayHolds() {
    SplittableRandom random = new SplittableRandom(7);
    long spills = 0;
    for (int k = 0; k < 2000; k++) {
      KernelOps ops = RandomKernels.tight(random, 2 + random.nextInt(12), 1 + k % 2, 4);
      int[] order = RandomKernels.order(ops, random);
      boolean[] leave = new boolean[ops.use.length];
      for (int s = 0; s < leave.length; s++) {
        leave[s] = random.nextInt(5) == 0;
      }
      Replay replay = new Replay(ops);
      for (Replay.Fit fit : Replay.Fit.values()) {
        KernelPlan plan = replay.plan(order, k % 2 == 0 ? null : leave, fit, null);
        KernelVerifier.Result result =
            KernelVerifier.verify(ops.graph(), ops.limits().units(), plan);
        assertTrue(result.holds(), "case " + k + ": " + result.violation());
        assertEquals(replay.traffic(), result.figures().traffic(), "case " + k);
        assertEquals(replay.cycles(), result.figures().cycles(), "case " + k);
        long bound = new KernelBounds(ops, () -> false).cycles();
        assertTrue(bound <= result.figures().cycles(), "case " + k);
        spills += plan.spills();
      }
    }
    assertTrue(spills > 1000, "replays should spill: " + spills);
  }

  @Test
  void timeKeepsToALimitOfTraffic() {
    SplittableRandom random = new SplittableRandom(8);
    for (int k = 0; k < 5; k++) {
      KernelGraph graph = RandomKernels.graph(random, 8, 1);
      KernelOps ops = KernelOps.of(graph, RandomKernels.tight(graph, 1));
      KernelIncumbent least = solve(ops, KernelGoal.TRAFFIC, Long.MAX_VALUE, 5);
      long most = least.figures().traffic();
      KernelIncumbent fast = counted(ops, KernelGoal.TIME, most, 1);
      assertNotNull(fast.plan());
      assertTrue(fast.figures().traffic() <= most);
    }
  }
}

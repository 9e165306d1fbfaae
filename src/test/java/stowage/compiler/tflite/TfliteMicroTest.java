package stowage.compiler.tflite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class TfliteMicroTest {
  private static final long SEED = 7;

  private static Network random(RandomGenerator random) {
    int count = 3 + random.nextInt(8);
    Graphs graph = Graphs.of("format tflite; t0:" + (1 + random.nextInt(400)));
    for (int o = 0; o < count; o++) {
      String scratch = "";
      for (int k = random.nextInt(4); k > 0; k--) {
        scratch += " +" + (1 + random.nextInt(300));
      }
      String reads = " = ADD t" + random.nextInt(o + 1) + " t" + o + scratch;
      graph.and("t" + (o + 1) + ":" + (1 + random.nextInt(400)) + reads);
    }
    return graph.and("-> t" + count).network();
  }

  /** A plan with each op's scratch memory in one piece comes true, or becomes better. */
  @Test
  void plansOfMergedScratchNeverRise() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    int settledHigher = 0;
    for (int k = 0; k < 2000; k++) {
      String which = "network " + k + " of seed " + SEED;
      Network network = random(random);
      PlanningCase given = Liveness.of(network, LivenessOptions.defaultsOf(TfliteMicro.FORMAT));
      TfliteMicro runtime = new TfliteMicro(given, Set.of());
      PackingProblem merged = runtime.merged();
      Placement plan =
          new GreedyPlanner(GreedyPlanner.Order.START, Fit.BEST)
              .plan(merged, RunControl.unlimited());
      Placement settled = runtime.settledMerged(merged, plan);
      assertTrue(Verifier.violations(given.problem(), settled).isEmpty(), which);
      assertTrue(settled.peak(given.problem(), 0) <= plan.peak(merged, 0), which);

      Placement loose =
          new GreedyPlanner(GreedyPlanner.Order.START, Fit.BEST)
              .plan(given.problem(), RunControl.unlimited());
      Placement fixed = runtime.settled(loose);
      assertTrue(Verifier.violations(given.problem(), fixed).isEmpty(), which);
      boolean higher = fixed.peak(given.problem(), 0) > loose.peak(given.problem(), 0);
      settledHigher += higher ? 1 : 0;
      assertEquals(fixed, runtime.settled(fixed), which);
    }
    assertTrue(settledHigher > 0, "no plan of loose pieces ever rose; is anything settled?");
  }
}

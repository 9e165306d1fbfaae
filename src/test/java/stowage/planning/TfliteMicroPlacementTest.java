package stowage.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.compiler.tflite.TfliteMicro;
import stowage.exact.engine.EngineOptions;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class TfliteMicroPlacementTest {
  private static LoadedProblem random(Random random) {
    Graphs graph = Graphs.of("format tflite; t0:" + (1 + random.nextInt(400)));
    for (int o = 0; o < 8; o++) {
      String reads = " = ADD t" + random.nextInt(o + 1) + " t" + o;
      for (int k = random.nextInt(4); k > 0; k--) {
        reads += " +" + (1 + random.nextInt(300));
      }
      graph.and("t" + (o + 1) + ":" + (1 + random.nextInt(400)) + reads);
    }
    PlanningCase planned = graph.and("-> t8").planningCase();
    return new LoadedProblem(planned.problem(), planned, null, null, Set.of());
  }

  /** What rises when it is settled is planned once more with each op's scratch in one piece. */
  @Test
  void theLowestOfThePlansThatComeTrueIsKept() {
    int merged = 0;
    for (int seed = 0; seed < 60; seed++) {
      LoadedProblem input = random(new Random(seed));
      PackingProblem problem = input.problem();
      Placement loose =
          new GreedyPlanner(GreedyPlanner.Order.START, Fit.BEST)
              .plan(problem, RunControl.unlimited());
      Incumbent found = new Incumbent(problem);
      found.offer(loose, "loose");
      TfliteMicro runtime = new TfliteMicro(input.planningCase(), Set.of());
      long comesTrue = runtime.settled(loose).peak(problem, 0);
      Incumbent without = TfliteMicroPlacement.settled(input, found, null);
      long least =
          comesTrue > found.bestFigure() ? Math.min(comesTrue, runtime.ownHead()) : comesTrue;
      assertEquals(least, without.bestFigure(), "seed " + seed);
      Incumbent settled =
          TfliteMicroPlacement.settled(input, found, RunControl.ofWork(1_000_000, 1, 1));
      assertTrue(settled.bestFigure() <= least, "seed " + seed);
      assertTrue(Verifier.violations(problem, settled.placement()).isEmpty(), "seed " + seed);
      assertEquals(settled.placement(), runtime.settled(settled.placement()), "seed " + seed);
      merged += settled.bestFigure() < least ? 1 : 0;
    }
    assertTrue(merged > 0, "no plan of merged scratch memory was the lowest");
  }

  @Test
  void aRunThatEndsEarlyKeepsItsHints() {
    LoadedProblem input = random(new Random(1));
    Incumbent incumbent = new Incumbent(input.problem());
    PlanRun run = new PlanRun(input, incumbent, List.of(), EngineOptions.defaults(), null, null);
    run.hint("another order is lower");
    run.endedEarly("no memory");
    assertEquals(
        List.of("planning ended early: no memory", "another order is lower"), run.remarks());
    assertSame(incumbent, run.incumbent());
  }
}

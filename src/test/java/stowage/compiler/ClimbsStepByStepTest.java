package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.SystemPlanner;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/**
 * The hill climbs give what a plain walk through their steps gives, buffer by buffer. Few sizes and
 * few steps make many ties.
 */
class ClimbsStepByStepTest {

  /** A problem of few sizes and few steps, so with many ties. */
  static PackingProblem problem(long seed) {
    Random random = new Random(seed);
    int count = 3 + random.nextInt(22);
    int steps = 3 + random.nextInt(12);
    int sizes = 1 + random.nextInt(12);
    List<Buffer> buffers = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      int start = random.nextInt(steps);
      int end = start + 1 + random.nextInt(1 + Math.min(steps - start, 5));
      buffers.add(new Buffer("b" + k, 1 + random.nextInt(sizes), start, end));
    }
    return PackingProblem.of("seed " + seed, buffers);
  }

  /** Where a planner puts the buffers of a problem, given all the time it wants. */
  static long[] planned(String planner, PackingProblem problem) {
    return CompilerPlanners.named(planner)
        .plan(PlanningCase.ofBuffers(problem), RunControl.unlimited())
        .placement()
        .offsets();
  }

  @Test
  void vela() {
    for (long seed = 0; seed < 80; seed++) {
      PackingProblem problem = problem(seed);
      assertArrayEquals(new PlainClimbs(problem).vela(), planned("vela", problem), "seed " + seed);
    }
  }

  @Test
  void tvm() {
    for (long seed = 0; seed < 80; seed++) {
      PackingProblem problem = problem(seed);
      assertArrayEquals(new PlainClimbs(problem).tvm(), planned("tvm", problem), "seed " + seed);
    }
  }

  @Test
  void aSearchThatIsStoppedSaysSo() {
    RunControl stopped = RunControl.unlimited();
    stopped.stop();
    for (String planner : List.of("vela", "tvm", "idealloc")) {
      SystemPlanner named = CompilerPlanners.named(planner);
      int cut = 0;
      for (long seed = 0; seed < 20; seed++) {
        PackingProblem problem = problem(seed);
        PlanningCase given = PlanningCase.ofBuffers(problem);
        assertFalse(named.plan(given, RunControl.unlimited()).cutShort(), planner);
        CasePlan plan = named.plan(given, stopped);
        assertEquals(List.of(), Verifier.violations(problem, plan.placement()), planner);
        cut += plan.cutShort() ? 1 : 0;
      }
      // Where the first order is optimal there is nothing to cut.
      assertTrue(cut > 0, planner);
    }
  }
}

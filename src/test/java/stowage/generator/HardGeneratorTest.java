package stowage.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.BruteForce;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.Planner;
import stowage.packing.Buffer;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

class HardGeneratorTest {
  /** Piles everything up, whatever its life. */
  private static final Planner PILE =
      new Planner() {
        @Override
        public String name() {
          return "pile";
        }

        @Override
        public String summary() {
          return "Lays all buffers end to end.";
        }

        @Override
        public Placement plan(PackingProblem problem, RunControl control) {
          long[] offsets = new long[problem.size()];
          long top = 0;
          for (int i = 0; i < offsets.length; i++) {
            offsets[i] = top;
            top += problem.buffer(i).size();
          }
          return Placement.of(offsets);
        }
      };

  @Test
  void findsInstancesWithAnOptimumAboveTheMaxLoad() {
    for (long seed = 1; seed <= Thorough.of(1, 3); seed++) {
      PackingProblem problem = Generators.generate("hard", Map.of("seed", seed, "buffers", 10));
      long load = LoadProfile.of(problem).maxLoad();
      assertNull(BruteForce.peaks(problem.withCapacity(0, load)), "seed " + seed);
    }
  }

  @Test
  void findsWhereAPlannerIsWorst() {
    Generator<PackingProblem> generator =
        Generators.hard(name -> name.equals("pile") ? PILE : null);
    PackingProblem problem =
        generator.generate(
            Map.of("target", "pile", "buffers", 6, "steps", 6, "maxSize", 4, "rounds", 4000));
    long total = problem.buffers().stream().mapToLong(Buffer::size).sum();
    assertEquals(6, problem.size());
    assertEquals(total, 6 * LoadProfile.of(problem).maxLoad(), "six lives apart are the worst");
  }

  @Test
  void takesThePlannersOfTheRegistry() {
    PackingProblem problem =
        Generators.generate("hard", Map.of("target", "greedy-size", "rounds", 1000));
    Placement placement =
        HeuristicPlanners.named("greedy-size").plan(problem, RunControl.unlimited());
    long load = LoadProfile.of(problem).maxLoad();
    assertTrue(placement.peak(problem, 0) > load * 5 / 4, problem.buffers().toString());
  }

  @Test
  void dropsBuffersThatMakeItNoHarder() {
    // Nine unit buffers on two steps pile up to 9 over a load of 5; eight, to 8 over 4, are worse.
    Generator<PackingProblem> generator = Generators.hard(name -> PILE);
    PackingProblem problem =
        generator.generate(
            Map.of("target", "pile", "buffers", 9, "steps", 2, "maxSize", 1, "rounds", 2000));
    assertEquals(8, problem.size());
  }

  @Test
  void sizesAreMultiplesOfTheUnit() {
    PackingProblem problem =
        Generators.generate("hard", Map.of("buffers", 8, "unit", 64, "rounds", 20));
    assertTrue(problem.buffers().stream().allMatch(buffer -> buffer.size() % 64 == 0));
  }
}

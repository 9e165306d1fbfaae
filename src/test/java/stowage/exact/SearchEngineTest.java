package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;

class SearchEngineTest {

  /** Random problems of all constraint kinds; many more under the profile thorough. */
  @Test
  void agreesWithBruteForce() {
    int rounds = Boolean.getBoolean("stowage.thorough") ? 10_000 : 500;
    for (int round = 0; round < rounds; round++) {
      long seed = 1000 + round;
      PackingProblem problem = RandomProblems.of(seed, 7);
      long[] optimum = BruteForce.peaks(problem);
      Incumbent incumbent = new Incumbent(problem);
      new SearchEngine()
          .run(problem, incumbent, RunControl.ofSeconds(20, 1, seed), EngineOptions.defaults());
      String where =
          "seed "
              + seed
              + ": "
              + incumbent.score()
              + ", should be "
              + Arrays.toString(optimum)
              + ": "
              + problem.buffers()
              + " "
              + problem.memories();
      if (optimum == null) {
        assertEquals(Status.INFEASIBLE, incumbent.status(), where);
        continue;
      }
      assertEquals(Status.OPTIMAL, incumbent.status(), where);
      long[] found = new long[optimum.length];
      for (int f = 0; f < found.length; f++) {
        found[f] = incumbent.score().figure(f);
      }
      assertArrayEquals(optimum, found, where);
    }
  }
}

package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.cpsat.CpSatEngine;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;

/** Problems too large to try every placement of: search and CP-SAT must say the same of them. */
class EnginesAgreeTest {
  private static final int LEAST = 9;
  private static final int MOST = 12;

  /** Far more than the search needs; ends a run that hangs. */
  private static final double SECONDS = 60;

  /** CP-SAT cannot decide a few problems of several memories in any time a test has. */
  private static final double CP_SAT_SECONDS = 4;

  @Test
  void onRandomProblems() {
    compare(Thorough.of(30_000, 31_000), Thorough.of(100, 1_000));
  }

  @Test
  void aPartLowerThanTheOthersBoundIsNotInfeasible() {
    compare(31_719, 1);
  }

  private static void compare(long firstSeed, int problems) {
    int compared = 0;
    int undecided = 0;
    for (long seed = firstSeed; compared < problems; seed++) {
      PackingProblem problem = RandomProblems.of(seed, MOST);
      if (problem.size() < LEAST) {
        continue;
      }
      compared++;
      String which = "seed " + seed;
      Incumbent searched = run(new SearchEngine(), problem, SECONDS, which);
      assertTrue(isDecided(searched), which + ": search says " + searched.status());
      Incumbent modelled = run(new CpSatEngine(), problem, CP_SAT_SECONDS, which);
      if (isDecided(modelled)) {
        assertEquals(modelled.status(), searched.status(), which);
        assertEquals(modelled.score(), searched.score(), which);
      } else {
        undecided++;
        boolean better =
            modelled.score() != null && modelled.score().compareTo(searched.score()) < 0;
        assertFalse(better, which + ": CP-SAT found less than the optimum");
      }
    }
    assertTrue(undecided <= problems / 20, undecided + " of " + problems + " undecided by CP-SAT");
  }

  private static boolean isDecided(Incumbent incumbent) {
    return incumbent.status() == Status.OPTIMAL || incumbent.status() == Status.INFEASIBLE;
  }

  /** What an engine makes of a problem by itself. */
  private static Incumbent run(
      Engine engine, PackingProblem problem, double seconds, String which) {
    RunControl control = RunControl.ofSeconds(seconds, 1, 1);
    Incumbent incumbent = EngineChecks.alone(engine, problem, control, EngineOptions.defaults());
    assertEquals(List.of(), incumbent.rejection(), which + " by " + engine.name());
    return incumbent;
  }
}

package stowage.exact.search.local;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.presolve.Component;
import stowage.exact.search.BruteForce;
import stowage.exact.search.RandomProblems;
import stowage.exact.search.Searches;
import stowage.exact.search.clause.LearningSearch;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/** Placements that grow window by window are valid, and end near the optimum. */
class WindowGrowthTest {
  private static final int WINDOWS = 1_500;

  /** The peak of a growth from the max load on. */
  private static long grown(Component problem, long seed) {
    SearchModel model = new SearchModel(problem);
    WindowGrowth growth = new WindowGrowth(model, RunControl.unlimited(), seed);
    growth.begin(problem.maxLoad(), 1);
    for (int window = 0; window < WINDOWS; window++) {
      if (growth.grow()) {
        assertNull(BruteForce.fault(problem, growth.offsets(), growth.capacity()), "seed " + seed);
        return model.peak(growth.offsets());
      }
    }
    return Long.MAX_VALUE;
  }

  @Test
  void placesFullMemoriesAFewPercentAboveTheirLoad() {
    for (int seed = 1; seed <= Thorough.of(1, 4); seed++) {
      Map<String, Object> full = Map.of("seed", seed, "buffers", 200);
      Map<String, Object> nearlyFull = Map.of("seed", seed, "buffers", 160, "steps", 110);
      List<Component> problems =
          List.of(
              Searches.generated("recut", full), Searches.generated("near-capacity", nearlyFull));
      for (Component problem : problems) {
        long peak = grown(problem, seed);
        assertTrue(peak <= problem.maxLoad() * 1.05, "seed " + seed + ": " + peak);
      }
    }
  }

  @Test
  void smallProblemsEndAtTheirOptimumWhereItIsTheLoad() {
    int compared = 0;
    int cases = Thorough.of(150, 300);
    for (int seed = 0; seed < cases; seed++) {
      Component problem = RandomProblems.any(seed, 7, false);
      if (LearningSearch.takes(new SearchModel(problem), 200)) {
        long optimum = BruteForce.optimum(problem, 200);
        long peak = grown(problem, seed);
        assertTrue(peak >= optimum && peak < Long.MAX_VALUE, "seed " + seed);
        compared += peak == optimum ? 1 : 0;
      }
    }
    assertTrue(compared > cases / 6, "compared " + compared);
  }
}

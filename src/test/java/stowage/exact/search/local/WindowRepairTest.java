package stowage.exact.search.local;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.presolve.Component;
import stowage.exact.search.RandomProblems;
import stowage.exact.search.Searches;
import stowage.exact.search.clause.LearningSearch;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Placements whose small buffers come in last: valid at any time, lower and lower, and near the
 * optimum in the end.
 */
class WindowRepairTest {
  /** The lowest peak of some windows; every placement on the way is checked. */
  private static long repaired(Component problem, long units, int windows, String what) {
    SearchModel model = new SearchModel(problem);
    WindowRepair repair = new WindowRepair(model, RunControl.unlimited(), 1);
    repair.begin(units);
    long lowest = Long.MAX_VALUE;
    for (int window = 0; window < windows && lowest > problem.maxLoad(); window++) {
      if (repair.repair()) {
        long[] offsets = repair.stacked();
        long peak = model.peak(offsets);
        assertNull(Searches.fault(problem, offsets, peak), what);
        assertTrue(!repair.isComplete() || peak <= repair.capacity(), what);
        lowest = Math.min(lowest, peak);
      }
      if (repair.isComplete()) {
        repair.move(problem.maxLoad());
      }
    }
    return lowest;
  }

  @Test
  void fullMemoriesAreFilledAFewPercentAboveTheirLoad() {
    for (int seed = 1; seed <= Thorough.of(1, 2); seed++) {
      Map<String, Object> values = Map.of("seed", seed, "buffers", 240);
      Component problem = Searches.generated("near-capacity", values);
      long load = problem.maxLoad();
      long peak = repaired(problem, load + load / 64, 250, "seed " + seed);
      assertTrue(peak <= load * 1.08, "seed " + seed + ": " + peak);
    }
  }

  @Test
  void smallProblemsEndAtTheirOptimumWhereItIsTheLoad() {
    int cases = Thorough.of(200, 400);
    int met = 0;
    int tight = 0;
    for (int seed = 0; seed < cases; seed++) {
      Component problem = RandomProblems.any(seed, 7, false);
      if (LearningSearch.takes(new SearchModel(problem), 200)) {
        long load = problem.maxLoad();
        long optimum = Searches.optimum(problem, 200);
        long peak = repaired(problem, load + seed % 3, 40, "seed " + seed);
        assertTrue(peak >= optimum && peak < Long.MAX_VALUE, "seed " + seed + ": " + peak);
        tight += optimum == load ? 1 : 0;
        met += optimum == load && peak == load ? 1 : 0;
      }
    }
    assertTrue(tight > cases / 8 && met >= 0.95 * tight, met + " of " + tight);
  }
}

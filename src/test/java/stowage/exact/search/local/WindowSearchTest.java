package stowage.exact.search.local;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.presolve.Component;
import stowage.exact.search.RandomProblems;
import stowage.exact.search.Searches;
import stowage.exact.search.clause.LearningSearch;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Placements that grow window by window, and such whose small buffers come in last: valid at any
 * time, lower and lower, and near the optimum in the end.
 */
class WindowSearchTest {
  private static final int WINDOWS = 1_500;

  /** The peak of a growth from the max load on. */
  private static long grown(Component problem, int seed) {
    SearchModel model = new SearchModel(problem);
    WindowGrowth growth = new WindowGrowth(model, RunControl.unlimited(), seed);
    growth.begin(problem.maxLoad(), 1);
    for (int window = 0; window < WINDOWS; window++) {
      if (growth.grow()) {
        assertNull(Searches.fault(problem, growth.offsets(), growth.capacity()), "seed " + seed);
        return model.peak(growth.offsets());
      }
    }
    return Long.MAX_VALUE;
  }

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

  private static void assertNear(double share, long peak, Component problem, int seed) {
    assertTrue(peak <= problem.maxLoad() * share, "seed " + seed + ": " + peak);
  }

  @Test
  void fullMemoriesAreFilledAFewPercentAboveTheirLoad() {
    for (int seed = 1; seed <= Thorough.of(1, 4); seed++) {
      Map<String, Object> full = Map.of("seed", seed, "buffers", 200);
      Map<String, Object> nearlyFull = Map.of("seed", seed, "buffers", 160, "steps", 110);
      List<Component> problems =
          List.of(
              Searches.generated("recut", full), Searches.generated("near-capacity", nearlyFull));
      for (Component problem : problems) {
        assertNear(1.05, grown(problem, seed), problem, seed);
      }
    }
    for (int seed = 1; seed <= Thorough.of(1, 2); seed++) {
      Map<String, Object> values = Map.of("seed", seed, "buffers", 240);
      Component problem = Searches.generated("near-capacity", values);
      long load = problem.maxLoad();
      assertNear(1.08, repaired(problem, load + load / 64, 250, "seed " + seed), problem, seed);
    }
  }

  /**
   * How many small problems end at their optimum; where it is the load: how many there are, too.
   */
  private static int[] ended(int cases, ToLongBiFunction<Component, Integer> placer) {
    int[] counts = new int[3];
    for (int seed = 0; seed < cases; seed++) {
      Component problem = RandomProblems.any(seed, 7, false);
      if (LearningSearch.takes(new SearchModel(problem), 200)) {
        long optimum = Searches.optimum(problem, 200);
        long peak = placer.applyAsLong(problem, seed);
        assertTrue(peak >= optimum && peak < Long.MAX_VALUE, "seed " + seed + ": " + peak);
        int met = peak == optimum ? 1 : 0;
        counts[0] += met;
        counts[1] += optimum == problem.maxLoad() ? met : 0;
        counts[2] += optimum == problem.maxLoad() ? 1 : 0;
      }
    }
    return counts;
  }

  @Test
  void smallProblemsEndAtTheirOptimumWhereItIsTheLoad() {
    int cases = Thorough.of(150, 300);
    int[] grown = ended(cases, WindowSearchTest::grown);
    assertTrue(grown[0] > cases / 6, "compared " + grown[0]);
    int more = Thorough.of(200, 400);
    int[] counts =
        ended(more, (part, seed) -> repaired(part, part.maxLoad() + seed % 3, 40, "seed " + seed));
    assertTrue(
        counts[2] > more / 8 && counts[1] >= 0.95 * counts[2], counts[1] + " of " + counts[2]);
  }

  /** What is placed never overlaps or ends above the capacity, also after sections are given up. */
  @Test
  void sectionsAreGivenUpWhereWindowsFail() {
    int retreats = 0;
    for (int seed = 1; seed <= Thorough.of(1, 3); seed++) {
      Component problem = Searches.generated("recut", Map.of("seed", seed, "buffers", 400));
      SearchModel model = new SearchModel(problem);
      WindowGrowth growth = new WindowGrowth(model, RunControl.unlimited(), seed);
      growth.begin(problem.maxLoad(), 1);
      int before = 0;
      for (int window = 0; window < 150 && !growth.grow(); window++) {
        long[] offsets = growth.offsets();
        int[] placed = IntStream.range(0, offsets.length).filter(i -> offsets[i] >= 0).toArray();
        retreats += placed.length < before ? 1 : 0;
        before = placed.length;
        for (int i : placed) {
          String what = "seed " + seed + ", window " + window + ", buffer " + i;
          assertTrue(offsets[i] + problem.sizes()[i] <= growth.capacity(), what);
          for (int j : placed) {
            boolean apart =
                offsets[i] + problem.sizes()[i] <= offsets[j]
                    || offsets[j] + problem.sizes()[j] <= offsets[i];
            assertTrue(i >= j || apart || !problem.conflict(i, j), what);
          }
        }
      }
    }
    assertTrue(retreats > 0, retreats + " retreats");
  }
}

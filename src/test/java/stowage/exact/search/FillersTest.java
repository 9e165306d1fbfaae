package stowage.exact.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import stowage.exact.presolve.Component;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/** Fillers, and the search with them. */
class FillersTest {
  private static final long GIVE_UP = 200;

  /** Whatever has been guessed and weakened, the buffers stay as they are. */
  @Test
  void fillWhatIsFree() {
    for (long seed = 0; seed < 500; seed++) {
      SearchModel model = new SearchModel(RandomProblems.any(seed, 9, false));
      if (!model.unconstrained) {
        continue;
      }
      SplittableRandom random = new SplittableRandom(seed);
      long capacity = model.maxLoad + random.nextInt(3);
      long[] free = Fillers.free(model, capacity);
      for (Fillers.Choice choice : Fillers.Choice.values()) {
        Fillers fillers = Fillers.guess(model, free, choice, random);
        SearchModel filled = new SearchModel(fillers.component());
        assertEquals(0, Arrays.stream(Fillers.free(filled, capacity)).sum(), "seed " + seed);
        int left = fillers.count();
        while (left > 0) {
          fillers.weaken(new double[filled.count], random);
          filled = new SearchModel(fillers.component());
          assertTrue(Arrays.stream(Fillers.free(filled, capacity)).allMatch(f -> f >= 0));
          assertTrue(fillers.count() <= left + 1, "seed " + seed);
          left = fillers.count();
          for (int i = 0; i < model.count; i++) {
            assertEquals(model.size[i], filled.size[i], "seed " + seed);
            for (int j = 0; j < model.count; j++) {
              assertEquals(model.conflict(i, j), filled.conflict(i, j), "seed " + seed);
            }
          }
        }
      }
    }
  }

  /** Below the optimum it must find nothing and prove nothing; at it, what it finds is valid. */
  @Test
  void findsPlacementsOnly() {
    int found = 0;
    int optima = 0;
    for (long seed = 0; optima < 300; seed++) {
      Component problem = RandomProblems.any(seed, 6, false);
      SearchModel model = new SearchModel(problem);
      if (!model.unconstrained) {
        continue;
      }
      optima++;
      long optimum = Searches.optimum(problem, GIVE_UP);
      ComponentIncumbent below = incumbent(problem, optimum - 1);
      if (optimum > model.maxLoad) {
        new FillerWorker(model, RunControl.unlimited(), seed, 0).advance(below, 20_000);
        assertNull(below.offsets(), "seed " + seed);
        assertEquals(0, below.bound(), "seed " + seed);
      }
      ComponentIncumbent at = incumbent(problem, optimum);
      new FillerWorker(model, RunControl.unlimited(), seed, 0).advance(at, 20_000);
      if (at.offsets() != null) {
        assertNull(Searches.fault(problem, at.offsets(), optimum), "seed " + seed);
        found++;
      }
    }
    assertTrue(found > optima / 2, "found: " + found);
  }

  private static ComponentIncumbent incumbent(Component problem, long goal) {
    ComponentIncumbent incumbent = new ComponentIncumbent(problem);
    incumbent.begin(goal, RunControl.unlimited());
    incumbent.limit(goal);
    return incumbent;
  }

  /** Of these the search without fillers leaves most open after ten times the work. */
  @Test
  void fillsMemoriesThatWereFull() {
    for (int seed = 201; seed <= 204; seed++) {
      Component problem = Searches.generated("recut", Map.of("seed", seed, "buffers", 300));
      SearchModel model = new SearchModel(problem);
      assertEquals(2, FillerWorker.worth(model), "seed " + seed);
      ComponentIncumbent incumbent = incumbent(problem, model.maxLoad);
      new FillerWorker(model, RunControl.unlimited(), seed, 0).advance(incumbent, 1_000_000);
      assertEquals(model.maxLoad, model.peak(incumbent.offsets()), "seed " + seed);
    }
  }
}

package stowage.exact.search.greedy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.exact.search.Searches.assertValid;
import static stowage.exact.search.Searches.least;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.PublicData;
import stowage.Thorough;
import stowage.exact.presolve.Component;
import stowage.exact.search.RandomProblems;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.Searches;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchResult;
import stowage.packing.RangeMaximum;
import stowage.packing.RunControl;
import stowage.packing.Threads;

class LargePlacerTest {
  private static SearchResult placed(int threads, long seed, Component problem, long work) {
    RunControl control = RunControl.ofWork(work, 1, 1);
    ComponentIncumbent known = unplaced(problem, control);
    SearchResult result = new LargePlacer(threads, seed, true).place(known, control);
    assertEquals(known.offsets() == null ? -1 : known.peak(), result.peak(), "best of all rounds");
    return result;
  }

  private static ComponentIncumbent unplaced(Component problem, RunControl control) {
    return incumbent(problem, control, ComponentIncumbent.Listener.NONE);
  }

  private static ComponentIncumbent incumbent(
      Component problem, RunControl control, ComponentIncumbent.Listener listener) {
    ComponentIncumbent incumbent = new ComponentIncumbent(problem, 0, listener);
    incumbent.begin(0, control);
    return incumbent;
  }

  @Test
  void placementsOfEveryKindAreValid() {
    for (int seed = 0; seed < 600; seed++) {
      Component problem = RandomProblems.any(seed, 60, seed % 2 == 0);
      SearchResult result = placed(1, seed, problem, 40L * problem.count());
      String who = "seed " + seed + " by " + result.statistics().finder();
      assertValid(problem, result.offsets(), who);
      assertEquals(result.offsets() == null ? -1 : problem.peak(result.offsets()), result.peak());
    }
  }

  @Test
  void everyPreferenceFillsValleysWithoutConflict() {
    for (SkylineBestFit.Preference preference : SkylineBestFit.Preference.values()) {
      Component problem = RandomProblems.plain(3, 700, 300, 1000);
      for (double tolerance : new double[] {0, 0.1, 5}) {
        long[] offsets =
            new SkylineBestFit(problem, preference, tolerance, 0, null)
                .fill(RunControl.unlimited(), () -> Long.MAX_VALUE);
        assertNotNull(offsets, preference.name());
        assertValid(problem, offsets, preference + " with tolerance " + tolerance);
      }
    }
  }

  @Test
  void topsOfAnyKindAreMadeAgainAboveWhatIsKept() {
    for (int seed = 0; seed < 300; seed++) {
      Component problem = RandomProblems.any(seed, 60, seed % 2 == 0);
      long[] whole = hasFixed(problem) ? null : filled(problem, 0.1, null, 0);
      long level = whole == null ? 0 : problem.peak(whole) * (seed % 10) / 10;
      long[] again = whole == null ? null : filled(problem, 0.05, whole, level);
      assertValid(problem, again, "seed " + seed);
      for (int i = 0; again != null && i < again.length; i++) {
        assertTrue(whole[i] >= level ? again[i] >= level : again[i] == whole[i], "seed " + seed);
      }
    }
  }

  @Test
  void fillingsByStagesAreValidAndBelowTheirCeiling() {
    int found = 0;
    int cases = Thorough.of(150, 300);
    for (int seed = 0; seed < cases; seed++) {
      Component problem = RandomProblems.any(seed, 60, seed % 2 == 0);
      long[] whole = filled(problem, 0.1, null, 0);
      if (whole == null || hasFixed(problem)) {
        continue;
      }
      long peak = problem.peak(whole);
      long level = seed % 3 == 0 ? 0 : peak * (seed % 10) / 10;
      long ceiling = seed % 4 == 0 ? peak : Long.MAX_VALUE;
      for (int threads = 1; threads <= 2; threads++) {
        int most = threads;
        long[] staged =
            new StagedFilling(
                    () -> new SkylineBestFit(problem, SNUG, 0.1, 0, null, whole, level),
                    peak,
                    0.1,
                    seed,
                    RunControl.unlimited())
                .fill((n, task) -> Threads.run("test", most, n, task, () -> {}), () -> ceiling);
        if (staged != null) {
          found++;
          assertValid(problem, staged, "seed " + seed);
          assertTrue(problem.peak(staged) < ceiling, "seed " + seed);
          for (int i = 0; i < staged.length; i++) {
            assertTrue(whole[i] >= level || staged[i] == whole[i], "seed " + seed);
          }
        }
      }
    }
    assertTrue(found > cases * 2 / 3, found + " fillings");
  }

  private static final SkylineBestFit.Preference SNUG = SkylineBestFit.Preference.SNUG;

  private static long[] filled(Component problem, double tolerance, long[] below, long level) {
    return new SkylineBestFit(problem, SNUG, tolerance, 0, null, below, level)
        .fill(RunControl.unlimited(), () -> Long.MAX_VALUE);
  }

  private static boolean hasFixed(Component problem) {
    return Arrays.stream(problem.fixedOffsets()).anyMatch(offset -> offset >= 0);
  }

  @Test
  void givesUpOnlyFillingsThatEndTooHigh() {
    int given = 0;
    for (int seed = 0; seed < 200; seed++) {
      Component problem = RandomProblems.any(seed, 60, seed % 2 == 0);
      long[] whole = fill(problem, Long.MAX_VALUE);
      if (whole != null) {
        long peak = problem.peak(whole);
        assertArrayEquals(whole, fill(problem, peak + 1), "seed " + seed);
        assertNull(fill(problem, problem.maxLoad()));
        long[] noLower = fill(problem, peak);
        assertTrue(noLower == null || Arrays.equals(whole, noLower), "seed " + seed);
        given += noLower == null ? 1 : 0;
      }
    }
    assertTrue(given > 50, given + " fillings given up");
  }

  @Test
  void saysOfTheLargestAloneThatWorkIsLongAndThatThePeakHasFlattened() {
    int flat = 0;
    for (int seed = 0; seed < 40; seed++) {
      Component problem = RandomProblems.any(seed, 60, false);
      for (int largestQuadratic : new int[] {problem.count() - 1, problem.count()}) {
        RunControl control = RunControl.ofWork(40L * problem.count(), 1, 1);
        int[] said = new int[2];
        SearchResult result =
            new LargePlacer(2, 1, false, largestQuadratic)
                .place(incumbent(problem, control, counting(said)), control);
        boolean free = !hasFixed(problem);
        assertEquals(free && largestQuadratic < problem.count() ? 1 : 0, said[1], "long work told");
        if (largestQuadratic == problem.count()) {
          assertEquals(0, said[0], "quick enough to go on");
        } else if (result.status() == SearchResult.Status.FEASIBLE && free) {
          assertTrue(said[0] > 0, "seed " + seed);
          flat++;
        }
      }
    }
    assertTrue(flat >= 5, flat + " problems above their max load");
  }

  private static ComponentIncumbent.Listener counting(int[] said) {
    return new ComponentIncumbent.Listener() {
      @Override
      public void flattened(int tries) {
        said[0]++;
      }

      @Override
      public void began(String what) {
        said[1]++;
      }
    };
  }

  private static long[] fill(Component problem, long ceiling) {
    return new SkylineBestFit(problem, SNUG, 0.1, 3, null)
        .fill(RunControl.unlimited(), () -> ceiling);
  }

  @Test
  void valleysTakeGapsWindowsAndExtraConflicts() {
    for (int seed = 0; seed < 300; seed++) {
      Component problem = RandomProblems.any(seed, 40, true);
      assertValid(
          problem, hasFixed(problem) ? null : fill(problem, Long.MAX_VALUE), "seed " + seed);
    }
  }

  @Test
  void deterministicRunsAgree() {
    Component problem = RandomProblems.plain(4, 500, 200, 1000);
    long[] onOneThread = placed(1, 9, problem, 20_000).offsets();
    assertArrayEquals(onOneThread, placed(2, 9, problem, 20_000).offsets());
  }

  @Test
  void stopsWhenToldTo() {
    RunControl control = RunControl.unlimited();
    control.stop();
    SearchResult result =
        new LargePlacer(2, 1, false)
            .place(unplaced(RandomProblems.plain(1, 50, 20, 9), control), control);
    assertEquals(SearchResult.Status.UNKNOWN, result.status());
  }

  @Test
  void tracesOfRealNetworksReachTheMaxLoad() throws IOException {
    for (Path file : PublicData.all("packing/somas", ".csv")) {
      Component problem = Searches.read(file);
      SearchResult result = placed(1, 1, problem, 300L * problem.count());
      assertNotNull(result.offsets(), file.toString());
      // What is too large for a search is left to this placer alone.
      double share = problem.count() > 3_000 ? 1 : 1.0005;
      assertTrue(result.peak() <= problem.maxLoad() * share, file + " " + result.peak());
    }
  }

  @Test
  void thePortfolioBeginsLargeProblemsByPlacing() {
    Component large = RandomProblems.plain(6, 1_200, 400, 500);
    SearchTeam portfolio = new SearchTeam(2, 1, true);
    SearchResult best = least(portfolio, large, RunControl.ofWork(4_000, 1, 1));
    assertNull(Searches.fault(large, best.offsets(), best.peak()));
    SearchResult none =
        portfolio.search(large, large.maxLoad() - 1, RunControl.ofWork(4_000, 1, 1));
    assertEquals(SearchResult.Status.INFEASIBLE, none.status());
    Component huge = RandomProblems.plain(6, 20_000, 3_000, 500);
    SearchResult placed = least(portfolio, huge, RunControl.ofWork(20_000, 1, 1));
    assertEquals(huge.maxLoad(), placed.bound());
    assertTrue(placed.peak() >= placed.bound());
  }

  @Test
  void rangeMaximumAgreesWithAPlainArray() {
    Random random = new Random(11);
    for (int round = 0; round < 50; round++) {
      long[] plain = random.longs(1 + random.nextInt(40), 0, 100).toArray();
      RangeMaximum tree = new RangeMaximum(plain);
      for (int step = 0; step < 60; step++) {
        int from = random.nextInt(plain.length);
        int to = from + 1 + random.nextInt(plain.length - from);
        int amount = random.nextInt(50) - 25;
        tree.add(from, to, amount);
        long largest = Long.MIN_VALUE;
        for (int k = from; k < to; k++) {
          plain[k] += amount;
          largest = Math.max(largest, plain[k]);
        }
        assertEquals(largest, tree.max(from, to));
        assertEquals(largest, plain[tree.argMax(from, to)]);
      }
    }
  }

  @Test
  void tensOfThousandsAreFilledByStagesToo() {
    Component problem = RandomProblems.plain(5, 20_001, 20_000, 1000);
    SearchResult result = placed(1, 5, problem, 12L * problem.count());
    assertValid(problem, result.offsets(), "by stages");
    assertTrue(result.peak() < 1.1 * problem.maxLoad(), result.peak() + " of " + problem.maxLoad());
  }
}

package stowage.exact.search.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.exact.search.Searches.least;
import static stowage.exact.search.Searches.within;
import static stowage.packing.RunControl.unlimited;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.Thorough;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.presolve.Demands;
import stowage.exact.search.RandomProblems;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.Searches;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.model.SearchResult;
import stowage.packing.RunControl;

/** The canonical search against brute force, with every prune on and off. */
class CanonicalSearchTest {
  private static final long GIVE_UP = 40;

  /** More than any of the problems needs. */
  private static final long PLENTY = 200;

  @Test
  void agreesWithBruteForceOnEveryKindOfConstraint() {
    compare(false, Thorough.of(0, 1_000_000), Thorough.of(1_000, 10_000), Thorough.of(6, 8));
  }

  @Test
  void everySetOfPrunesGivesTheSameAnswer() {
    for (int seed = 0; seed < Thorough.of(60, 120); seed++) {
      Component problem = RandomProblems.any(seed, 7, false);
      long optimum = optimum(problem);
      for (int bits = 0; bits < 2 << Prune.values().length; bits += 1 + seed % 5) {
        Set<Prune> prunes = prunes(bits);
        boolean reranking = bits >> Prune.values().length != 0;
        String about = "seed " + seed + " " + prunes + (reranking ? " reranking" : "");
        assertOptimum(optimum, problem, prunes, reranking, about);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Prune.class)
  void everyPruneCanBeSwitchedOffAlone(Prune prune) {
    for (int seed = 0; seed < 200; seed++) {
      Component problem = RandomProblems.any(seed, 6, false);
      Set<Prune> others = EnumSet.complementOf(EnumSet.of(prune));
      assertOptimum(optimum(problem), problem, others, true, "seed " + seed);
    }
  }

  /** The prunes whose bits are set, in the order of their declaration. */
  private static Set<Prune> prunes(int bits) {
    Set<Prune> prunes = EnumSet.noneOf(Prune.class);
    for (Prune prune : Prune.values()) {
      if ((bits >> prune.ordinal() & 1) != 0) {
        prunes.add(prune);
      }
    }
    return prunes;
  }

  /** One search with some of the prunes, just below and at the optimum; -1 for none anywhere. */
  private static void assertOptimum(
      long optimum, Component problem, Set<Prune> prunes, boolean reranking, String about) {
    SearchModel model = new SearchModel(problem);
    CanonicalSearch search = new CanonicalSearch(model, prunes, unlimited(), false);
    Ranker ranker = new Ranker(model, Ordering.TWA);
    long below = optimum < 0 ? PLENTY : optimum - 1;
    assertEquals(
        CanonicalSearch.FAILED, run(search, model, ranker, below, reranking), about + " below");
    if (optimum >= 0) {
      assertEquals(CanonicalSearch.FOUND, run(search, model, ranker, optimum, reranking), about);
    }
  }

  @ParameterizedTest
  @EnumSource(Ordering.class)
  void everyOrderingGivesTheSameAnswer(Ordering ordering) {
    for (int seed = 0; seed < 300; seed++) {
      Component problem = RandomProblems.plain(seed, 12, 8, 9);
      SearchModel model = new SearchModel(problem);
      long capacity = problem.maxLoad();
      CanonicalSearch search = new CanonicalSearch(model, unlimited());
      int expected = run(search, model, new Ranker(model, Ordering.TWA), capacity);
      CanonicalSearch again = new CanonicalSearch(model, unlimited(), true);
      assertEquals(
          expected, run(again, model, new Ranker(model, ordering), capacity), "seed " + seed);
    }
  }

  /** Heights kept free above all are as buffers that are fixed there. */
  @Test
  void roomAboveIsAsTakenByFixedBuffers() {
    int steps = 6;
    long capacity = 24;
    int found = 0;
    for (int seed = 0; seed < Thorough.of(300, 3_000); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ComponentBuilder fixed = ComponentBuilder.ofOneMemory();
      ComponentBuilder free = ComponentBuilder.ofOneMemory();
      int[] members = IntStream.range(0, 9).toArray();
      for (int member : members) {
        int start = random.nextInt(steps);
        int end = start + 1 + random.nextInt(steps - start);
        long size = 1 + random.nextInt(8);
        fixed.add(size, start, end);
        free.add(size, start, end);
      }
      long[] above = new long[steps];
      for (int step = 0; step < steps; step++) {
        above[step] = step == 0 ? 1 : 1 + random.nextInt(8);
        Demands.fix(fixed, fixed.add(above[step], step, step + 1), capacity - above[step]);
        free.add(above[step], step, step + 1);
      }
      SearchModel whole = new SearchModel(fixed.build());
      CanonicalSearch all = new CanonicalSearch(whole, unlimited());
      int expected = run(all, whole, new Ranker(whole, Ordering.TWA), capacity);
      SearchModel model = new SearchModel(free.build());
      CanonicalSearch search = new CanonicalSearch(model, unlimited(), seed % 2 == 0);
      Ranker ranker = new Ranker(model, Ordering.TWA);
      long[] lowest = new long[model.count];
      for (long room = capacity - 3; room <= capacity; room++) {
        // What failed below or with other heights must not be taken for a failure here.
        int answer =
            search.search(members, lowest, above, room, Long.MAX_VALUE, ranker, true, null);
        if (room == capacity) {
          assertEquals(expected, answer, "seed " + seed);
        }
      }
      if (expected == CanonicalSearch.FOUND) {
        found++;
        long[] offsets = Arrays.copyOf(search.offsets(), model.count);
        for (int step = 0; step < steps; step++) {
          offsets[members.length + step] = capacity - above[step];
        }
        assertNull(Searches.fault(model.problem, offsets, capacity), "seed " + seed);
      }
    }
    assertTrue(found > 50, "found " + found);
  }

  /** A low capacity is searched first, so that what it learns could mislead the later ones. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nogoodsDoNotOutliveTheirCapacity(boolean nogoods) {
    for (int seed = 0; seed < Thorough.of(250, 500); seed++) {
      Component problem = RandomProblems.any(seed, 8, false);
      SearchModel model = new SearchModel(problem);
      Set<Prune> prunes = EnumSet.allOf(Prune.class);
      prunes.removeIf(prune -> !nogoods);
      CanonicalSearch search = new CanonicalSearch(model, prunes, unlimited(), false);
      Ranker ranker = new Ranker(model, Ordering.TWA);
      long expected = optimum(problem);
      for (long capacity = 1; capacity < 30; capacity++) {
        int answer = run(search, model, ranker, capacity);
        boolean fits = expected >= 0 && capacity >= expected;
        assertEquals(fits, answer == CanonicalSearch.FOUND, "seed " + seed + " at " + capacity);
      }
    }
  }

  /** Larger than brute force can follow: parts that succeed beside parts that fail. */
  @Test
  void placementsOfEveryWorkerAreValid() {
    for (int seed = 0; seed < 300; seed++) {
      Component problem = RandomProblems.any(seed, 24, false);
      String about = "seed " + seed;
      ComponentIncumbent.Listener checking =
          new ComponentIncumbent.Listener() {
            @Override
            public void found(ComponentIncumbent known) {
              String by = about + " by " + known.finder();
              assertNull(Searches.fault(problem, known.offsets(), known.peak()), by);
            }
          };
      SearchResult result =
          new SearchTeam(1, seed, true)
              .minimise(
                  new ComponentIncumbent(problem, 0, checking), 0, RunControl.ofWork(30_000, 1, 1));
      if (result.offsets() != null) {
        assertNull(Searches.fault(problem, result.offsets(), result.peak()), about);
        assertTrue(result.bound() <= result.peak(), about);
      }
    }
  }

  @Test
  void deterministicRunsDoNotDependOnTheNumberOfThreads() {
    for (int seed = 0; seed < 10; seed++) {
      Component problem = RandomProblems.plain(seed, 70, 30, 50);
      SearchTeam three = new SearchTeam(3, 5, true);
      RunControl control = RunControl.ofWork(60_000, 1, 1);
      long[] offsets = least(new SearchTeam(1, 5, true), problem, control).offsets();
      control = RunControl.ofWork(60_000, 1, 1);
      assertArrayEquals(offsets, least(three, problem, control).offsets(), "seed " + seed);
    }
  }

  @Test
  void anUpperPlacementIsImprovedOrKept() {
    for (int seed = 0; seed < 100; seed++) {
      Component problem = RandomProblems.plain(seed, 25, 12, 20);
      long[] stacked = new long[problem.count()];
      for (int buffer = 1; buffer < problem.count(); buffer++) {
        stacked[buffer] = stacked[buffer - 1] + problem.sizes()[buffer - 1];
      }
      ComponentIncumbent known = new ComponentIncumbent(problem);
      known.adopt(stacked, null);
      SearchResult result =
          new SearchTeam(1, 1, false).minimise(known, 0, RunControl.ofWork(20_000, 1, 1));
      assertTrue(result.peak() <= problem.peak(stacked), "seed " + seed);
      assertNull(Searches.fault(problem, result.offsets(), result.peak()), "seed " + seed);
    }
  }

  @Test
  void stopsWhenToldTo() {
    Component problem = RandomProblems.plain(5, 60, 20, 100);
    RunControl control = unlimited();
    control.stop();
    SearchResult result = least(new SearchTeam(2, 1, false), problem, control);
    assertEquals(SearchResult.Status.UNKNOWN, result.status());
    assertNull(result.offsets());
  }

  @Test
  void aProblemWithoutBuffersHasPeakZero() {
    SearchResult result = least(false, ComponentBuilder.ofOneMemory().build());
    assertEquals(SearchResult.Status.OPTIMAL, result.status());
    assertEquals(0, result.peak());
  }

  @Test
  void clashingFixedOffsetsAreInfeasibleAtEveryCapacity() {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    Demands.fix(builder, builder.add(4, 0, 2), 3);
    Demands.fix(builder, builder.add(4, 1, 3), 5);
    SearchResult result = least(false, builder.build());
    assertEquals(SearchResult.Status.INFEASIBLE, result.status());
  }

  @Test
  void oneBelowTheOptimumIsProvenInfeasible() {
    for (int seed = 0; seed < Thorough.of(250, 500); seed++) {
      Component problem = RandomProblems.any(seed, 8, false);
      long optimum = optimum(problem);
      if (optimum > 0) {
        SearchResult below = within(false, problem, optimum - 1);
        assertEquals(SearchResult.Status.INFEASIBLE, below.status(), "seed " + seed);
        SearchResult at = within(false, problem, optimum);
        assertNull(Searches.fault(problem, at.offsets(), optimum), "seed " + seed);
      }
    }
  }

  /** Holds searches for the least peak against brute force, with or without windows. */
  static void compare(boolean windows, long firstSeed, int cases, int buffers) {
    int feasible = 0;
    for (long seed = firstSeed; seed < firstSeed + cases; seed++) {
      Component problem = RandomProblems.any(seed, buffers, windows);
      SearchResult result = least(windows, problem);
      long expected = Searches.optimum(problem, GIVE_UP);
      String about = "seed " + seed + ": " + result.statistics();
      if (expected < 0) {
        boolean high = result.status() == SearchResult.Status.INFEASIBLE || result.peak() > GIVE_UP;
        assertTrue(high, about);
        continue;
      }
      feasible++;
      assertEquals(SearchResult.Status.OPTIMAL, result.status(), about);
      assertEquals(expected, result.peak(), about);
      assertEquals(expected, result.bound(), about);
      assertNull(Searches.fault(problem, result.offsets(), expected), about);
    }
    assertFalse(feasible < cases / 2, "only " + feasible + " of the cases had a placement");
  }

  private static long optimum(Component problem) {
    return least(false, problem).peak();
  }

  private static int run(CanonicalSearch search, SearchModel model, Ranker ranker, long capacity) {
    return run(search, model, ranker, capacity, true);
  }

  private static int run(
      CanonicalSearch search, SearchModel model, Ranker ranker, long capacity, boolean reranking) {
    int[] all = IntStream.range(0, model.count).toArray();
    return search.search(
        all, new long[model.count], null, capacity, Long.MAX_VALUE, ranker, reranking, null);
  }
}

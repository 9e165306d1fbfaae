package stowage.exact.search.clause;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.exact.search.Searches.least;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.presolve.BottomLeftOrder;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.presolve.Demands;
import stowage.exact.search.RandomProblems;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.Searches;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.model.SearchResult;
import stowage.packing.RunControl;

/** The search with clauses against brute force and against the canonical search. */
class LearningSearchTest {
  private static final long GIVE_UP = 200;

  /** Long enough for every small problem. */
  private static final int MOST_RUNS = 100_000;

  @Test
  void agreesWithBruteForce() {
    long from = Thorough.of(0, 1_000_000);
    int problems = Thorough.of(1_000, 10_000);
    int most = Thorough.of(6, 8);
    int compared = 0;
    for (long seed = from; compared < problems; seed++) {
      Component problem = RandomProblems.any(seed, most, false);
      SearchModel model = new SearchModel(problem);
      if (!LearningSearch.takes(model, GIVE_UP)) {
        continue;
      }
      compared++;
      long optimum = Searches.optimum(problem, GIVE_UP);
      assertEquals(LearningSearch.Answer.FOUND, answer(model, optimum, seed), "seed " + seed);
      assertEquals(LearningSearch.Answer.NONE, answer(model, optimum - 1, seed), "seed " + seed);
    }
  }

  /** Runs of few failures, in other orders each time, so that much depends on what was learnt. */
  private static LearningSearch.Answer answer(SearchModel model, long capacity, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LearningSearch search = new LearningSearch(model, RunControl.unlimited());
    search.begin(capacity, null);
    LearningSearch.Answer answer = LearningSearch.Answer.OPEN;
    for (int run = 0; answer == LearningSearch.Answer.OPEN && run < MOST_RUNS; run++) {
      search.restart(
          BottomLeftOrder.drawn(model.problem, run, random),
          LearningSearch.Ties.values()[random.nextInt(2)],
          random.nextBoolean() ? null : sections(model, random));
      answer = search.advance(1 + run / 8, 4 + run);
      if (answer == LearningSearch.Answer.OPEN && random.nextBoolean()) {
        answer = search.advance(1 + run / 8, 4 + run);
      }
    }
    if (answer == LearningSearch.Answer.FOUND) {
      String fault = Searches.fault(model.problem, search.offsets(), capacity);
      assertNull(fault, "seed " + seed);
    }
    return answer;
  }

  private static int[] sections(SearchModel model, SplittableRandom random) {
    int first = random.nextInt(model.sections);
    return IntStream.range(0, model.sections).map(s -> (s + first) % model.sections).toArray();
  }

  /** Some offsets given: as with a component in which they are fixed, and NONE where they clash. */
  @Test
  void agreesWithBruteForceWhereSomeOffsetsAreGiven() {
    int found = 0;
    int none = 0;
    for (long seed = 0; found + none < 1_000; seed++) {
      Component problem = RandomProblems.any(seed, 6, false);
      SearchModel model = new SearchModel(problem);
      if (!LearningSearch.takes(model, GIVE_UP)) {
        continue;
      }
      SplittableRandom random = new SplittableRandom(seed);
      long capacity = Searches.optimum(problem, GIVE_UP) + random.nextInt(3);
      long[] given = new long[model.count];
      ComponentBuilder same = model.copy(IntStream.range(0, model.count).toArray());
      same.add(1, model.sections, model.sections + 1); // keeps the unit
      for (int i = 0; i < given.length; i++) {
        boolean free = random.nextInt(3) > 0;
        given[i] = free ? -1 : random.nextInt((int) (capacity - model.size[i] + 1));
        if (!free) {
          Demands.fix(same, i, given[i]);
        }
      }
      LearningSearch search = new LearningSearch(model, RunControl.unlimited());
      search.begin(capacity, given);
      search.restart(BottomLeftOrder.of(problem), LearningSearch.Ties.ORDER, null);
      boolean fits = Searches.optimum(same.build(), capacity) >= 0;
      String where = "seed " + seed;
      assertEquals(
          fits ? LearningSearch.Answer.FOUND : LearningSearch.Answer.NONE,
          search.advance(MOST_RUNS, MOST_RUNS),
          where);
      found += fits ? 1 : 0;
      none += fits ? 0 : 1;
      for (int i = 0; fits && i < given.length; i++) {
        assertTrue(given[i] < 0 || given[i] == search.offsets()[i], where);
      }
      if (fits) {
        assertNull(Searches.fault(problem, search.offsets(), capacity), where);
      }
    }
    assertTrue(found > 200 && none > 200, found + " found, " + none + " without a placement");
  }

  /** Full at most steps, where the rules have most to say, and larger than brute force can do. */
  @Test
  void agreesWithTheCanonicalSearch() {
    int above = 0;
    for (int seed = 1; seed <= 90; seed++) {
      Component problem = seed <= 60 ? exchange(seed) : recut(seed);
      SearchModel model = new SearchModel(problem);
      SearchResult result =
          least(new SearchTeam(1, seed, true), problem, RunControl.ofWork(2_000_000, 1, 1));
      assertEquals(SearchResult.Status.OPTIMAL, result.status(), "seed " + seed);
      long optimum = result.peak();
      above += optimum > problem.maxLoad() ? 1 : 0;
      assertEquals(LearningSearch.Answer.FOUND, answer(model, optimum, seed), "seed " + seed);
      assertEquals(LearningSearch.Answer.NONE, answer(model, optimum - 1, seed), "seed " + seed);
    }
    assertTrue(above > 10, "above the max load: " + above);
  }

  /** A full memory cut anew several times, of which much is left out. */
  private static Component recut(int seed) {
    Map<String, Object> values = new HashMap<>(Map.of("seed", seed, "buffers", 24, "segments", 6));
    values.putAll(Map.of("capacity", 256, "unit", 1, "dropped", 0.2));
    return Searches.generated("recut", values);
  }

  /** A row in which at every step others take the room of those that end. */
  private static Component exchange(int seed) {
    Map<String, Object> values =
        Map.of("seed", seed, "buffers", 24, "live", 6, "turnover", 3, "capacity", 40);
    return Searches.generated("exchange", values);
  }

  /** A search may be used at one capacity after another; clauses must not outlive theirs. */
  @Test
  void forgetsWhatItLearntBelowAnotherCapacity() {
    for (int seed = 0; seed < 200; seed++) {
      Component problem = RandomProblems.plain(seed, 6, 5, 5);
      long optimum = Searches.optimum(problem, GIVE_UP);
      SearchModel model = new SearchModel(problem);
      LearningSearch search = new LearningSearch(model, RunControl.unlimited());
      for (long capacity : new long[] {optimum - 1, optimum + 3, optimum - 2, optimum}) {
        search.begin(capacity, null);
        search.restart(BottomLeftOrder.of(problem), LearningSearch.Ties.ORDER, null);
        LearningSearch.Answer expected =
            capacity < optimum ? LearningSearch.Answer.NONE : LearningSearch.Answer.FOUND;
        assertEquals(expected, search.advance(MOST_RUNS, MOST_RUNS), "seed " + seed);
      }
    }
  }

  @Test
  void doesNotTakeWhatItCannotHold() {
    assertFalse(LearningSearch.takes(new SearchModel(RandomProblems.plain(1, 5, 5, 5)), 1L << 40));
  }
}

package stowage.exact.search.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.exact.search.Searches.least;
import static stowage.exact.search.Searches.within;
import static stowage.packing.RunControl.unlimited;

import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.search.RandomProblems;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchResult;
import stowage.packing.RunControl;

/** The search on pairs against brute force, and against the canonical search. */
class DisjunctiveSearchTest {
  @Test
  void agreesWithBruteForceOnWindows() {
    int cases = Thorough.of(1_000, 10_000);
    CanonicalSearchTest.compare(true, Thorough.of(0, 2_000_000), cases, Thorough.of(5, 8));
  }

  @Test
  void agreesWithTheCanonicalSearchWithoutWindows() {
    for (int seed = 0; seed < 400; seed++) {
      Component problem = RandomProblems.any(seed, 9, false);
      SearchResult expected = least(true, problem);
      ComponentIncumbent known = new ComponentIncumbent(problem);
      known.begin(0, unlimited());
      SearchResult actual = new DisjunctiveSearch(known, unlimited()).minimise();
      assertEquals(expected.status(), actual.status(), "seed " + seed);
      assertEquals(expected.peak(), actual.peak(), "seed " + seed);
    }
  }

  @Test
  void aWindowLeavesRoomInBetween() {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    builder.add(10, 0, 3);
    builder.window(1, 2, 4, 5);
    builder.add(2, 1, 2);
    PairRelation relation = PairRelation.of(builder.build(), 0, 1);
    assertArrayEquals(new long[] {-PairRelation.UNLIMITED, 5}, relation.low);
    assertArrayEquals(new long[] {2, PairRelation.UNLIMITED}, relation.high);
  }

  @Test
  void oneBelowTheOptimumIsProvenInfeasible() {
    for (int seed = 0; seed < 300; seed++) {
      Component problem = RandomProblems.any(seed, 7, true);
      SearchResult best = least(true, problem);
      if (best.peak() > 0) {
        SearchResult below = within(true, problem, best.peak() - 1);
        assertEquals(SearchResult.Status.INFEASIBLE, below.status(), "seed " + seed);
      }
    }
  }

  @Test
  void workCountsThePairsThatANodeLooksAt() {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    for (int buffer = 0; buffer < 200; buffer++) {
      int from = buffer * 37 % 100;
      builder.add(4 + buffer * 13 % 50, from, from + 40);
      builder.window(from + 20, from + 40, 0, 4);
    }
    ComponentIncumbent known = new ComponentIncumbent(builder.build());
    RunControl limit = RunControl.ofWork(100_000, 1, 1);
    known.begin(0, limit);
    long nodes = new DisjunctiveSearch(known, limit).minimise().statistics().nodes();
    assertTrue(nodes > 10 && nodes < 2_000, nodes + " nodes");
  }
}

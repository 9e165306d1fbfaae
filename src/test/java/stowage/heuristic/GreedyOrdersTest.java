package stowage.heuristic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

class GreedyOrdersTest {

  /** a: large and short; b: small and long; c, d: between; e: nothing to place. */
  private static final PackingProblem MIXED =
      Buffers.problem("a:90[4,5) b:10[0,10) c:40[1,4) d:40[6,10) e:5[3,3)");

  @Test
  void ordersFollowTheirKeysAndTieRules() {
    assertArrayEquals(new int[] {0, 3, 2, 1, 4}, GreedyPlanner.Order.SIZE.of(MIXED));
    assertArrayEquals(new int[] {1, 3, 2, 0, 4}, GreedyPlanner.Order.LIFETIME.of(MIXED));
    // Areas: 90, 100, 120, 160, 0.
    assertArrayEquals(new int[] {3, 2, 1, 0, 4}, GreedyPlanner.Order.AREA.of(MIXED));
    // b meets a, c and d; each of those meets b alone; larger first.
    assertArrayEquals(new int[] {1, 0, 2, 3, 4}, GreedyPlanner.Order.CONFLICTS.of(MIXED));
    assertArrayEquals(new int[] {1, 2, 4, 0, 3}, GreedyPlanner.Order.START.of(MIXED));
    // Loads: 100 at step 4 (a, b), 50 for c and d; b lives longer than a, d longer than c.
    assertArrayEquals(new int[] {1, 0, 3, 2, 4}, GreedyPlanner.Order.URGENCY.of(MIXED));
  }

  @Test
  void extraPairsCountOnceAmongTheConflicts() {
    ConflictPairs pairs =
        ConflictPairs.of(5, List.of(new int[] {0, 1}, new int[] {2, 3}, new int[] {0, 3}));
    assertArrayEquals(
        new int[] {2, 3, 2, 3, 0}, OrderKeys.conflictCounts(MIXED.withConflicts(pairs)));
  }

  @Test
  void conflictCountsAndLoadsAgreeWithTheirDefinition() {
    for (long seed = 0; seed < 200; seed++) {
      PackingProblem problem = RandomPackingProblems.any(seed, 20);
      int[] counts = OrderKeys.conflictCounts(problem);
      long[] loads = OrderKeys.largestLoads(problem);
      LoadProfile profile = LoadProfile.of(problem);
      for (int i = 0; i < problem.size(); i++) {
        Buffer own = problem.buffer(i);
        int count = 0;
        for (int j = 0; own.needsMemory() && j < problem.size(); j++) {
          Buffer other = problem.buffer(j);
          boolean meets = other.needsMemory() && own.live().overlaps(other.live());
          boolean pair = other.needsMemory() && problem.conflicts().contains(i, j);
          count += i != j && (meets || pair) ? 1 : 0;
        }
        assertEquals(count, counts[i], "seed " + seed + ", buffer " + i);
        long load = 0;
        for (int t = own.live().start(); own.needsMemory() && t < own.live().end(); t++) {
          load = Math.max(load, profile.loadAt(t));
        }
        assertEquals(load, loads[i], "seed " + seed + ", buffer " + i);
      }
    }
  }

  @Test
  void firstFitTakesTheLowestGapAndBestFitTheTightest() {
    PackingProblem problem =
        Buffers.problem("low:4[0,9)@0 middle:4[0,9)@10 high:4[0,9)@17 new:3[2,5)");
    int[] order = {0, 1, 2, 3};
    assertEquals(4, GapPlacer.inOrder(problem, order, Fit.FIRST, RunControl.unlimited()).offset(3));
    assertEquals(14, GapPlacer.inOrder(problem, order, Fit.BEST, RunControl.unlimited()).offset(3));
  }

  @Test
  void banksAndAlignmentRaiseAnOffset() {
    Memory banked = new Memory(Memory.MAIN, Memory.UNBOUNDED, 1, 0, 16);
    PackingProblem problem =
        Buffers.problem("a:10[0,9) b:9[0,9)| c:5[0,9)%3").withMemories(List.of(banked));
    var placement =
        GapPlacer.inOrder(problem, new int[] {0, 1, 2}, Fit.FIRST, RunControl.unlimited());
    assertArrayEquals(new long[] {0, 16, 27}, placement.offsets());
  }

  @Test
  void sortingForbiddenIntervalsIsSorting() {
    Random random = new Random(8);
    ForbiddenOffsets intervals = new ForbiddenOffsets();
    for (int size = 0; size < 300; size += 7) {
      intervals.clear();
      long sum = 0;
      for (int k = 0; k < size; k++) {
        long low = random.nextInt(50);
        intervals.add(low, low + 1000);
        sum += low;
      }
      intervals.sort();
      for (int k = 0; k < size; k++) {
        assertEquals(intervals.low(k) + 1000, intervals.high(k));
        assertEquals(true, k == 0 || intervals.low(k - 1) <= intervals.low(k), "seed 8");
        sum -= intervals.low(k);
      }
      assertEquals(0, sum);
    }
  }
}

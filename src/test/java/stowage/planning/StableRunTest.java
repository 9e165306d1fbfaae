package stowage.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stowage.Effort;
import stowage.PlanOptions;
import stowage.Stowage;
import stowage.Thorough;
import stowage.exact.RandomProblems;
import stowage.heuristic.EarlierPlaces;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class StableRunTest {
  private static Placement planned(PackingProblem problem, PlanOptions options) {
    return Stowage.plan(problem, options).placement();
  }

  private static EarlierPlaces placesOf(Placement plan, boolean[] changed) {
    return new EarlierPlaces(plan.offsets().clone(), plan.memories().clone(), changed);
  }

  /** The fewest bytes moved by a placement of a small problem of one memory below a top, or -1. */
  private static long fewest(
      PackingProblem problem, EarlierPlaces earlier, long top, long[] offsets, int next) {
    if (next == problem.size()) {
      Placement all = Placement.of(offsets);
      return Verifier.isValid(problem, all) ? earlier.moves(problem, all).movedBytes() : -1;
    }
    Buffer buffer = problem.buffer(next);
    long least = -1;
    long last = buffer.needsMemory() ? top - buffer.size() : 0;
    for (long offset = 0; offset <= last; offset++) {
      offsets[next] = buffer.isFixed() ? buffer.fixedOffset() : offset;
      boolean clear = true;
      for (int i = 0; i < next && clear; i++) {
        clear =
            !problem.meet(i, next)
                || buffer.hasWindows()
                || problem.buffer(i).hasWindows()
                || offsets[i] >= offsets[next] + buffer.size()
                || offsets[next] >= offsets[i] + problem.buffer(i).size();
      }
      long moved = clear ? fewest(problem, earlier, top, offsets, next + 1) : -1;
      least = moved >= 0 && (least < 0 || moved < least) ? moved : least;
      if (buffer.isFixed()) {
        break;
      }
    }
    return least;
  }

  /** Against every placement there is: never fewer than possible, and hardly ever more. */
  @Test
  void agreesWithEveryPlacementOfSmallProblems() {
    int compared = 0;
    int least = 0;
    int cases = Thorough.of(100, 300);
    for (int seed = 0; seed < 4_000 && compared < cases; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 5);
      Random random = new Random(seed);
      if (problem.memories().size() > 1
          || problem.memories().get(0).isBounded()
          || problem.buffers().stream().mapToLong(Buffer::size).sum() > 16) {
        continue;
      }
      Placement best = planned(problem, PlanOptions.defaults().deterministic(2_000));
      if (best == null) {
        continue;
      }
      long[] before = new long[problem.size()];
      Arrays.setAll(before, i -> random.nextInt(4) == 0 ? -1 : (long) random.nextInt(8));
      EarlierPlaces earlier =
          new EarlierPlaces(before, new int[before.length], new boolean[before.length]);
      StableRun run = new StableRun(problem, earlier);
      double slack = random.nextInt(3) * 0.15;
      long[] tops = run.tops(best, slack);
      StableRun.Found found = run.fewestMoves(best, tops, RunControl.ofWork(20_000, 1, seed));
      String context = "seed " + seed;
      assertEquals(List.of(), Verifier.violations(problem, found.placement()), context);
      assertTrue(found.placement().peak(problem, 0) <= tops[0], context);
      long fewest = fewest(problem, earlier, tops[0], new long[problem.size()], 0);
      assertTrue(found.moves().movedBytes() >= fewest, context);
      assertTrue(found.atLeast() <= fewest, context);
      compared++;
      least += found.moves().movedBytes() == fewest ? 1 : 0;
    }
    assertEquals(cases, compared);
    assertTrue(
        least >= cases * 97 / 100, least + " of " + compared + " moved the fewest bytes there are");
  }

  /** With constraints of every kind and several memories: valid, below the tops, never worse. */
  @Test
  void keepsEveryConstraint() {
    int moved = 0;
    int cases = Thorough.of(40, 100);
    for (int seed = 0; seed < cases; seed++) {
      PackingProblem problem = RandomProblems.of(90_000 + seed, 14);
      Placement best = planned(problem, PlanOptions.defaults().effort(Effort.FAST).seed(seed));
      Placement other = planned(problem, PlanOptions.defaults().deterministic(5_000));
      if (best == null || other == null) {
        continue;
      }
      EarlierPlaces earlier = placesOf(other, new boolean[problem.size()]);
      StableRun run = new StableRun(problem, earlier);
      long[] tops = run.tops(best, 0.1);
      StableRun.Found found = run.fewestMoves(best, tops, RunControl.ofWork(20_000, 1, seed));
      String context = "seed " + seed;
      assertEquals(List.of(), Verifier.violations(problem, found.placement()), context);
      for (int m = 0; m < tops.length; m++) {
        assertTrue(found.placement().peak(problem, m) <= tops[m], context);
      }
      long before = earlier.moves(problem, best).movedBytes();
      assertTrue(found.moves().movedBytes() <= before, context);
      moved += found.moves().movedBytes() < before ? 1 : 0;
    }
    assertTrue(moved > cases / 20, "a better plan in " + moved + " cases");
  }

  /** Pinned: every buffer that did not change stays, and a changed one where it still can. */
  @Test
  void pinsEverythingThatCanStay() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      PackingProblem problem = RandomProblems.of(seed, 12);
      if (problem.memories().size() > 1 || problem.memories().get(0).isBounded()) {
        continue;
      }
      Placement plan = planned(problem, PlanOptions.defaults().deterministic(5_000));
      int grown = random.nextInt(problem.size());
      Buffer buffer = problem.buffer(grown);
      if (plan == null || buffer.isFixed() || buffer.hasWindows() || buffer.withinBank()) {
        continue;
      }
      Buffer[] buffers = problem.buffers().toArray(Buffer[]::new);
      buffers[grown] = buffer.withSize(buffer.size() + 1 + random.nextInt(3));
      PackingProblem next = problem.withBuffers(List.of(buffers));
      boolean[] changed = new boolean[buffers.length];
      changed[grown] = true;
      EarlierPlaces earlier = placesOf(plan, changed);
      PackingProblem pinned = earlier.pinned(next);
      boolean fits = Verifier.isValid(next, plan);
      for (int i = 0; i < buffers.length; i++) {
        if (next.buffer(i).needsMemory() && !buffers[i].isFixed()) {
          boolean pinnedHere = pinned.buffer(i).isFixed();
          assertEquals(i != grown || fits, pinnedHere, "seed " + seed + ", buffer " + i);
          assertTrue(!pinnedHere || pinned.buffer(i).fixedOffset() == plan.offset(i));
        }
      }
    }
  }

  /** Beyond the pairs that a search for moves keeps, what can stay is pinned all the same. */
  @Test
  @Tag("thorough")
  void pinsWithTooManyPairsToo() {
    Buffer[] buffers = new Buffer[6_400];
    Arrays.setAll(buffers, i -> new Buffer("b" + i, 1, 0, 2));
    PackingProblem problem = PackingProblem.of("all at once", List.of(buffers));
    long[] offsets = new long[buffers.length];
    Arrays.setAll(offsets, i -> Math.max(1, i));
    boolean[] changed = new boolean[buffers.length];
    changed[0] = true; // it was where the next one is, and gives way
    PackingProblem pinned =
        new EarlierPlaces(offsets, new int[buffers.length], changed).pinned(problem);
    for (int i = 0; i < buffers.length; i++) {
      assertEquals(i == 0 ? Buffer.NONE : i, pinned.buffer(i).fixedOffset());
    }
  }
}

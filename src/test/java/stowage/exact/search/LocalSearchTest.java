package stowage.exact.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import stowage.exact.presolve.Component;
import stowage.exact.search.local.IteratedGreedy;
import stowage.exact.search.local.Neighbourhoods;
import stowage.exact.search.local.StackingOrder;
import stowage.exact.search.local.StepProfile;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/** What the local searches are made of, and that they keep placements valid. */
class LocalSearchTest {

  @Test
  void aProfileAgreesWithAPlainArray() {
    SplittableRandom random = new SplittableRandom(1);
    for (int sections : new int[] {1, 2, 63, 64, 65, 128, 200}) {
      StepProfile profile = new StepProfile(sections);
      long[] plain = new long[sections];
      for (int k = 0; k < 2_000; k++) {
        int from = random.nextInt(sections);
        int to = from + 1 + random.nextInt(sections - from);
        long highest = 0;
        for (int section = from; section < to; section++) {
          highest = Math.max(highest, plain[section]);
        }
        assertEquals(highest, profile.highest(from, to), "sections " + sections);
        long height = k % 37;
        if (k % 3 == 0) {
          profile.set(from, to, height);
        } else {
          assertEquals(highest, profile.pile(from, to, height - highest));
        }
        Arrays.fill(plain, from, to, height);
      }
      profile.clear();
      assertEquals(0, profile.highest(0, sections));
    }
  }

  /** Changes a placement below a ceiling, and gives its peak. */
  private interface Change {
    long of(SearchModel model, long[] offsets, long ceiling, int seed);
  }

  /** How many placements of random problems a change rearranges, all valid and below ceilings. */
  private static int changed(int above, Change change) {
    int changed = 0;
    for (int seed = 0; seed < 100; seed++) {
      Component problem = RandomProblems.any(seed, 30, false);
      SearchModel model = new SearchModel(problem);
      if (!model.stackable) {
        continue;
      }
      long[] offsets = stacked(model, problem);
      long[] before = offsets.clone();
      long ceiling = model.peak(offsets) + seed % above;
      long peak = change.of(model, offsets, ceiling, seed);
      assertEquals(peak, model.peak(offsets), "seed " + seed);
      assertTrue(peak <= ceiling, "seed " + seed);
      assertNull(Searches.fault(problem, offsets, peak));
      changed += Arrays.equals(before, offsets) ? 0 : 1;
    }
    return changed;
  }

  @Test
  void iteratedGreedyNeverEndsHigherAndStaysValid() {
    changed(
        1,
        (model, offsets, ceiling, seed) ->
            new IteratedGreedy(model, seed).improve(offsets, 0, 500, RunControl.unlimited()));
  }

  @Test
  void neighbourhoodsNeverEndHigherAndStayValid() {
    RunControl control = RunControl.unlimited();
    changed(
        1,
        (model, offsets, ceiling, seed) ->
            new Neighbourhoods(model, control, seed)
                .improve(offsets, model.maxLoad, 5_000, control));
  }

  @Test
  void kicksStayBelowTheirCeilingAndStayValid() {
    RunControl control = RunControl.unlimited();
    int changed =
        changed(
            4,
            (model, offsets, ceiling, seed) ->
                new Neighbourhoods(model, control, seed)
                    .perturb(offsets, ceiling, 1 + seed % 3, control));
    assertTrue(changed > 20, "kicks that arranged something anew: " + changed);
  }

  @Test
  void descentsThatAreStuckGoOnAndNeverOfferAnythingWrong() {
    for (int seed = 0; seed < 20; seed++) {
      Component problem = RandomProblems.any(seed, 30, false);
      SearchModel model = new SearchModel(problem);
      RunControl control = RunControl.unlimited();
      // No placement reaches a target below the max load: every descent ends stuck.
      ComponentIncumbent incumbent = new ComponentIncumbent(model.problem);
      incumbent.begin(0, control);
      DescentWorker worker = new DescentWorker(model, control, seed);
      worker.advance(incumbent, 200_000);
      if (incumbent.offsets() != null) {
        assertEquals(incumbent.best(), model.peak(incumbent.offsets()), "seed " + seed);
        assertNull(Searches.fault(problem, incumbent.offsets(), incumbent.best()));
      }
    }
  }

  private static long[] stacked(SearchModel model, Component problem) {
    StackingOrder order = new StackingOrder(model);
    order.read(new long[problem.count()]);
    order.stack();
    return order.head.clone();
  }
}

package stowage.exact.search.greedy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import stowage.exact.presolve.Component;
import stowage.exact.search.RandomProblems;
import stowage.exact.search.Searches;
import stowage.packing.Buffers;
import stowage.packing.RunControl;

class UrgencyPlacerTest {
  /** Two sections of load 100; the buffer of 48 bytes lives through both. */
  private static Component twoFullSections() {
    return Searches.component(Buffers.of("both:48[0,2) a:50[0,1) b:2[0,1) c:49[1,2) d:3[1,2)"));
  }

  @Test
  void sizeAloneLosesAByteBetweenTwoFullSections() {
    Component problem = twoFullSections();
    long[] offsets = new UrgencyPlacer(problem, 1).round(100, RunControl.unlimited());
    assertEquals(101, problem.peak(offsets));
  }

  @Test
  void whatLivesThroughBothFullSectionsComesFirst() {
    Component problem = twoFullSections();
    UrgencyPlacer placer = new UrgencyPlacer(problem, 1);
    placer.restart(2);
    long[] offsets = placer.round(100, RunControl.unlimited());
    assertEquals(0, offsets[0]);
    assertEquals(100, problem.peak(offsets));
    assertNull(Searches.fault(problem, offsets, 100));
  }

  @Test
  void roundsAreValidWhateverCountsAsFull() {
    for (int seed = 0; seed < 100; seed++) {
      Component problem = RandomProblems.any(seed, 40, seed % 2 == 0);
      UrgencyPlacer placer = new UrgencyPlacer(problem, seed);
      for (int fullest = 1; fullest <= problem.sections() + 1; fullest++) {
        placer.restart(fullest);
        long[] offsets = placer.round(problem.maxLoad(), RunControl.unlimited());
        String what = "seed " + seed + " with " + fullest + " " + Arrays.toString(offsets);
        Searches.assertValid(problem, offsets, what);
      }
    }
  }
}

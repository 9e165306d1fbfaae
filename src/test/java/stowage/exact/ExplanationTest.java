package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

class ExplanationTest {

  @Test
  void theChainGoesDownToTheFloor() {
    PackingProblem problem =
        PackingProblem.of(
            "chain",
            List.of(
                new Buffer("A", 4, 0, 3),
                new Buffer("B", 6, 2, 6),
                new Buffer("C", 4, 5, 8),
                new Buffer("aside", 9, 9, 10)));
    SupportChain chain = SupportChain.of(problem, Placement.of(new long[] {0, 4, 12, 0}), 0);
    assertEquals(
        List.of(
            new SupportChain.Link(2, 2, false),
            new SupportChain.Link(1, 0, false),
            new SupportChain.Link(0, 0, false)),
        chain.links());
  }

  @Test
  void everySetIsInfeasibleAndNoBufferOfItIsSpare() {
    int found = 0;
    for (long seed = 1; seed < 400 && found < 25; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 7);
      if (problem.memories().size() > 1
          || problem.buffers().stream().anyMatch(Buffer::hasWindows)) {
        continue;
      }
      long[] peaks = BruteForce.peaks(problem);
      if (peaks == null || peaks[0] < 2) {
        continue;
      }
      PackingProblem tight = problem.withCapacity(0, peaks[0] - 1);
      List<Integer> all = IntStream.range(0, problem.size()).boxed().toList();
      IrreducibleSet set = IrreducibleSet.of(tight, all, SearchEngine::new, RunControl.unlimited());
      assertTrue(set.irreducible(), "seed " + seed);
      assertNull(BruteForce.peaks(IrreducibleSet.restricted(tight, set.buffers())), "seed " + seed);
      for (Integer spare : set.buffers()) {
        List<Integer> fewer = new ArrayList<>(set.buffers());
        fewer.remove(spare);
        assertNotNull(
            BruteForce.peaks(IrreducibleSet.restricted(tight, fewer)),
            "seed " + seed + ": buffer " + spare + " is not needed in " + set);
      }
      found++;
    }
    assertEquals(25, found);
  }
}

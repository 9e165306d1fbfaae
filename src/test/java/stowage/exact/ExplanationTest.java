package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.exact.explain.CriticalChain;
import stowage.exact.explain.EvictionAnalysis;
import stowage.exact.explain.IrreducibleSet;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Incumbent;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.ProblemBuilder;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class ExplanationTest {

  @Test
  void theChainGoesDownToTheFloor() {
    PackingProblem problem = Buffers.problem("A:4[0,3) B:6[2,6) C:4[5,8) aside:9[9,10)");
    CriticalChain chain = CriticalChain.of(problem, Placement.of(new long[] {0, 4, 12, 0}), 0);
    assertEquals(
        List.of(
            new CriticalChain.Link(2, 2, false, 4, 4),
            new CriticalChain.Link(1, 0, false, 5, 4),
            new CriticalChain.Link(0, 0, false, 4, 4)),
        chain.links());
    assertEquals(14, chain.settledPeak());
  }

  @Test
  void nothingHasNoChain() {
    PackingProblem nothing = PackingProblem.builder("nothing").build();
    assertEquals(List.of(), CriticalChain.of(nothing, Placement.of(new long[0]), 0).links());
  }

  @Test
  void theChainOfManyBuffersIsFoundInOnePassAndFewLinksAreJudged() {
    int count = 50_000;
    ProblemBuilder builder = PackingProblem.builder("tower");
    long[] offsets = new long[count];
    for (int i = 0; i < count; i++) {
      builder.buffer(4, 0, 1);
      offsets[i] = 4L * i;
    }
    CriticalChain chain = CriticalChain.of(builder.build(), Placement.of(offsets), 0);
    for (int k = 0; k < count; k++) {
      long gain = k < 1_000_000 / count ? 4 : CriticalChain.UNKNOWN;
      long moved = gain < 0 ? gain : 0;
      var link = new CriticalChain.Link(count - 1 - k, 0, false, gain, moved);
      assertEquals(link, chain.links().get(k));
    }
  }

  private static void prove(Incumbent incumbent, RunControl control) {
    EngineOptions options = EngineOptions.defaults().withFirstFit(true);
    new SearchEngine().run(incumbent, control, options);
  }

  private static PackingProblem select(PackingProblem problem, List<Integer> buffers) {
    return problem.select(buffers.stream().mapToInt(Integer::intValue).toArray());
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
      IrreducibleSet set =
          IrreducibleSet.of(tight, all, ExplanationTest::prove, RunControl.unlimited());
      assertTrue(set.irreducible(), "seed " + seed);
      assertNull(BruteForce.peaks(select(tight, set.buffers())), "seed " + seed);
      for (Integer spare : set.buffers()) {
        List<Integer> fewer = new ArrayList<>(set.buffers());
        fewer.remove(spare);
        assertNotNull(
            BruteForce.peaks(select(tight, fewer)),
            "seed " + seed + ": buffer " + spare + " is not needed in " + set);
      }
      found++;
    }
    assertEquals(25, found);
  }

  /** Where limits count work, all proofs together stay within it, whatever the clock says. */
  @Test
  void proofsShareTheWorkThereIs() {
    PackingProblem problem =
        PackingProblem.of("many", Buffers.drawn(new Random(1), 60, 30, 90, 30));
    List<Integer> all = IntStream.range(0, problem.size()).boxed().toList();
    long[] work = new long[1];
    IrreducibleSet.of(
        problem,
        all,
        (incumbent, share) -> work[0] += share.workLimit(),
        RunControl.ofWork(1_000, 1, 1).counting());
    assertTrue(work[0] > 0 && work[0] <= 1_000, work[0] + " units");
  }

  @Test
  void gainsAreThoseOfPlansThatHold() {
    int moved = 0;
    for (long seed = 1; seed < 400; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 8);
      Placement plan = RandomPlacement.of(problem, seed);
      if (plan == null
          || problem.buffers().stream().anyMatch(Buffer::hasWindows)
          || !Verifier.violations(problem, plan).isEmpty()) {
        continue;
      }
      int memory = problem.memories().size() - 1;
      CriticalChain chain = CriticalChain.of(problem, plan, memory);
      EvictionAnalysis order = new EvictionAnalysis(problem, plan, memory);
      long settled = order.peak(-1);
      assertEquals(settled, chain.settledPeak());
      assertTrue(settled <= Objective.peaks(problem).score(problem, plan).figure(0));
      assertValid(problem, plan, memory, order, -1, "seed " + seed);
      for (CriticalChain.Link link : chain.links()) {
        long without = order.peak(link.buffer());
        assertEquals(settled - without, link.evicted(), "seed " + seed);
        assertTrue(link.moved() <= link.evicted() && link.moved() >= 0, "seed " + seed);
        if (link.moved() > 0) {
          moved++;
          assertValid(problem, plan, memory, order, link.buffer(), "seed " + seed);
        }
      }
    }
    assertTrue(moved > 10, "moved " + moved + " times");
  }

  /** The settled order, with a buffer moved to where it ends lowest, is a valid placement. */
  private static void assertValid(
      PackingProblem problem,
      Placement plan,
      int memory,
      EvictionAnalysis order,
      int moved,
      String where) {
    long[] offsets = new long[problem.size()];
    int[] memories = new int[problem.size()];
    for (int i = 0; i < offsets.length; i++) {
      boolean settled = plan.memory(i) == memory && problem.buffer(i).needsMemory();
      memories[i] = plan.memory(i);
      offsets[i] = settled && i != moved ? order.offset(i) : plan.offset(i);
      if (i == moved) {
        offsets[i] = order.lowestEnd(i) - problem.buffer(i).size();
      }
    }
    assertEquals(List.of(), Verifier.violations(problem, Placement.of(offsets, memories)), where);
  }

  @Test
  void aSmallStartIsInfeasibleByItself() {
    int found = 0;
    for (long seed = 1; seed < 600; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 6);
      long[] peaks = BruteForce.peaks(problem);
      if (problem.memories().size() > 1 || peaks == null || peaks[0] < 2) {
        continue;
      }
      PackingProblem tight = problem.withCapacity(0, peaks[0] - 1);
      Incumbent incumbent = new Incumbent(tight);
      EngineOptions firstFit = EngineOptions.defaults().withFirstFit(true);
      Portfolio.Setup setup = new Portfolio.Setup(List.of(), List.of(new SearchEngine()), firstFit);
      Portfolio.run(incumbent, RunControl.ofWork(1_000_000, 1, 1), setup);
      List<Integer> start = IrreducibleSet.start(tight, incumbent.infeasibility());
      assertNull(BruteForce.peaks(select(tight, start)), "seed " + seed);
      found += start.size() < problem.size() ? 1 : 0;
    }
    assertTrue(found > 50, "smaller than all only " + found + " times");
  }
}

package stowage.exact.presolve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.exact.BruteForce;
import stowage.exact.RandomPlacement;
import stowage.exact.RandomProblems;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Verifier;

class PresolverTest {

  @Test
  void theExampleOfTheDocumentation() {
    PackingProblem problem = Buffers.problem("w:6[0,9) a:4[0,3) b:4[1,5) c:8[5,9)");
    PresolvedProblem presolved = Presolver.presolve(problem);
    // Above w nothing else is in c's way, and a and b are a clique: all is settled.
    assertEquals(0, presolved.components().size());
    assertEquals(14, presolved.settledPeaks()[0]);
    assertTrue(Verifier.isValid(problem, presolved.expand(List.of(), List.of())));
    assertFalse(Presolver.presolve(problem.withCapacity(0, 14)).exceedsCapacity());
    assertTrue(Presolver.presolve(problem.withCapacity(0, 13)).exceedsCapacity());
  }

  @Test
  void unitsTakeInAlignmentsThatDoNotDivideThem() {
    List<Buffer> buffers = Buffers.of("a:12[0,2)%8 b:24[1,3)%6 c:12[2,4) d:36[0,4)@72");
    Component part = onlyComponent(buffers);
    // gcd of sizes and offset is 12; 8 takes it to 4; 6 divided 12 but not 4, so it joins too.
    assertEquals(2, part.unit());
    assertEquals(4, part.alignment(0, 0));
    assertEquals(3, part.alignment(1, 0));
    assertEquals(1, part.alignment(2, 0));
    assertEquals(36, part.fixedOffsets()[3]);
  }

  @Test
  void alignmentsThatDivideTheUnitVanish() {
    Component part =
        onlyComponent(Buffers.of("a:1024[0,2)%32 b:2048[1,3)%1024 c:3072[2,5) d:1024[4,6)"));
    assertEquals(1024, part.unit());
    for (int i = 0; i < 4; i++) {
      assertEquals(1, part.alignment(i, 0));
    }
  }

  @Test
  void sectionsAreTheMaximalLiveSets() {
    Component part = onlyComponent(Buffers.of("a:2[0,10) b:3[3,20) c:5[15,40) d:7[35,50)"));
    assertEquals(3, part.sections());
    assertArrayEquals(new int[] {0, 0, 1, 2}, part.spanStarts());
    assertArrayEquals(new int[] {1, 2, 3, 3}, part.spanEnds());
  }

  @Test
  void identicalBuffersAreTwins() {
    Component part =
        onlyComponent(Buffers.of("a:2[0,3) b:3[1,4) c:2[0,3) e:2[3,5) d:2[0,3) f:2[4,6)"));
    assertEquals(-1, part.twins()[0]);
    assertEquals(0, part.twins()[2]);
    assertEquals(2, part.twins()[4]);
    assertEquals(-1, part.twins()[3]);
  }

  @Test
  void deepNestsStayLinear() {
    List<Buffer> nest = new ArrayList<>();
    int depth = 20_000;
    for (int k = 0; k < depth; k++) {
      nest.add(new Buffer("n" + k, 8, k, 4 * depth - k));
    }
    PresolvedProblem presolved = Presolver.presolve(PackingProblem.of("nest", nest));
    assertEquals(8L * depth, presolved.settledPeaks()[0]);
    List<Buffer> twigs = new ArrayList<>();
    for (int k = 0; k < depth; k++) {
      // Each leaves a small neighbour beside it, so that only one level comes off at a time.
      twigs.add(new Buffer("n" + k, 8, 2 * k, 4 * depth));
      twigs.add(new Buffer("t" + k, 8, 2 * k, 2 * k + 1));
    }
    List<Component> parts = Presolver.presolve(PackingProblem.of("twigs", twigs)).components();
    int settled = twigs.size() - parts.stream().mapToInt(Component::count).sum();
    assertTrue(settled < 2 * depth, "the work limit ends the nesting, not the time");
  }

  @Test
  void aBufferThatFitsNowhereIsNamed() {
    PackingProblem problem =
        Buffers.problem("a:4[0,2)@6 b:1[0,1)")
            .withMemories(List.of(Memory.main().withAlignment(4)));
    PresolvedProblem presolved = Presolver.presolve(problem);
    assertEquals(0, presolved.obstacle());
    assertTrue(presolved.infeasibilityReason().contains("\"a\" of 4 bytes, fixed at 6"));
  }

  @Test
  void theOptimumStaysTheSame() {
    for (long seed = 0; seed < 1500; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 5);
      long[] expected = BruteForce.peaks(problem);
      long[] found = optimumByParts(problem);
      assertArrayEquals(expected, found, "seed " + seed);
    }
  }

  @Test
  void projectionsStayValidAndNoHigher() {
    for (long seed = 0; seed < 800; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 7);
      Placement valid = RandomPlacement.of(problem, seed);
      PresolvedProblem presolved = Presolver.presolve(problem);
      if (valid == null) {
        continue;
      }
      assertEquals(-1, presolved.obstacle(), "seed " + seed);
      List<long[]> offsets = new ArrayList<>();
      List<int[]> places = new ArrayList<>();
      for (Component part : presolved.components()) {
        offsets.add(part.project(valid));
        places.add(part.projectMemories(valid));
      }
      Placement back = presolved.expand(offsets, places);
      assertEquals(List.of(), Verifier.violations(problem, back), "seed " + seed);
      for (int m = 0; m < problem.memories().size(); m++) {
        assertTrue(back.peak(problem, m) <= valid.peak(problem, m), "seed " + seed);
      }
    }
  }

  @Test
  void restrictionsSayTheSameAsTheirComponent() {
    int coarser = 0;
    for (long seed = 0; seed < 3_000; seed++) {
      for (Component whole : Presolver.presolve(RandomProblems.of(seed, 7)).components()) {
        for (int memory = 0; memory < whole.memories(); memory++) {
          int m = memory;
          int[] members =
              IntStream.range(0, whole.count())
                  .filter(i -> whole.allows(i, m) && (whole.memories() == 1 || i % 3 != 0))
                  .toArray();
          Component own = whole.restrict(memory, members);
          coarser += own.unit() > 1 ? 1 : 0;
          assertTrue(whole.memories() > 1 || own.unit() == 1, "seed " + seed);
          assertSame(whole, memory, members, own, "seed " + seed);
        }
      }
    }
    assertTrue(coarser > 100, coarser + " restrictions in a coarser unit");
  }

  private static void assertSame(
      Component whole, int memory, int[] members, Component own, String which) {
    assertEquals(members.length, own.count(), which);
    long unit = own.unit();
    for (int k = 0; k < members.length; k++) {
      int i = members[k];
      assertEquals(i, own.buffer(k), which);
      assertEquals(whole.sizes()[i], own.sizes()[k] * unit, which);
      assertTrue(own.firstSpans()[k] < own.firstSpans()[k + 1], which);
      long first = 5 * unit;
      int tries = 0;
      while (whole.roundUp(i, memory, first) != first && tries < 500) {
        first += unit;
        tries++;
      }
      long next = own.roundUp(k, 5);
      assertEquals(tries == 500 ? -1 : first, next < 0 ? -1 : next * unit, which);
      for (int l = 0; l < k; l++) {
        assertEquals(whole.conflict(i, members[l]), own.conflict(k, l), which);
      }
    }
  }

  @Test
  void restrictionsAreInTheLargestUnitAndTheFewestSections() {
    List<Buffer> buffers = Buffers.of("a:4[0,2) b:6[1,3) c:8[2,5) d:3[4,6) e:8[5,7)");
    Component whole = onlyComponent(buffers);
    assertEquals(4, whole.sections());
    Component own = whole.restrict(0, new int[] {0, 2, 4});
    assertEquals(4, own.unit());
    assertEquals(3, own.sections());
    assertArrayEquals(new long[] {1, 2, 2}, own.sizes());
    long[] outer = {9, 0, 12, 0, 4};
    own.expand(new long[] {2, 3, 1}, outer);
    assertArrayEquals(new long[] {8, 0, 12, 0, 4}, outer);
  }

  /** The optimum by brute force on every part, stage by stage as the peaks are ordered. */
  private static long[] optimumByParts(PackingProblem problem) {
    PresolvedProblem presolved = Presolver.presolve(problem);
    if (presolved.obstacle() >= 0) {
      return null;
    }
    int memories = problem.memories().size();
    long[] best = new long[memories];
    PackingProblem limited = problem;
    for (int figure = 0; figure < memories; figure++) {
      int memory = memories - 1 - figure;
      PresolvedProblem stage = Presolver.presolve(limited);
      best[figure] = stage.settledPeaks()[memory];
      if (best[figure] > problem.memories().get(memory).capacity()) {
        return null;
      }
      for (Component part : stage.components()) {
        for (int m = 0; m < part.memories(); m++) {
          if (part.capacity(m) < 0) {
            return null;
          }
        }
        long[] peaks = BruteForce.peaks(lastMemoryLast(part, memory));
        if (peaks == null) {
          return null;
        }
        if (part.indexOfMemory(memory) >= 0) {
          long own = peaks[0];
          best[figure] = Math.max(best[figure], own == 0 ? 0 : part.bytes(own));
        }
      }
      limited = limited.withCapacity(memory, best[figure]);
    }
    return best;
  }

  /** The part as a problem whose first figure is the peak of one of the problem's memories. */
  private static PackingProblem lastMemoryLast(Component part, int memory) {
    PackingProblem own = ComponentProblem.of(part);
    int at = part.indexOfMemory(memory);
    if (at < 0) {
      return own;
    }
    List<Memory> order = new ArrayList<>(own.memories());
    order.add(order.remove(at));
    return own.withMemories(order);
  }

  private static Component onlyComponent(List<Buffer> buffers) {
    PresolvedProblem presolved = Presolver.presolve(PackingProblem.of("test", buffers));
    assertEquals(1, presolved.components().size());
    return presolved.components().get(0);
  }
}

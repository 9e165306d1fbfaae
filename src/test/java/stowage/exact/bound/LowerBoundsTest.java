package stowage.exact.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.exact.BruteForce;
import stowage.exact.RandomProblems;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Certificate;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

class LowerBoundsTest {

  /** A bound's certificate is accepted, and no optimum is below it. */
  private static void assertHolds(PackingProblem problem, Bound bound, long[] optimum, long seed) {
    String which = "seed " + seed + " " + bound;
    assertEquals(Optional.empty(), BoundVerifier.fault(problem, bound), which);
    assertTrue(optimum == null || bound.value() <= optimum[bound.figure()], which);
  }

  @Test
  void boundsNeverExceedTheOptimumAndTheirCertificatesHold() {
    Map<String, Integer> tight = new HashMap<>();
    for (long seed = 0; seed < 2000; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 5);
      long[] optimum = BruteForce.peaks(problem);
      List<Bound> bounds = LowerBounds.of(problem);
      for (Bound bound : bounds) {
        assertHolds(problem, bound, optimum, seed);
        if (optimum != null && bound.value() == optimum[bound.figure()]) {
          tight.merge(bound.kind(), 1, Integer::sum);
        }
      }
      if (optimum != null) {
        assertEquals(Optional.empty(), LowerBounds.infeasibility(problem, bounds), "seed " + seed);
      }
    }
    for (String kind : List.of("max-load", "alignment", "banks", "fixed-offset", "conflicts")) {
      assertTrue(tight.getOrDefault(kind, 0) > 10, kind + " is tight too rarely: " + tight);
    }
  }

  @Test
  void alignmentsRaiseBoundsOfSeveralMemories() {
    int above = 0;
    int tight = 0;
    for (long seed = 0; seed < 1500; seed++) {
      Random random = new Random(seed * 0x9e3779b97f4a7c15L + 3);
      long alignment = 2 + random.nextInt(4);
      List<Memory> memories = new ArrayList<>();
      int count = 2 + random.nextInt(2);
      for (int m = 0; m < count; m++) {
        boolean last = m == count - 1 && random.nextInt(4) > 0;
        long capacity = last ? Memory.UNBOUNDED : 4 + random.nextInt(13);
        memories.add(new Memory("m" + m, capacity, alignment, 0, 0));
      }
      List<Buffer> buffers = Buffers.drawn(random, 3 + random.nextInt(4), 3, 9, 3);
      PackingProblem problem =
          new PackingProblem("aligned", buffers, memories, ConflictPairs.none());
      long[] optimum = BruteForce.peaks(problem);
      List<Bound> bounds = LowerBounds.of(problem);
      long load = 0;
      for (Bound bound : bounds) {
        boolean loaded = bound.figure() == 0 && bound.kind().equals("max-load");
        load = loaded ? Math.max(load, bound.value()) : load;
      }
      for (Bound bound : bounds) {
        assertHolds(problem, bound, optimum, seed);
        Bound higher = new Bound(bound.figure(), bound.value() + 1, bound.certificate());
        assertTrue(BoundVerifier.fault(problem, higher).isPresent(), "seed " + seed + bound);
        if (optimum == null || bound.figure() > 0) {
          continue;
        }
        boolean alternatives =
            bound.certificate() instanceof Certificate.Alignment of && of.alternatives() != 0;
        tight += alternatives && bound.value() == optimum[0] ? 1 : 0;
        above += alternatives && bound.value() > load && load > 0 ? 1 : 0;
      }
    }
    assertTrue(tight > 200 && above > 50, tight + " tight, " + above + " above the max load");
  }

  @Test
  void givenOffsetsAndBanksRaiseBoundsAboveAllOthers() {
    Map<String, Integer> alone = new HashMap<>();
    for (long seed = 0; seed < 1000; seed++) {
      PackingProblem problem = seed % 2 == 0 ? pinned(seed) : banked(seed);
      long[] optimum = BruteForce.peaks(problem);
      if (optimum == null) {
        continue;
      }
      long others = 0;
      for (Bound bound : LowerBounds.of(problem)) {
        assertHolds(problem, bound, optimum, seed);
        String name = bound.certificate().getClass().getSimpleName();
        if (bound.value() > others) {
          alone.merge(name, 1, Integer::sum);
        }
        others = Math.max(others, bound.value());
        Bound more = Bound.of(optimum[0] + 1, bound.certificate());
        assertTrue(BoundVerifier.fault(problem, more).isPresent(), "seed " + seed + bound);
      }
    }
    for (String name : List.of("SubsetSum", "Energy", "Banks")) {
      assertTrue(alone.getOrDefault(name, 0) > 10, name + " is best too rarely: " + alone);
    }
  }

  /** Up to seven buffers, two of them or so at given offsets. */
  private static PackingProblem pinned(long seed) {
    Random random = new Random(seed * 57 + 11);
    List<Buffer> buffers = new ArrayList<>();
    int n = 4 + random.nextInt(4);
    for (int i = 0; i < n; i++) {
      int start = random.nextInt(4);
      Buffer buffer =
          new Buffer("b" + i, 2 + random.nextInt(4), start, start + 1 + random.nextInt(3));
      buffers.add(i < 2 ? buffer.withFixedOffset(random.nextInt(8)) : buffer);
    }
    return PackingProblem.of("pinned " + seed, buffers);
  }

  /** Up to seven buffers alive at one step or two, kept within banks of ten. */
  private static PackingProblem banked(long seed) {
    Random random = new Random(seed * 91 + 5);
    List<Buffer> buffers = new ArrayList<>();
    int n = 3 + random.nextInt(4);
    for (int i = 0; i < n; i++) {
      int start = random.nextInt(2);
      buffers.add(new Buffer("b" + i, 2 + random.nextInt(6), start, 2).withinBank(true));
    }
    return PackingProblem.of("banked " + seed, buffers)
        .withMemories(List.of(Memory.main().withBankSize(10)));
  }

  @Test
  void theHeaviestConflictingSetIsFound() {
    List<Buffer> row = new ArrayList<>();
    List<int[]> pairs = new ArrayList<>();
    for (int k = 0; k < 6; k++) {
      row.add(new Buffer("b" + k, 3 + k, k, k + 1));
      for (int j = 0; j < k; j++) {
        if (k % 2 == j % 2) {
          pairs.add(new int[] {j, k});
        }
      }
    }
    PackingProblem problem =
        new PackingProblem("row", row, List.of(Memory.main()), ConflictPairs.of(row.size(), pairs));
    Bound best = LowerBounds.best(problem)[0];
    assertEquals("conflicts", best.kind());
    assertEquals(4 + 6 + 8, best.value());
  }

  @Test
  void aCapacityBelowTheLoadIsRefusedWithItsStep() {
    PackingProblem problem = Buffers.problem("a:5[0,4) b:6[3,6)").withCapacity(0, 10);
    Certificate why = LowerBounds.infeasibility(problem, LowerBounds.of(problem)).orElseThrow();
    assertEquals("max-load", why.kind());
    assertEquals(3, ((Certificate.MaxLoad) why).step());
  }

  @Test
  void equalBoundsNameTheMaxLoadFirst() {
    PackingProblem problem =
        Buffers.problem("a:5[0,4)@6 b:6[3,6)")
            .withConflicts(ConflictPairs.of(2, List.of(new int[] {0, 1})));
    assertEquals("max-load", LowerBounds.best(problem)[0].kind());
  }

  @Test
  void aHundredThousandBuffersWithEveryConstraint() {
    Random random = new Random(5);
    List<Buffer> buffers = new ArrayList<>();
    List<int[]> pairs = new ArrayList<>();
    int n = 100_000;
    for (int i = 0; i < n; i++) {
      buffers.add(
          Buffers.drawn(random, "b" + i, n, 1000, 200)
              .withAlignment(1 << random.nextInt(6))
              .withinBank(random.nextInt(4) == 0));
      pairs.add(new int[] {i, (i + 1 + random.nextInt(500)) % n});
      pairs.get(i)[1] = pairs.get(i)[1] == i ? (i + 1) % n : pairs.get(i)[1];
    }
    List<Memory> memories = List.of(Memory.main().withBankSize(2048));
    PackingProblem problem =
        new PackingProblem("large", buffers, memories, ConflictPairs.of(n, pairs));
    List<Bound> bounds = LowerBounds.of(problem);
    assertTrue(bounds.size() >= 4, bounds.toString());
    for (Bound bound : bounds) {
      assertEquals(Optional.empty(), BoundVerifier.fault(problem, bound));
    }
  }
}

package stowage.exact.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.cpsat.CpSatObjects;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.IndexOrder;
import stowage.packing.ObjectProblem;
import stowage.packing.ObjectVerifier;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/** The least total of objects: bounds and the model against brute force. */
class ObjectOptimumTest {

  /** A small problem of up to eight buffers, with pairs, kinds and alignments by chance. */
  private record Case(PackingProblem problem, int[] kinds) {
    static Case of(long seed) {
      Random random = new Random(seed * 0x9e3779b97f4a7c15L + 5);
      int n = random.nextInt(9);
      int horizon = 2 + random.nextInt(7);
      int sizes = 1 + random.nextInt(9);
      long alignment = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 1;
      List<Buffer> buffers = new ArrayList<>();
      for (int b = 0; b < n; b++) {
        int start = random.nextInt(horizon);
        int end = start + random.nextInt(4);
        long size = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(sizes);
        buffers.add(new Buffer("b" + b, size, start, end).withAlignment(alignment));
      }
      List<int[]> pairs = new ArrayList<>();
      for (int p = random.nextInt(3) == 0 ? random.nextInt(8) : 0; p > 0 && n > 1; p--) {
        int first = random.nextInt(n);
        int second = random.nextInt(n);
        if (first != second) {
          pairs.add(new int[] {first, second});
        }
      }
      int[] kinds = random.nextInt(4) == 0 ? random.ints(n, 0, 3).toArray() : null;
      PackingProblem problem =
          PackingProblem.of("case " + seed, buffers).withConflicts(ConflictPairs.of(n, pairs));
      return new Case(problem, kinds);
    }

    ObjectProblem objects() {
      return ObjectProblem.of(problem, kinds);
    }

    /** Tries every way to put the buffers into objects, the largest first. */
    long least() {
      int[] order =
          IndexOrder.of(
              IntStream.range(0, problem.size()).filter(b -> problem.buffer(b).needsMemory()),
              Comparator.comparing(b -> -problem.buffer(b).size()));
      long[] apart = new long[problem.size()];
      for (int one : order) {
        for (int other : order) {
          apart[one] |= mayShare(one, other) ? 0 : 1L << other;
        }
      }
      return least(order, 0, apart, new long[order.length], 0, 0, Long.MAX_VALUE);
    }

    /**
     * The least total below a best one, of objects, as bits, that hold the first buffers already.
     */
    private long least(
        int[] order, int at, long[] apart, long[] objects, int count, long total, long best) {
      if (at == order.length || total >= best) {
        return Math.min(total, best);
      }
      int buffer = order[at];
      long least = best;
      for (int o = 0; o < count; o++) {
        if ((objects[o] & apart[buffer]) == 0) {
          objects[o] |= 1L << buffer;
          least = least(order, at + 1, apart, objects, count, total, least);
          objects[o] &= ~(1L << buffer);
        }
      }
      objects[count] = 1L << buffer;
      return least(order, at + 1, apart, objects, count + 1, total + size(buffer), least);
    }

    private boolean mayShare(int one, int other) {
      return !problem.buffer(one).live().overlaps(problem.buffer(other).live())
          && !problem.conflicts().contains(one, other)
          && (kinds == null || kinds[one] == kinds[other]);
    }

    private long size(int buffer) {
      long alignment = problem.buffer(buffer).alignment();
      return (problem.buffer(buffer).size() + alignment - 1) / alignment * alignment;
    }
  }

  private static ObjectIncumbent solved(ObjectProblem problem) {
    return ObjectOptimum.of(problem, List.of(), CpSatObjects::run, RunControl.unlimited());
  }

  /** Bounds and the optimum of some cases, the engine's own too where it is asked alone. */
  private static void agree(long first, int cases, boolean alone) {
    for (long seed = first; seed < first + cases; seed++) {
      Case given = Case.of(seed);
      long least = given.least();
      String what = "seed " + seed;
      ObjectProblem problem = given.objects();
      ObjectLevels levels = ObjectLevels.of(problem);
      assertTrue(levels.value() <= least, what);
      assertEquals(levels.value(), ObjectVerifier.provenBy(problem, levels.certificate()), what);
      if (alone) {
        ObjectIncumbent incumbent = new ObjectIncumbent(problem);
        CpSatObjects.run(incumbent, RunControl.ofSeconds(60, 1, 1));
        assertEquals(least, incumbent.total(), what);
        assertEquals(least, incumbent.bound(), what);
      }
      ObjectIncumbent together = solved(problem);
      assertEquals(least, together.total(), what);
      assertTrue(together.isClosed(), what);
      assertEquals(Optional.empty(), ObjectVerifier.fault(problem, together.objectOf(), least));
    }
  }

  @Test
  void agreesWithBruteForce() {
    agree(0, 2_000, false);
    agree(50_000, 250, true);
    agree(100_000, Thorough.of(0, 5_000), true);
  }

  @Test
  void whatLevelsLeaveOpenIsClosed() {
    int open = 0;
    for (long seed = 0; seed < 24; seed++) {
      List<Buffer> crowd = Buffers.drawn(new Random(seed), 20, 20, 60, 8);
      Case given = new Case(PackingProblem.of("crowd " + seed, crowd), null);
      ObjectIncumbent found = solved(given.objects());
      assertTrue(found.isClosed(), "seed " + seed);
      assertEquals(given.least(), found.total(), "seed " + seed);
      open += ObjectLevels.of(given.objects()).value() < found.total() ? 1 : 0;
    }
    assertTrue(open > 1, "only " + open + " of 24 need a search");
  }

  @Test
  void levelsTakeTheLargestFromDifferentSteps() {
    // a 10 and b 4 overlap, c 8 and d 6 overlap later: levels 10 and 6, while no load is above 14.
    ObjectProblem problem =
        ObjectProblem.of(Buffers.problem("a:10[0,2) b:4[1,3) c:8[4,6) d:6[5,7)"));
    ObjectLevels levels = ObjectLevels.of(problem);
    assertEquals(2, levels.levels());
    assertEquals(10, levels.level(0));
    assertEquals(6, levels.level(1));
    assertEquals(16, levels.value());
    assertEquals(
        16,
        ObjectOptimum.of(problem, List.of(), (found, control) -> {}, RunControl.unlimited())
            .total());
  }

  @Test
  void pairsWithoutACommonStepCountToo() {
    PackingProblem three =
        Buffers.problem("a:5[0,1) b:4[1,2) c:3[2,3)")
            .withConflicts(
                ConflictPairs.of(3, List.of(new int[] {0, 1}, new int[] {1, 2}, new int[] {0, 2})));
    assertEquals(12, ObjectLevels.of(ObjectProblem.of(three)).value());
  }

  @Test
  void kindsNeverShare() {
    PackingProblem two = Buffers.problem("a:5[0,1) b:4[1,2)");
    assertEquals(5, ObjectLevels.of(ObjectProblem.of(two)).value());
    assertEquals(9, ObjectLevels.of(ObjectProblem.of(two, new int[] {0, 1})).value());
  }

  @Test
  void aWrongCertificateOrAssignmentIsRefused() {
    ObjectProblem problem = ObjectProblem.of(Buffers.problem("a:5[0,2) b:4[2,3)"));
    assertThrows(
        IllegalArgumentException.class,
        () -> ObjectVerifier.provenBy(problem, List.of(new int[] {0, 1})));
    assertTrue(ObjectVerifier.fault(problem, new int[] {0, 0}, 9).isPresent());
    assertEquals(Optional.empty(), ObjectVerifier.fault(problem, new int[] {0, 0}, 5));
    ObjectProblem together = ObjectProblem.of(Buffers.problem("a:5[0,2) b:4[1,3)"));
    assertTrue(ObjectVerifier.fault(together, new int[] {0, 0}, 5).isPresent());
    assertThrows(
        IllegalStateException.class,
        () -> new ObjectIncumbent(together).offer(new int[] {0, 0}, "none"));
  }
}

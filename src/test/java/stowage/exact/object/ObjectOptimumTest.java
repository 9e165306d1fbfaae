package stowage.exact.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stowage.exact.choco.ChocoObjects;
import stowage.exact.cpsat.CpSatObjects;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.ObjectProblem;
import stowage.packing.ObjectVerifier;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/** The least total of objects: bounds, heuristics and both models against brute force. */
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

    /** Tries every way to put the buffers into objects. */
    long least() {
      return least(0, new ArrayList<>());
    }

    private long least(int buffer, List<List<Integer>> objects) {
      if (buffer == problem.size()) {
        return objects.stream().mapToLong(this::size).sum();
      }
      if (!problem.buffer(buffer).needsMemory()) {
        return least(buffer + 1, objects);
      }
      long best = Long.MAX_VALUE;
      for (int o = 0; o <= objects.size(); o++) {
        boolean opened = o == objects.size();
        if (opened) {
          objects.add(new ArrayList<>());
        }
        if (objects.get(o).stream().allMatch(other -> mayShare(buffer, other))) {
          objects.get(o).add(buffer);
          best = Math.min(best, least(buffer + 1, objects));
          objects.get(o).remove((Integer) buffer);
        }
        if (opened) {
          objects.remove(o);
          break;
        }
      }
      return best;
    }

    private boolean mayShare(int one, int other) {
      return !problem.buffer(one).live().overlaps(problem.buffer(other).live())
          && !problem.conflicts().contains(one, other)
          && (kinds == null || kinds[one] == kinds[other]);
    }

    private long size(List<Integer> object) {
      long largest = object.stream().mapToLong(b -> problem.buffer(b).size()).max().orElse(0);
      long alignment = problem.buffer(object.get(0)).alignment();
      return (largest + alignment - 1) / alignment * alignment;
    }
  }

  private static void agree(long first, int cases, List<ObjectEngine> engines) {
    for (long seed = first; seed < first + cases; seed++) {
      Case given = Case.of(seed);
      long least = given.least();
      ObjectProblem problem = given.objects();
      ObjectLevels levels = ObjectLevels.of(problem);
      assertTrue(levels.value() <= least, "levels, seed " + seed);
      assertEquals(
          levels.value(), ObjectVerifier.provenBy(problem, levels.certificate()), "seed " + seed);
      for (ObjectEngine engine : engines) {
        ObjectIncumbent incumbent = new ObjectIncumbent(problem);
        engine.run(incumbent, RunControl.ofSeconds(60, 1, 1));
        String what = engine.name() + ", seed " + seed;
        assertEquals(least, incumbent.total(), what);
        assertEquals(least, incumbent.bound(), what);
      }
      ObjectIncumbent together =
          ObjectOptimum.of(problem, List.of(), engines, RunControl.unlimited());
      assertEquals(least, together.total(), "together, seed " + seed);
      assertTrue(together.isClosed(), "together, seed " + seed);
      assertEquals(Optional.empty(), ObjectVerifier.fault(problem, together.objectOf(), least));
    }
  }

  @Test
  void chocoAgreesWithBruteForce() {
    agree(0, 2_000, List.of(new ChocoObjects()));
  }

  @Test
  void cpSatAgreesWithBruteForce() {
    agree(50_000, 250, List.of(new CpSatObjects()));
  }

  @Test
  @Tag("thorough")
  void bothAgreeWithBruteForceManyTimes() {
    agree(100_000, 5_000, List.of(new CpSatObjects(), new ChocoObjects()));
  }

  @Test
  void bothCloseWhatLevelsLeaveOpen() {
    int open = 0;
    for (long seed = 0; seed < 24; seed++) {
      ObjectProblem problem = ObjectProblem.of(crowd(seed, 20));
      ObjectIncumbent one =
          ObjectOptimum.of(problem, List.of(), List.of(new CpSatObjects()), RunControl.unlimited());
      ObjectIncumbent other =
          ObjectOptimum.of(problem, List.of(), List.of(new ChocoObjects()), RunControl.unlimited());
      assertTrue(one.isClosed() && other.isClosed(), "seed " + seed);
      assertEquals(one.total(), other.total(), "seed " + seed);
      open += ObjectLevels.of(problem).value() < one.total() ? 1 : 0;
    }
    assertTrue(open > 1, "only " + open + " of 24 need a search");
  }

  private static PackingProblem crowd(long seed, int n) {
    return PackingProblem.of("crowd " + seed, Buffers.drawn(new Random(seed), n, n, 60, 8));
  }

  @Test
  void levelsTakeTheLargestFromDifferentSteps() {
    // a 10 and b 4 overlap, c 8 and d 6 overlap later: levels 10 and 6, while no load is above 14.
    ObjectProblem problem =
        ObjectProblem.of(
            PackingProblem.of("levels", Buffers.of("a:10[0,2) b:4[1,3) c:8[4,6) d:6[5,7)")));
    ObjectLevels levels = ObjectLevels.of(problem);
    assertEquals(2, levels.levels());
    assertEquals(10, levels.level(0));
    assertEquals(6, levels.level(1));
    assertEquals(16, levels.value());
    assertEquals(
        16, ObjectOptimum.of(problem, List.of(), List.of(), RunControl.unlimited()).total());
  }

  @Test
  void pairsWithoutACommonStepCountToo() {
    PackingProblem three =
        PackingProblem.of("pairs", Buffers.of("a:5[0,1) b:4[1,2) c:3[2,3)"))
            .withConflicts(
                ConflictPairs.of(3, List.of(new int[] {0, 1}, new int[] {1, 2}, new int[] {0, 2})));
    assertEquals(12, ObjectLevels.of(ObjectProblem.of(three)).value());
  }

  @Test
  void kindsNeverShare() {
    PackingProblem two = PackingProblem.of("kinds", Buffers.of("a:5[0,1) b:4[1,2)"));
    assertEquals(5, ObjectLevels.of(ObjectProblem.of(two)).value());
    assertEquals(9, ObjectLevels.of(ObjectProblem.of(two, new int[] {0, 1})).value());
  }

  @Test
  void aWrongCertificateOrAssignmentIsRefused() {
    ObjectProblem problem =
        ObjectProblem.of(PackingProblem.of("two", Buffers.of("a:5[0,2) b:4[2,3)")));
    assertThrows(
        IllegalArgumentException.class,
        () -> ObjectVerifier.provenBy(problem, List.of(new int[] {0, 1})));
    assertTrue(ObjectVerifier.fault(problem, new int[] {0, 0}, 9).isPresent());
    assertEquals(Optional.empty(), ObjectVerifier.fault(problem, new int[] {0, 0}, 5));
    ObjectProblem together =
        ObjectProblem.of(PackingProblem.of("two", Buffers.of("a:5[0,2) b:4[1,3)")));
    assertTrue(ObjectVerifier.fault(together, new int[] {0, 0}, 5).isPresent());
    assertThrows(
        IllegalStateException.class,
        () -> new ObjectIncumbent(together).offer(new int[] {0, 0}, "none"));
  }
}

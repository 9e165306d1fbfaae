package stowage.compiler.tvm;

import java.util.Arrays;
import java.util.Comparator;
import stowage.compiler.core.HullList;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/**
 * Buffers as TVM's unified static memory planner (USMP) has them: with lists of those they conflict
 * with, and the pools they may be in.
 *
 * <p>Source: src/tir/usmp of apache/tvm before the commit a531d170b9, which removed it. Conflicts
 * are whatever liveness found, so extra pairs are welcome. Pools are the problem's memories, their
 * capacities the size hints; a buffer's pools are in its order of preference.
 */
final class TvmBuffers {
  private static final long LARGEST_CONFLICTS = 60_000_000;

  final HullList all;
  final int[][] conflicts;
  final int[][] pools;
  private final long[] hints;

  TvmBuffers(String planner, PackingProblem problem) {
    all =
        HullList.of(
            planner, problem, HullList.ConstraintKind.CONFLICTS, HullList.ConstraintKind.MEMORIES);
    conflicts = conflictLists(planner, all);
    hints = problem.memories().stream().mapToLong(Memory::capacity).toArray();
    pools = new int[all.count()][];
    Arrays.setAll(pools, r -> poolsOf(problem, all.index(r)));
  }

  private static int[] poolsOf(PackingProblem problem, int buffer) {
    int count = problem.memories().size();
    int[] found = new int[count];
    int kept = 0;
    for (String wanted : problem.buffer(buffer).memories()) {
      for (int m = 0; m < count; m++) {
        if (problem.memories().get(m).name().equals(wanted)) {
          found[kept++] = m;
        }
      }
    }
    for (int m = 0; m < count && problem.buffer(buffer).memories().isEmpty(); m++) {
      found[kept++] = m;
    }
    return Arrays.copyOf(found, kept);
  }

  /** For each rectangle those it conflicts with, ascending. O(n log n + conflicts). */
  static int[][] conflictLists(String planner, HullList all) {
    int n = all.count();
    int[] ofBuffer = all.rectangleOfBuffer();
    Integer[] byStart = all.fileOrder();
    Arrays.sort(byStart, Comparator.comparingInt(r -> all.start[r]));
    int[][] lists = new int[n][4];
    int[] counts = new int[n];
    long total = 0;
    int[] live = new int[n];
    int liveCount = 0;
    for (int r : byStart) {
      int kept = 0;
      for (int k = 0; k < liveCount; k++) {
        if (all.end[live[k]] > all.start[r]) {
          live[kept++] = live[k];
          add(lists, counts, r, live[k]);
          add(lists, counts, live[k], r);
        }
      }
      liveCount = kept;
      live[liveCount++] = r;
      for (int other : all.extraConflicts(r)) {
        if (ofBuffer[other] >= 0 && !all.overlap(r, ofBuffer[other])) {
          add(lists, counts, r, ofBuffer[other]);
        }
      }
      total += kept;
      if (total > LARGEST_CONFLICTS) {
        throw new NotPlannableException(
            planner
                + " keeps lists of all conflicts; here there are more than "
                + LARGEST_CONFLICTS);
      }
    }
    for (int r = 0; r < n; r++) {
      lists[r] = Arrays.copyOf(lists[r], counts[r]);
      Arrays.sort(lists[r]);
    }
    return lists;
  }

  private static void add(int[][] lists, int[] counts, int to, int value) {
    if (counts[to] == lists[to].length) {
      lists[to] = Arrays.copyOf(lists[to], 2 * counts[to]);
    }
    lists[to][counts[to]++] = value;
  }

  /** The number of pools there are. */
  int memories() {
    return hints.length;
  }

  /** Whether a buffer of a size fits into a pool at an offset. */
  boolean fits(int pool, long offset, long size) {
    return hints[pool] - size >= offset;
  }

  /** Size descending, conflicts descending, name descending. */
  Comparator<Integer> bySize() {
    return Comparator.comparingLong((Integer r) -> -all.size[r])
        .thenComparingInt(r -> -conflicts[r].length)
        .thenComparing(r -> all.buffer(r).id(), Comparator.reverseOrder());
  }

  /** Conflicts descending, size descending, name descending. */
  Comparator<Integer> byConflicts() {
    return Comparator.comparingInt((Integer r) -> -conflicts[r].length)
        .thenComparingLong(r -> -all.size[r])
        .thenComparing(r -> all.buffer(r).id(), Comparator.reverseOrder());
  }
}

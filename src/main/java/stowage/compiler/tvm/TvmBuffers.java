package stowage.compiler.tvm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.HullList;
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
  final HullList all;
  final int[][] conflicts;
  final int[][] pools;
  private final long[] hints;

  TvmBuffers(String planner, PackingProblem problem) {
    all =
        HullList.of(
            planner, problem, HullList.ConstraintKind.CONFLICTS, HullList.ConstraintKind.MEMORIES);
    conflicts = all.conflictLists(planner + " keeps lists of all conflicts");
    hints = problem.memories().stream().mapToLong(Memory::capacity).toArray();
    pools = new int[all.count()][];
    Arrays.setAll(pools, r -> poolsOf(problem, all.index(r)));
  }

  private static int[] poolsOf(PackingProblem problem, int buffer) {
    List<String> names = problem.memories().stream().map(Memory::name).toList();
    List<String> wanted = problem.buffer(buffer).memories();
    return (wanted.isEmpty() ? names : wanted).stream().mapToInt(names::indexOf).toArray();
  }

  int memories() {
    return hints.length;
  }

  boolean fits(int pool, long offset, long size) {
    return hints[pool] - size >= offset;
  }

  Comparator<Integer> bySize() {
    return Comparator.comparingLong((Integer r) -> -all.size[r])
        .thenComparingInt(r -> -conflicts[r].length)
        .thenComparing(r -> all.buffer(r).id(), Comparator.reverseOrder());
  }

  Comparator<Integer> byConflicts() {
    return Comparator.comparingInt((Integer r) -> -conflicts[r].length)
        .thenComparingLong(r -> -all.size[r])
        .thenComparing(r -> all.buffer(r).id(), Comparator.reverseOrder());
  }
}

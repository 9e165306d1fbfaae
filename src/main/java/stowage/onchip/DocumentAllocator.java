package stowage.onchip;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Places buffers as TPU-MLIR's developer manual describes it: what stays for all slices first, then
 * in the order of the steps in which lives begin; of one step the longest life first, then the
 * largest size. Each goes to the lowest free address at which it crosses no border of a bank, or to
 * the lowest free address where there is no such. O(buffers^2 log buffers).
 *
 * <p>Source: TPU-MLIR developer manual, chapter on layer groups, "LMEM allocation".
 */
public final class DocumentAllocator implements LmemAllocator {

  @Override
  public String name() {
    return "document";
  }

  @Override
  public LmemPlacement allocate(LmemProblem problem) {
    List<Integer> order = new ArrayList<>();
    for (int b = 0; b < problem.size(); b++) {
      order.add(b);
    }
    order.sort(
        Comparator.comparing((Integer b) -> !problem.buffer(b).resident())
            .thenComparing(b -> problem.buffer(b).start())
            .thenComparing(b -> -problem.buffer(b).length(problem.steps()))
            .thenComparing(b -> -problem.buffer(b).size())
            .thenComparing(b -> b));
    long[] offsets = new long[problem.size()];
    List<Integer> placed = new ArrayList<>();
    for (int b : order) {
      long offset = lowest(problem, offsets, placed, b, true);
      if (offset < 0) {
        offset = lowest(problem, offsets, placed, b, false);
      }
      if (offset < 0) {
        return null;
      }
      offsets[b] = offset;
      placed.add(b);
    }
    return new LmemPlacement(offsets);
  }

  /** The lowest offset free of all placed buffers alive at the same time, or -1. */
  private static long lowest(
      LmemProblem problem, long[] offsets, List<Integer> placed, int b, boolean withinBank) {
    long size = problem.buffer(b).size();
    long bank = problem.chip().bankBytes();
    if (withinBank && size > bank) {
      return -1;
    }
    List<Integer> near = new ArrayList<>();
    for (int other : placed) {
      if (problem.together(b, other) && problem.buffer(other).size() > 0) {
        near.add(other);
      }
    }
    near.sort(Comparator.comparing(other -> offsets[other]));
    long at = 0;
    while (true) {
      if (withinBank && size > 0 && at / bank != (at + size - 1) / bank) {
        at = LaneSize.alignUp(at + 1, bank);
      }
      if (at + size > problem.chip().laneBytes()) {
        return -1;
      }
      long blockedTo = -1;
      for (int k = 0; k < near.size() && offsets[near.get(k)] < at + size; k++) {
        long end = offsets[near.get(k)] + problem.buffer(near.get(k)).size();
        if (end > at) {
          blockedTo = LaneSize.alignUp(end, problem.chip().vectorBytes());
          break;
        }
      }
      if (blockedTo < 0) {
        return at;
      }
      at = blockedTo;
    }
  }
}

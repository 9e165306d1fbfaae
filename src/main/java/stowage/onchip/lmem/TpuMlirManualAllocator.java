package stowage.onchip.lmem;

import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.onchip.layer.LaneSize;
import stowage.packing.IndexOrder;

/**
 * Allocator that places buffers as TPU-MLIR's developer manual describes it: what stays for all
 * slices first, then by the first step of the live range, the longest live range first, then the
 * largest size. Each goes to the lowest free address at which it crosses no border of a bank, or to
 * the lowest free address where there is no such. O(buffers^2).
 *
 * <p>Source: TPU-MLIR developer manual, chapter on layer groups, "LMEM allocation".
 */
public final class TpuMlirManualAllocator implements LmemAllocator {
  @Override
  public String name() {
    return "document";
  }

  @Override
  public LmemPlacement allocate(LmemProblem problem) {
    int[] order =
        IndexOrder.of(
            IntStream.range(0, problem.size()),
            Comparator.comparing((Integer b) -> !problem.buffer(b).resident())
                .thenComparing(b -> problem.buffer(b).start())
                .thenComparing(b -> -problem.buffer(b).length(problem.steps()))
                .thenComparing(b -> -problem.buffer(b).size()));
    long[] offsets = new long[problem.size()];
    int[] placed = new int[problem.size()];
    for (int count = 0; count < placed.length; count++) {
      int b = order[count];
      long offset = lowest(problem, offsets, placed, count, b, true);
      if (offset < 0) {
        offset = lowest(problem, offsets, placed, count, b, false);
      }
      if (offset < 0) {
        return null;
      }
      offsets[b] = offset;
      int k = count;
      for (; k > 0 && offsets[placed[k - 1]] > offset; k--) {
        placed[k] = placed[k - 1];
      }
      placed[k] = b;
    }
    return new LmemPlacement(offsets);
  }

  /**
   * The lowest offset free of all placed buffers alive at the same time, or -1. Offsets tried only
   * rise, so that one pass over the placed buffers, the first {@code count} of {@code placed} by
   * rising offset, is enough.
   */
  private static long lowest(
      LmemProblem problem, long[] offsets, int[] placed, int count, int b, boolean withinBank) {
    long size = problem.buffer(b).size();
    long bank = problem.chip().bankBytes();
    if (withinBank && size > bank) {
      return -1;
    }
    long at = 0;
    int k = 0;
    while (true) {
      if (withinBank && size > 0 && at / bank != (at + size - 1) / bank) {
        at = LaneSize.alignUp(at + 1, bank);
      }
      if (at + size > problem.chip().laneBytes()) {
        return -1;
      }
      while (k < count
          && offsets[placed[k]] < at + size
          && !blocks(problem, offsets, placed[k], b, at)) {
        k++;
      }
      if (k == count || offsets[placed[k]] >= at + size) {
        return at;
      }
      long end = offsets[placed[k]] + problem.buffer(placed[k]).size();
      at = LaneSize.alignUp(end, problem.chip().vectorBytes());
    }
  }

  /** Whether a placed buffer that begins below some end is in the way of another at an offset. */
  private static boolean blocks(
      LmemProblem problem, long[] offsets, int placed, int b, long offset) {
    long size = problem.buffer(placed).size();
    return size > 0 && offsets[placed] + size > offset && problem.together(b, placed);
  }
}

package stowage.packing;

import java.util.Arrays;

/**
 * Buffers in the way of all others. Such a one cuts every placement into what is below and what is
 * above it; put at the bottom, with what was below moved up by its size, it changes no peak. So
 * whether all fit below a ceiling is whether the others fit below one that is lower by its size.
 * That takes buffers that may be anywhere and need all their bytes throughout.
 */
final class AlwaysLive {
  private AlwaysLive() {}

  /**
   * The buffers without those in the way of all others, and without those that are then; the same
   * array where there are none. O(n) for each one left out.
   *
   * @param memory where they are
   * @param buffers indices into the problem
   */
  static int[] leaveOut(PackingProblem problem, int memory, int[] buffers) {
    int firstEnd = Integer.MAX_VALUE;
    int lastStart = Integer.MIN_VALUE;
    for (int i : buffers) {
      Buffer buffer = problem.buffer(i);
      boolean free =
          problem.alignment(i, memory) == 1 && !problem.staysInBank(i, memory) && !buffer.isFixed();
      if (!free || !buffer.gaps().isEmpty()) {
        return buffers;
      }
      firstEnd = Math.min(firstEnd, buffer.live().end());
      lastStart = Math.max(lastStart, buffer.live().start());
    }
    int end = firstEnd;
    int start = lastStart;
    int[] left =
        Arrays.stream(buffers)
            .filter(
                i ->
                    problem.buffer(i).live().start() >= end
                        || problem.buffer(i).live().end() <= start)
            .toArray();
    return left.length == buffers.length ? left : leaveOut(problem, memory, left);
  }
}

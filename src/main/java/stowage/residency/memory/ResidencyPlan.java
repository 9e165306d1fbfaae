package stowage.residency.memory;

import java.util.List;

/**
 * A plan of what is in the fast memory when, and what moves.
 *
 * @param segments times in the fast memory
 * @param moves transfers between the fast memory and homes
 * @param homeOffsets the offset of each item in its home; -1 where it needs none
 * @param starts when each step begins, in nanoseconds
 * @param ends when each step ends
 */
public record ResidencyPlan(
    List<Segment> segments, List<Move> moves, long[] homeOffsets, long[] starts, long[] ends) {

  /**
   * A buffer's time in the fast memory.
   *
   * @param item index of the buffer
   * @param offset bytes from the fast memory's base
   * @param from first step
   * @param to the step after the last
   */
  public record Segment(int item, long offset, int from, int to) {}

  /**
   * A transfer.
   *
   * @param item index of the buffer
   * @param in whether into the fast memory, before the step; else out of it, after the step
   * @param step position in the order
   * @param startNanos when it begins
   * @param endNanos when it ends
   */
  public record Move(int item, boolean in, int step, long startNanos, long endNanos) {}
}

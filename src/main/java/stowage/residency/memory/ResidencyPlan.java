package stowage.residency.memory;

import java.util.List;

/**
 * A plan of what is in which memory when, and what moves.
 *
 * @param segments times in fast memories
 * @param moves transfers between memories, in the order in which they run
 * @param homeOffsets the offset of each item in its home; -1 where it needs none, or where its home
 *     is a fast memory, which a segment says
 * @param access number of the memory in which each item is used at each of its events
 * @param starts when each step begins, in nanoseconds
 * @param ends when each step ends
 */
public record ResidencyPlan(
    List<Segment> segments,
    List<Move> moves,
    long[] homeOffsets,
    int[][] access,
    long[] starts,
    long[] ends) {

  /** A buffer's time in the fast memory of a number, to the step after the last. */
  public record Segment(int item, int memory, long offset, int from, int to) {}

  /**
   * A transfer.
   *
   * @param from number of the memory that is read
   * @param to number of the memory that is written
   * @param step position in the order of the use that it belongs to
   */
  public record Move(int item, int from, int to, int step, long startNanos, long endNanos) {
    /** Whether it moves inward, before its step; else outward, after it. */
    public boolean in() {
      return to < from;
    }
  }
}

package stowage.residency.memory;

import java.util.List;

/**
 * One way to use a buffer at an event: where its value is before, during and after, and what moves.
 *
 * <p>Sets of memories are bits: bit k is memory k for the fast memories inside the buffer's home,
 * in order, and the next bit is the home. Before the step the value moves inward, after it outward,
 * from any memory that has it to one with a place for it. A copy that is no longer wanted is
 * dropped for free; a write leaves the copy that it wrote as the only one.
 *
 * @param before where the value is between the event before and this one; for the first event the
 *     home of what is given, else nowhere
 * @param held the fast memories in which the buffer has a place while the step runs
 * @param access number of the memory that the op uses
 * @param after where the value is until the next event; nowhere after the last, or in its home
 *     where that is wanted
 * @param inward transfers before the step, in order
 * @param outward transfers after the step, in order
 * @param bytes that transfers move, and that the op accesses outside of the memory that it computes
 *     from
 * @param accessNanos nanoseconds of the op's accesses
 * @param inNanos nanoseconds of the transfers before the step
 * @param outNanos nanoseconds of the transfers after the step
 */
public record Access(
    int before,
    int held,
    int access,
    int after,
    List<Hop> inward,
    List<Hop> outward,
    long bytes,
    long accessNanos,
    long inNanos,
    long outNanos) {

  /** A transfer of the whole buffer from one memory to another, by their numbers. */
  public record Hop(int from, int to) {}

  /** The price: bytes, or nanoseconds one after another. */
  public long price(boolean byTime) {
    return byTime ? accessNanos + inNanos + outNanos : bytes;
  }

  /** Whether the op or a transfer reads or writes a memory. */
  public boolean touches(int memory) {
    return access == memory
        || inward.stream().anyMatch(hop -> hop.from() == memory)
        || outward.stream().anyMatch(hop -> hop.to() == memory);
  }
}

package stowage.packing;

import java.util.List;

/**
 * One thing that is wrong with a placement.
 *
 * @param kind which rule is broken
 * @param buffers indices of the buffers it is about, the clashing two for an overlap
 * @param step a step at which it shows, or -1
 * @param low first byte it is about, or -1
 * @param high first byte after it, or -1
 * @param text one sentence in plain words, with ids, steps and bytes
 */
public record Violation(
    Kind kind, List<Integer> buffers, int step, long low, long high, String text) {

  /** The rules a placement can break. */
  public enum Kind {
    /** The placement has another number of buffers than the problem. */
    SHAPE,
    /** An offset is negative or beyond what a long holds. */
    OFFSET,
    /** A buffer is in a memory that it may not be in. */
    MEMORY,
    /** An offset is no multiple of its alignment. */
    ALIGNMENT,
    /** A buffer is not at its fixed offset. */
    FIXED,
    /** A buffer ends beyond the capacity. */
    CAPACITY,
    /** A buffer that must stay within a bank crosses a border. */
    BANK,
    /** Two buffers share bytes at a common step. */
    OVERLAP,
    /** Two buffers of an extra conflict pair share bytes. */
    CONFLICT,
    /** A buffer touches a reserved range of its memory. */
    RESERVED,
    /** Two buffers that are kept together are not the given distance apart in one memory. */
    TOGETHER,
    /** Two buffers that should be in different banks share one. */
    OTHER_BANK,
    /** A run of the network that the buffers came from writes one over what it still reads. */
    RUN
  }

  @Override
  public String toString() {
    return text;
  }
}

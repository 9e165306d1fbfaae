package stowage.exact.search;

/**
 * Which prunes the canonical search uses. All are sound for every kind of constraint, alone and
 * together; switching one off changes the time, never the answer.
 *
 * @param releaseDates per section the unplaced buffers are jobs on one machine whose release dates
 *     are their lowest offsets, so the section fails when even that schedule ends above the
 *     capacity
 * @param skipLifting a buffer that is not placed although its turn has come must rest on one placed
 *     later, so its lowest offset rises to the lowest top of an unplaced neighbour
 * @param relifting a lifted buffer whose turn comes before any support of it was placed is lifted
 *     again instead of being placed in the air
 * @param nogoods a set of unplaced buffers with their lowest offsets that has failed once fails
 *     again
 * @param dominance no buffer starts at or above the lowest top an unplaced buffer could have,
 *     because that buffer could then be moved down into the room left for it
 * @param hatless a buffer that raises no unplaced neighbour can stay where it is, so no alternative
 *     to it needs trying
 * @param decomposition once nothing unplaced crosses a moment in time, both sides are solved apart
 * @param reranking the parts left by a cut in time rank their buffers by their own section totals
 */
public record SearchOptions(
    boolean releaseDates,
    boolean skipLifting,
    boolean relifting,
    boolean nogoods,
    boolean dominance,
    boolean hatless,
    boolean decomposition,
    boolean reranking) {

  /** All prunes on: the fastest setting on the whole. */
  public static SearchOptions all() {
    return new SearchOptions(true, true, true, true, true, true, true, true);
  }

  /** All prunes off: an enumeration of the canonical placements, for tests. */
  public static SearchOptions none() {
    return new SearchOptions(false, false, false, false, false, false, false, false);
  }

  /** The same, with parts keeping the ranks of the whole. */
  public SearchOptions withoutReranking() {
    return new SearchOptions(
        releaseDates, skipLifting, relifting, nogoods, dominance, hatless, decomposition, false);
  }

  /**
   * The setting whose switches are the bits of a number, in the order of the components, bit 0
   * first.
   *
   * @param bits in {@code [0, 256)}
   */
  public static SearchOptions ofBits(int bits) {
    return new SearchOptions(
        (bits & 1) != 0,
        (bits & 2) != 0,
        (bits & 4) != 0,
        (bits & 8) != 0,
        (bits & 16) != 0,
        (bits & 32) != 0,
        (bits & 64) != 0,
        (bits & 128) != 0);
  }
}

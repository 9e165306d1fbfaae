package stowage.exact.search.tree;

/**
 * The prunes of the canonical search. All are sound for every kind of constraint, alone and
 * together; leaving one out changes the time, never the answer. Only tests leave one out.
 */
enum Prune {
  /**
   * Per section the unplaced buffers are jobs on one machine whose release dates are their lowest
   * offsets, so the section fails when even that schedule ends above the capacity.
   */
  RELEASE_DATES,

  /**
   * A buffer that is not placed although its turn has come must rest on one placed later, so its
   * lowest offset rises to the lowest top of an unplaced neighbour.
   */
  SKIP_LIFTING,

  /**
   * A lifted buffer whose turn comes before any support of it was placed is lifted again instead of
   * being placed in the air.
   */
  RELIFTING,

  /** A set of unplaced buffers with their lowest offsets that has failed once fails again. */
  NOGOODS,

  /**
   * No buffer starts at or above the lowest top an unplaced buffer could have, because that buffer
   * could then be moved down into the room left for it.
   */
  DOMINANCE,

  /** A buffer that raises no unplaced neighbour can stay: no alternative to it needs trying. */
  HATLESS,

  /** Where nothing unplaced crosses a moment, the sides are solved apart; if one fails, both do. */
  DECOMPOSITION
}

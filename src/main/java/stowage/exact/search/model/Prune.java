package stowage.exact.search.model;

/**
 * The prunes of the canonical search. All are sound for every kind of constraint, alone and
 * together; switching one off changes the time, never the answer.
 */
public enum Prune {
  /** A section whose jobs cannot end in time fails the state. */
  RELEASE_DATES(
      "per section the unplaced buffers are jobs on one machine whose release dates are their"
          + " lowest offsets, so the section fails when even that schedule ends above the"
          + " capacity"),

  /** A skipped buffer rises onto a neighbour. */
  SKIP_LIFTING(
      "a buffer that is not placed although its turn has come must rest on one placed later, so"
          + " its lowest offset rises to the lowest top of an unplaced neighbour"),

  /** A lifted buffer is not placed in the air. */
  RELIFTING(
      "a lifted buffer whose turn comes before any support of it was placed is lifted again"
          + " instead of being placed in the air"),

  /** Failed states are remembered. */
  NOGOODS("a set of unplaced buffers with their lowest offsets that has failed once fails again"),

  /** Nothing starts above room that another buffer could fill. */
  DOMINANCE(
      "no buffer starts at or above the lowest top an unplaced buffer could have, because that"
          + " buffer could then be moved down into the room left for it"),

  /** A buffer that is in no one's way stays. */
  HATLESS(
      "a buffer that raises no unplaced neighbour can stay where it is, so no alternative to it"
          + " needs trying"),

  /** Parts that share no time are solved apart. */
  DECOMPOSITION(
      "once nothing unplaced crosses a moment in time, both sides are solved apart, and the"
          + " failure of one is the failure of both"),

  /** Parts order their buffers by themselves. */
  RERANKING("the parts left by a cut in time rank their buffers by their own section totals");

  private final String reason;

  Prune(String reason) {
    this.reason = reason;
  }

  /** Why it cuts nothing off that is needed, in one sentence. */
  public String reason() {
    return reason;
  }
}

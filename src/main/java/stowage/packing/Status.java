package stowage.packing;

/** What is known of a run's answer; the words are CP-SAT's. */
public enum Status {
  /** The placement's objective equals a proven bound. */
  OPTIMAL,
  /** There is a verified placement; whether a better one exists is open. */
  FEASIBLE,
  /** Proven: no placement respects the capacities. */
  INFEASIBLE,
  /** Neither a placement nor a proof was found. */
  UNKNOWN
}

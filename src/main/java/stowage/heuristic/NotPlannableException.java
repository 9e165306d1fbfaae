package stowage.heuristic;

import stowage.packing.RunControl;

/**
 * Reason, in one line, why a planner does not admit a problem, such as a constraint it cannot keep.
 */
public final class NotPlannableException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int TURNS = 64;

  /** A reason of one line, in plain words. */
  public NotPlannableException(String reason) {
    super(reason);
  }

  /** Ends a planner without a plan at a stop, looked for once in {@value #TURNS} times. */
  public static void throwIfStopped(RunControl control, int placed, int count) {
    if (placed % TURNS == TURNS - 1 && control.isStopped()) {
      throw new NotPlannableException(
          "the run ended with " + placed + " of " + count + " buffers placed");
    }
  }
}

package stowage.heuristic;

/** Says in one line why a planner does not admit a problem, such as a constraint it cannot keep. */
public final class NotPlannableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason one line, in plain words
   */
  public NotPlannableException(String reason) {
    super(reason);
  }
}

package stowage.generator;

/**
 * Fault of a generator's parameter, in one line that says what is wrong and what would be right.
 */
public final class InvalidParameterException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** A generator's parameter, its value and what would be right. */
  public InvalidParameterException(String generator, String what) {
    super("generator " + generator + ": " + what);
  }
}

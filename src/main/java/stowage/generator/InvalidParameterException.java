package stowage.generator;

/** Says in one line which parameter of a generator is wrong, and what would be right. */
public final class InvalidParameterException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** A generator's parameter, its value and what would be right. */
  public InvalidParameterException(String generator, String what) {
    super("generator " + generator + ": " + what);
  }
}

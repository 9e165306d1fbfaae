package stowage.cli.terminal;

/** Says in one line how a command was misused, beyond what the options' syntax says. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }

  /** Refuses a command line with a message where it is misused. */
  public static void when(boolean misused, String message) {
    if (misused) {
      throw new UsageException(message);
    }
  }
}

package stowage.cli;

/** Says in one line how a command was misused, beyond what the options' syntax tells. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}

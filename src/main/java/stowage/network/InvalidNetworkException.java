package stowage.network;

/**
 * Fault of a network, or of a part of one, that contradicts itself. The message is one line that
 * names the op or tensor, the value and what would be right; a reader of files adds the file.
 */
public class InvalidNetworkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A contradiction, in one line: the op or tensor, the value, what would be right; a pattern where
   * there are arguments.
   */
  public InvalidNetworkException(String message, Object... arguments) {
    super(arguments.length == 0 ? message : message.formatted(arguments));
  }
}

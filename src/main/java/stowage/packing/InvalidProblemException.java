package stowage.packing;

/**
 * Fault of a packing problem, or of a part of one, that contradicts itself. The message is one line
 * that names the field, the value and what would be right; a reader of files adds the file and the
 * line.
 */
public class InvalidProblemException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** */
  public InvalidProblemException(String message) {
    super(message);
  }
}

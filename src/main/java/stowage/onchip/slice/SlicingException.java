package stowage.onchip.slice;

/** Says why a group cannot be cut as asked: the op or tensor, the axis and the slices. */
public final class SlicingException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param message one line
   */
  public SlicingException(String message) {
    super(message, null, false, false);
  }
}

package stowage.onchip.slice;

/** Reason why a group cannot be cut as asked: the op or tensor, the axis and the slices. */
public final class SlicingException extends Exception {
  private static final long serialVersionUID = 1L;

  /** One line, as {@link String#format} makes it. */
  public SlicingException(String format, Object... values) {
    super(format.formatted(values), null, false, false);
  }
}

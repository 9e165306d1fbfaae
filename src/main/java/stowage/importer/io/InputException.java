package stowage.importer.io;

import java.nio.file.Path;

/**
 * Says that an input file cannot be used. The message is one line that names the file, the line or
 * field, the value, and what would be right. The command line prints it and ends with exit code 3.
 */
public final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param file the file
   * @param where the line or field, such as {@code line 7, column "size"}; may be empty
   * @param what the value and what would be right
   */
  public InputException(Path file, String where, String what) {
    this(file, where, what, null);
  }

  /** The same with a cause, for those who use the library. */
  public InputException(Path file, String where, String what, Throwable cause) {
    super(oneLine(file + (where.isEmpty() ? "" : ": " + where) + ": " + what), cause);
  }

  private static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int k = 0; k < text.length(); k++) {
      char c = text.charAt(k);
      line.append(Character.isISOControl(c) ? ' ' : c);
    }
    return line.length() > 600 ? line.substring(0, 597) + "..." : line.toString();
  }
}

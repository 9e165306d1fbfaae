package stowage.importer.io;

import java.nio.file.Path;
import java.util.function.Supplier;
import stowage.network.InvalidNetworkException;
import stowage.packing.InvalidProblemException;

/**
 * Fault of an input file that cannot be used. The message is one line that names the file, the line
 * or field, the value, and what would be right. The command line prints it and ends with exit code
 * 3.
 */
public final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String OPTION = "--";

  /** The line, field or option; empty for the file as a whole. */
  private final String where;

  /**
   * A fault of a file.
   *
   * @param where the line or field, such as {@code line 7, column "size"}, or the option; may be
   *     empty
   * @param what the value and what would be right: a pattern where there are arguments
   */
  public InputException(Path file, String where, String what, Object... arguments) {
    this(file, where, text(what, arguments), (Throwable) null);
  }

  /** The same with a cause, for those who use the library. */
  public InputException(Path file, String where, String what, Throwable cause) {
    super(oneLine(file + (where.isEmpty() ? "" : ": " + where) + ": " + what), cause);
    this.where = where;
  }

  /** A wrong name on the command line, where no file is at fault. */
  public static InputException misuse(String what, Object... arguments) {
    return new InputException(oneLine(text(what, arguments)), OPTION, null);
  }

  /** A fault on a line, counted from 1; less where it is at the end, or the line is not known. */
  public static InputException atLine(Path file, long line, String what, Object... arguments) {
    return new InputException(file, line < 1 ? "" : "line " + line, what, arguments);
  }

  /** What a maker makes; a contradiction that it finds is a fault of a file, at a place. */
  public static <T> T checked(Path file, String where, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (InvalidNetworkException | InvalidProblemException wrong) {
      throw new InputException(file, where, wrong.getMessage(), wrong);
    }
  }

  /** A pattern with its arguments; a text without any as it is. */
  private static String text(String what, Object... arguments) {
    return arguments.length == 0 ? what : what.formatted(arguments);
  }

  /** Whether the fault is that of an option with this value, such as {@code --dim N=1}. */
  public boolean isAbout(String option) {
    return where.equals(option);
  }

  /** Whether the fault is an option's, such as {@code --dim}, rather than the file's. */
  public boolean isMisuse() {
    return where.startsWith(OPTION);
  }

  private InputException(String message, String where, Throwable cause) {
    super(message, cause);
    this.where = where;
  }

  /** The same about another name of the file. */
  public InputException about(Path file, Path otherName) {
    return new InputException(
        getMessage().replace(file.toString(), otherName.toString()), where, getCause());
  }

  private static String oneLine(String text) {
    String line = text.replaceAll("\\p{Cc}", " ");
    return line.length() > 600 ? line.substring(0, 597) + "..." : line;
  }
}

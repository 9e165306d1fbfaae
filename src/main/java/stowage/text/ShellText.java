package stowage.text;

import java.util.Collection;
import java.util.stream.Collectors;

/** Words of commands as lines that a POSIX shell reads back. */
public final class ShellText {
  private ShellText() {}

  /** A word in single quotes where a character of it needs them. */
  public static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./=:,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Words as one line. */
  public static String line(Collection<String> words) {
    return words.stream().map(ShellText::quoted).collect(Collectors.joining(" "));
  }
}

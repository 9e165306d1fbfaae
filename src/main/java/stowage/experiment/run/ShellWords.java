package stowage.experiment.run;

import java.util.Collection;
import java.util.stream.Collectors;

/** Words of commands as a shell takes them, for commands that are written down to be repeated. */
public final class ShellWords {
  private ShellWords() {}

  /**
   * A word as any POSIX shell reads it back: as it is where no character means something to shells,
   * else in single quotes.
   */
  public static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./=:,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Words as one line. */
  public static String line(Collection<String> words) {
    return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }
}

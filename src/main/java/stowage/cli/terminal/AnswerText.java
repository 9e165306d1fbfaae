package stowage.cli.terminal;

import java.util.Map;
import stowage.report.format.Terminal;

/** An answer as it is printed: on a terminal wrapped to its width, with its status in colour. */
public final class AnswerText {
  private AnswerText() {}

  /** The text as it is, unless stdout is a terminal. */
  public static String forTerminal(String text) {
    return Terminal.isOutputStream() ? dressed(text, System.getenv()) : text;
  }

  /** The text for a terminal; its first word is the status. */
  static String dressed(String text, Map<String, String> environment) {
    String wrapped = Terminal.wrapped(text, Terminal.columns(environment));
    int end = wrapped.indexOf(':');
    if (!Terminal.colours(environment) || end < 0) {
      return wrapped;
    }
    String status = wrapped.substring(0, end);
    String colour =
        switch (status) {
          case "OPTIMAL" -> "32";
          case "FEASIBLE" -> "33";
          case "INFEASIBLE", "UNKNOWN" -> "31";
          default -> null;
        };
    return colour == null
        ? wrapped
        : "\u001b[1;" + colour + "m" + status + "\u001b[0m" + wrapped.substring(end);
  }
}

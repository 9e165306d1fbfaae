package stowage.report.format;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the terminal is like: whether a stream goes to one, how wide it is, what it may show. */
public final class Terminal {
  private static final int USUAL_WIDTH = 80;
  private static final int LEAST_WIDTH = 20;

  /** Narrower pieces of a wrapped line would not be read more easily. */
  private static final int LEAST_ROOM = 24;

  /** Blanks, and perhaps a short label with two blanks or more after it. */
  private static final Pattern LABEL = Pattern.compile("(?s) +(?:[^ ].{0,19}? {2,})?");

  private Terminal() {}

  /** Whether stderr goes to a terminal. */
  public static boolean isErrorStream() {
    return isTerminal(2);
  }

  /** Whether stdout goes to a terminal. */
  public static boolean isOutputStream() {
    return isTerminal(1);
  }

  /**
   * Whether a descriptor is a terminal. On Linux what it points to tells; elsewhere the JVM's
   * console does, which needs stdin to be a terminal too.
   */
  private static boolean isTerminal(int number) {
    Path descriptor = Path.of("/proc/self/fd/" + number);
    if (Files.isSymbolicLink(descriptor)) {
      try {
        String target = Files.readSymbolicLink(descriptor).toString();
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
      } catch (IOException unreadable) {
        return false;
      }
    }
    return System.console() != null;
  }

  /** Whether lines can be rewritten: not on a terminal that calls itself dumb. */
  public static boolean rewrites(Map<String, String> environment) {
    return !environment.getOrDefault("TERM", "dumb").equals("dumb");
  }

  /** Whether colour is welcome: {@code NO_COLOR} (no-color.org) is empty or not set. */
  public static boolean colours(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty() && rewrites(environment);
  }

  /** Columns of the terminal: {@code COLUMNS}, else what the terminal says, else 80. */
  public static int columns(Map<String, String> environment) {
    int said = number(environment.getOrDefault("COLUMNS", ""));
    return said > 0 ? Math.max(LEAST_WIDTH, said) : Math.max(LEAST_WIDTH, columnsOfDevice());
  }

  private static int columnsOfDevice() {
    File device = new File("/dev/tty");
    if (!device.canRead()) {
      return USUAL_WIDTH;
    }
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(device)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      boolean ended = stty.waitFor(1, TimeUnit.SECONDS);
      String[] parts = size.trim().split(" ");
      int columns = ended && parts.length == 2 ? number(parts[1]) : 0;
      return columns > 0 ? columns : USUAL_WIDTH;
    } catch (IOException absent) {
      return USUAL_WIDTH;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return USUAL_WIDTH;
    }
  }

  /** A text as it is; on a terminal wrapped to its width, its first word, the status, in colour. */
  public static String dressed(String text) {
    if (!isOutputStream()) {
      return text;
    }
    Map<String, String> environment = System.getenv();
    String wrapped = wrapped(text, columns(environment));
    int end = wrapped.indexOf(':');
    if (!colours(environment) || end < 0) {
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

  private static int number(String text) {
    return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
  }

  /**
   * Lines broken at blanks so that each has at most {@code width} characters. What continues a line
   * {@code " because text"} begins below its text.
   */
  public static String wrapped(String text, int width) {
    return Stream.of(text.split("\n", -1))
        .map(line -> AlignedText.wrapped(line, indent(line), width, LEAST_ROOM))
        .collect(Collectors.joining("\n"));
  }

  /** Where the text after a label begins; the line's own indent where it has no label. */
  private static int indent(String line) {
    Matcher begin = LABEL.matcher(line);
    return begin.lookingAt() ? begin.end() : 0;
  }
}

package stowage.experiment.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.onchip.GroupMethod;

/**
 * A planner that takes part in a suite.
 *
 * @param label what tables call it; unique in its suite
 * @param name its name in the catalogue; null for an external one
 * @param config settings of exact engines, a name or a file; null for the default ones
 * @param external the words of a command that plans; null for planners of the catalogue
 * @param group a way to group networks; null for planners of buffers
 * @param seeds seeds of its own instead of the suite's; null for the suite's
 */
public record PlannerSpec(
    String label,
    String name,
    String config,
    List<String> external,
    GroupMethod group,
    List<Long> seeds) {
  /** A word of a command, with its quotes; in the group a quote that is not closed. */
  private static final Pattern WORD =
      Pattern.compile("(?s)(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+|([\"'])");

  /** Refuses a planner that tables could not name. */
  public PlannerSpec {
    ExperimentJson.require("label", label);
  }

  /** A planner of the catalogue under its own name. */
  public static PlannerSpec named(String name) {
    return new PlannerSpec(name, name, null, null, null, null);
  }

  /** An external planner as tables call it, by a command with {@code {in}} and {@code {out}}. */
  public static PlannerSpec external(String label, List<String> command, List<Long> seeds) {
    return new PlannerSpec(label, null, null, List.copyOf(command), null, seeds);
  }

  /** A way to group networks; without a label it is called by what it is. */
  static PlannerSpec grouping(String label, GroupMethod method, List<Long> seeds) {
    return new PlannerSpec(label == null ? method.label() : label, null, null, null, method, seeds);
  }

  /** Whether a command of the user's plans. */
  public boolean isExternal() {
    return external != null;
  }

  /** The words of a command for {in} and {out}; quotes, single or double, keep words together. */
  public static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher next = WORD.matcher(command);
    while (next.find()) {
      if (next.group(1) != null) {
        throw new IllegalArgumentException(
            "a quote " + next.group(1) + " is not closed in: " + command);
      }
      words.add(next.group().replaceAll("(?s)([\"'])(.*?)\\1", "$2"));
    }
    if (!command.contains("{in}") || !command.contains("{out}")) {
      throw new IllegalArgumentException(
          "a command that reads {in} and writes {out} is needed, such as \"mine {in} {out}\"");
    }
    return words;
  }
}

package stowage.cli.help;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Help page of a command: its options under headings, its commands by purpose, examples at the end.
 */
public final class GroupedHelp extends Help {
  private static final Map<String, List<String>> PURPOSES = new LinkedHashMap<>();

  static {
    PURPOSES.put(
        "Plan memory",
        List.of("plan", "schedule", "fit", "bound", "explain", "verify", "diff", "check", "serve"));
    PURPOSES.put("On chip", List.of("group", "kernel"));
    PURPOSES.put(
        "Models",
        List.of(
            "show", "convert", "export", "dependencies", "audit", "generate", "generate-kernel"));
    PURPOSES.put("Compare planners", List.of("compare", "waste", "bench", "experiment"));
    PURPOSES.put("Look up", List.of("planners", "chips", "help", "generate-completion"));
  }

  private final CommandSpec command;

  /** The page of a command in a colour scheme. */
  public GroupedHelp(CommandSpec command, ColorScheme colors) {
    super(command, colors);
    this.command = command;
  }

  /** Not each of up to forty options again: the list below has them. */
  @Override
  public String synopsis(int headingLength) {
    return abbreviatedSynopsis();
  }

  @Override
  public String parameterList(Layout layout, IParamLabelRenderer labels) {
    return System.lineSeparator() + super.parameterList(layout, labels);
  }

  @Override
  public String optionListHeading(Object... parameters) {
    return "";
  }

  @Override
  public String optionList() {
    StringBuilder text = new StringBuilder();
    Map<String, List<OptionSpec>> groups = OptionHeadings.of(command);
    List<OptionSpec> all = groups.values().stream().flatMap(List::stream).toList();
    groups.forEach(
        (heading, options) -> {
          text.append(heading(heading));
          // One layout for all, so that descriptions begin in one column.
          Layout layout = createDefaultLayout(all, command.positionalParameters(), colorScheme());
          text.append(optionListExcludingGroups(options, layout, null, parameterLabelRenderer()));
        });
    return text.toString();
  }

  private String heading(String heading) {
    return String.format("%n%s:%n", colorScheme().ansi().string("@|bold " + heading + "|@"));
  }

  @Override
  public String commandListHeading(Object... parameters) {
    return command.parent() == null ? "" : super.commandListHeading(parameters);
  }

  @Override
  public String commandList() {
    if (command.parent() != null) {
      return super.commandList();
    }
    Map<String, Help> left = new LinkedHashMap<>(subcommands());
    StringBuilder text = new StringBuilder();
    PURPOSES.forEach((purpose, names) -> text.append(commands(purpose, taken(left, names))));
    return text.append(commands("More", taken(left, new ArrayList<>(left.keySet())))).toString();
  }

  private String commands(String purpose, Map<String, Help> listed) {
    return listed.isEmpty() ? "" : heading(purpose) + commandList(listed);
  }

  private static Map<String, Help> taken(Map<String, Help> from, List<String> names) {
    Map<String, Help> taken = new LinkedHashMap<>();
    for (String name : names) {
      Help help = from.remove(name);
      if (help != null && !help.commandSpec().usageMessage().hidden()) {
        taken.put(name, help);
      }
    }
    return taken;
  }

  @Override
  public String footer(Object... parameters) {
    StringBuilder text = new StringBuilder();
    append(text, "Examples", HelpTexts.examples(command));
    if (command.parent() == null) {
      append(text, "Values", HelpTexts.section("values"));
      append(text, "Environment", HelpTexts.section("environment"));
      append(text, "Exit codes", HelpTexts.section("exit codes"));
    }
    return text.toString();
  }

  private void append(StringBuilder text, String heading, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append(heading(heading));
      lines.forEach(line -> text.append("  ").append(line).append(System.lineSeparator()));
    }
  }
}

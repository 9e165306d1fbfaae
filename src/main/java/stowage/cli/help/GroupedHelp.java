package stowage.cli.help;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.PlannerSettings;

/** Help page of a command: options under headings, commands by purpose, examples at the end. */
public final class GroupedHelp extends Help {
  private static final Map<String, List<String>> PURPOSES = new LinkedHashMap<>();

  static {
    PURPOSES.put("Plan memory", List.of("plan", "fit", "schedule", "kernel", "group", "memories"));
    PURPOSES.put(
        "Look and check", List.of("show", "check", "explain", "compare", "verify", "diff"));
    PURPOSES.put("Write", List.of("convert", "export", "generate"));
  }

  /** Lines of a page that does not show everything. */
  private static final int MOST_LINES = 45;

  /** Characters of a description on such a page. */
  private static final int MOST_LETTERS = 100;

  /** Options that such a page shows first, in this order of need. */
  private static final List<String> USUAL =
      List.of(
          """
          --help --help-all --out --json --plan --capacity --max-extra --curve --levers --max-peak --against --to
          --write --chip --partition --planner --set --effort --objective --time-limit
          --schedule --alignment --dim --in-place --format --markdown --junit --export --run
          --pareto --least-capacity --deterministic
          """
              .split("\\s+"));

  /** Names that options had before, which are read but not shown. */
  private static final Set<String> FORMER = Set.of("--export", "--order", "--minimise");

  /** Stands for a dot in a name while lines are broken: they may be broken after a dot. */
  private static final char DOT = '\uE000';

  /** Columns that the heading of the synopsis takes. */
  private static final int SYNOPSIS = 7;

  private final CommandSpec command;

  private final boolean whole;

  /** The options shown; null until the page is made. */
  private List<OptionSpec> shown;

  /** The page of a command in a colour scheme. */
  public GroupedHelp(CommandSpec command, ColorScheme colors) {
    super(command, colors);
    this.command = command;
    OptionSpec all = command.findOption("--help-all");
    this.whole = all != null && Boolean.TRUE.equals(all.getValue());
  }

  /** Not each of up to forty options again: the list below has them. */
  @Override
  public String synopsis(int headingLength) {
    return abbreviatedSynopsis();
  }

  @Override
  public String description(Object... parameters) {
    String[] own = command.usageMessage().description();
    command.usageMessage().description(joined(own));
    String text = super.description(parameters).replace(DOT, '.');
    command.usageMessage().description(own);
    return text;
  }

  @Override
  public String parameterList() {
    return parameterList(!whole && isShortened());
  }

  private String parameterList(boolean brief) {
    return parameterList(
            command.positionalParameters().stream()
                .map(one -> one.toBuilder().description(joined(text(brief, one))).build())
                .toList())
        .replace(DOT, '.');
  }

  private static String[] text(boolean brief, ArgSpec argument) {
    String[] whole = argument.description();
    return brief ? new String[] {brief(whole)} : whole;
  }

  private static String[] joined(String... text) {
    return Arrays.stream(text)
        .map(line -> line.replace("%", "%%").replaceAll("\\.(?=[a-z])", String.valueOf(DOT)))
        .toArray(String[]::new);
  }

  @Override
  public String optionListHeading(Object... parameters) {
    return "";
  }

  @Override
  public String optionList() {
    if (!whole && isShortened()) {
      String end = System.lineSeparator();
      String more = "All options: " + command.qualifiedName() + " --help-all";
      return optionList(shown, true) + end + more + end;
    }
    return optionList(every(), false);
  }

  List<String> topics() {
    List<String> topics =
        new ArrayList<>(
            OptionHeadings.of(command).keySet().stream().map(GroupedHelp::topicOf).toList());
    if (command.findOption(PlannerSettings.SET) != null) {
      topics.add("set");
    }
    return topics;
  }

  private static String topicOf(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceFirst(" and .*", "").replace(' ', '-');
  }

  /** The options of a topic, as text; null if the topic is unknown. */
  String topic(String name) {
    for (Map.Entry<String, List<OptionSpec>> group : OptionHeadings.of(command).entrySet()) {
      if (topicOf(group.getKey()).equals(name)) {
        return optionList(group.getValue(), false).stripLeading();
      }
    }
    boolean settings = command.findOption(PlannerSettings.SET) != null;
    return settings && List.of("set", "openvino").contains(name)
        ? HelpGroup.SETTINGS
            + ", as --set KEY=VALUE:%n%s"
                .formatted(
                    PlannerSettings.text(
                        PlannerSettings.of(command), command.usageMessage().width()))
        : null;
  }

  private List<OptionSpec> every() {
    return OptionHeadings.of(command).values().stream().flatMap(List::stream).toList();
  }

  /** Options under their headings; short ones with the first words of their descriptions. */
  private String optionList(List<OptionSpec> wanted, boolean brief) {
    StringBuilder text = new StringBuilder();
    List<OptionSpec> all =
        wanted.stream().map(option -> current(brief ? brief(option) : option)).toList();
    OptionHeadings.of(command)
        .forEach(
            (heading, options) -> {
              List<OptionSpec> here =
                  options.stream()
                      .filter(wanted::contains)
                      .map(option -> current(brief ? brief(option) : option))
                      .toList();
              if (!here.isEmpty()) {
                text.append(brief ? "" : heading(heading));
                // One layout for all, so that descriptions begin in one column.
                Layout layout =
                    createDefaultLayout(all, command.positionalParameters(), colorScheme());
                text.append(
                    optionListExcludingGroups(here, layout, null, parameterLabelRenderer()));
              }
            });
    String list = text.toString().replace(DOT, '.');
    return brief ? heading("Options") + list : list;
  }

  /** Whether the page leaves options out; chooses those that it shows. */
  private boolean isShortened() {
    if (command.parent() == null) {
      return false;
    }
    if (shown == null) {
      List<OptionSpec> all = every();
      shown = all;
      int fixed = lines(synopsis(SYNOPSIS)) + lines(description()) + lines(footer());
      if (fixed + lines(parameterList(false)) + lines(optionList(all, false)) > MOST_LINES) {
        fixed += lines(parameterList(true)) + 2;
        shown = new ArrayList<>();
        for (OptionSpec option : byNeed(all)) {
          shown.add(option);
          if (fixed + lines(optionList(shown, true)) > MOST_LINES) {
            shown.remove(option);
            break;
          }
        }
      }
    }
    return shown.size() < every().size();
  }

  private static int lines(String text) {
    return (int) text.lines().count();
  }

  private static List<OptionSpec> byNeed(List<OptionSpec> options) {
    List<OptionSpec> sorted = new ArrayList<>(options);
    sorted.sort(
        Comparator.comparingInt(
            option -> {
              int place = USUAL.indexOf(option.longestName());
              return place < 0 ? USUAL.size() : place;
            }));
    return sorted;
  }

  private static OptionSpec current(OptionSpec option) {
    String[] names =
        Arrays.stream(option.names()).filter(name -> !FORMER.contains(name)).toArray(String[]::new);
    return option.toBuilder().names(names).description(joined(option.description())).build();
  }

  private static OptionSpec brief(OptionSpec option) {
    return option.usageHelp()
        ? option
        : option.toBuilder().description(brief(option.description()).replace("%", "%%")).build();
  }

  /** The first sentence of a description, cut where it says more than needed. */
  private static String brief(String[] description) {
    String text = description.length == 0 ? "" : description[0];
    int end = text.indexOf(". ");
    text = end < 0 ? text : text.substring(0, end + 1);
    for (String cut : List.of("; ", ": ")) {
      int at = text.indexOf(cut, MOST_LETTERS / 5);
      if (text.length() > MOST_LETTERS && at > 0) {
        String kept = text.substring(0, at);
        boolean closed = kept.replace("(", "").length() == kept.replace(")", "").length();
        text = closed ? kept + "." : text;
      }
    }
    return text;
  }

  private String heading(String heading) {
    return String.format("%n%s:%n", colorScheme().ansi().string("@|bold " + heading + "|@"));
  }

  @Override
  public String commandListHeading(Object... parameters) {
    boolean own = command.parent() != null && !command.subcommands().isEmpty();
    return own ? heading("Commands") : "";
  }

  @Override
  public String commandList() {
    if (command.parent() != null || whole) {
      return super.commandList();
    }
    Map<String, Help> left = new LinkedHashMap<>(subcommands());
    left.values().removeIf(help -> help.commandSpec().usageMessage().hidden());
    StringBuilder text = new StringBuilder();
    PURPOSES.forEach(
        (purpose, names) -> {
          text.append(commands(purpose, names.stream().filter(left::containsKey).toList()));
          left.keySet().removeAll(names);
        });
    return text.append(commands("More", left.keySet())).toString();
  }

  private String commands(String purpose, Collection<String> listed) {
    List<String> lines = new ArrayList<>(HelpTexts.section("summaries"));
    lines.removeIf(line -> !listed.contains(line.substring(0, line.indexOf(' '))));
    StringBuilder text = new StringBuilder();
    append(text, purpose, lines);
    return text.toString();
  }

  @Override
  public String footer(Object... parameters) {
    StringBuilder text = new StringBuilder();
    append(text, "Examples", HelpTexts.examples(command));
    if (command.parent() == null) {
      if (whole) {
        append(text, "Values", HelpTexts.section("values"));
        append(text, "Environment", HelpTexts.section("environment"));
      }
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

package stowage.cli.help;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Manual page of a command in roff's {@code man} macros, from its help; without any date. */
record ManPage(CommandSpec command, String version, StringBuilder page) {
  static String fileName(CommandSpec command) {
    return command.qualifiedName("-") + ".1";
  }

  static String of(CommandSpec command, String version) {
    return new ManPage(command, version, new StringBuilder()).text();
  }

  private String text() {
    String title = command.qualifiedName("-").toUpperCase(Locale.ROOT);
    page.append(".TH \"").append(title).append("\" \"1\" \"\" \"stowage ").append(version);
    page.append("\" \"Stowage\"\n.nh\n.ad l\n");
    String[] description = command.usageMessage().description();
    head("NAME");
    line(command.qualifiedName("-") + " \\- ", escaped(String.join(" ", description)));
    head("SYNOPSIS");
    line("", escaped(synopsis()));
    head("DESCRIPTION");
    for (String paragraph : description) {
      page.append(".PP\n");
      line("", escaped(paragraph));
    }
    arguments();
    options();
    commands();
    verbatim("EXAMPLES", HelpTexts.examples(command));
    verbatim("VALUES", HelpTexts.section("values"));
    verbatim("ENVIRONMENT", HelpTexts.section("environment"));
    verbatim("EXIT STATUS", HelpTexts.section("exit codes"));
    seeAlso();
    return page.toString();
  }

  private String synopsis() {
    CommandLine.Help help =
        new GroupedHelp(command, CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    return help.synopsis(0).strip();
  }

  private void arguments() {
    List<PositionalParamSpec> arguments =
        command.positionalParameters().stream().filter(argument -> !argument.hidden()).toList();
    if (!arguments.isEmpty()) {
      head("ARGUMENTS");
      arguments.forEach(argument -> item(argument.paramLabel(), argument));
    }
  }

  private void options() {
    Map<String, List<OptionSpec>> groups = OptionHeadings.of(command);
    if (groups.isEmpty()) {
      return;
    }
    head("OPTIONS");
    groups.forEach(
        (heading, options) -> {
          page.append(".SS \"").append(escaped(heading)).append("\"\n");
          for (OptionSpec option : options) {
            String label = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
            item(String.join(", ", option.names()) + label, option);
          }
        });
  }

  private void item(String label, ArgSpec argument) {
    page.append(".TP\n\\fB").append(escaped(label)).append("\\fR\n");
    for (String paragraph : argument.description()) {
      line("", escaped(paragraph));
    }
  }

  private void commands() {
    if (command.subcommands().values().stream().allMatch(ManPage::isHidden)) {
      return;
    }
    head("COMMANDS");
    for (Map.Entry<String, CommandLine> child : command.subcommands().entrySet()) {
      if (!isHidden(child.getValue())) {
        page.append(".TP\n\\fB").append(escaped(child.getKey())).append("\\fR\n");
        String[] text = child.getValue().getCommandSpec().usageMessage().description();
        line("", text.length == 0 ? "" : escaped(text[0]));
      }
    }
  }

  static boolean isHidden(CommandLine commandLine) {
    return commandLine.getCommandSpec().usageMessage().hidden();
  }

  private void verbatim(String heading, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    head(heading);
    page.append(".nf\n");
    lines.forEach(line -> line("", escaped(line)));
    page.append(".fi\n");
  }

  private void seeAlso() {
    CommandSpec parent = command.parent();
    String each = "The commands each have a page, such as stowage\\-plan(1).";
    head("SEE ALSO");
    line("", parent == null ? each : escaped(parent.qualifiedName("-")) + "(1)");
  }

  private void head(String heading) {
    page.append(".SH \"").append(heading).append("\"\n");
  }

  /** A line of text; one that begins with a dot or an apostrophe would be a request to roff. */
  private void line(String start, String text) {
    String whole = start + text;
    if (whole.startsWith(".") || whole.startsWith("'")) {
      page.append("\\&");
    }
    page.append(whole).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("%%", "%");
  }
}

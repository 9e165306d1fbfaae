package stowage.cli.help;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.Suggestion;

/** {@code stowage help}: the help of a command, by its name, or its options of one topic. */
@Command(
    name = "help",
    description = {
      "Shows the help of a command: stowage help plan.",
      "A topic after it shows all options of that topic: stowage help plan memory; the topics of"
          + " plan are planning, input, memory, memory-maps, limits, output and set (the options of"
          + " single planners)."
    })
public final class HelpCommand extends BaseCommand {
  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "As in: help experiment run.")
  List<String> names = List.of();

  @Override
  public Integer call() {
    CommandLine at = spec.parent().commandLine();
    for (String name : names) {
      CommandLine next = at.getSubcommands().get(name);
      if (next == null && at.getSubcommands().isEmpty()) {
        return topic(at, name);
      }
      UsageException.when(
          next == null,
          at.getCommandSpec().qualifiedName()
              + " has no command "
              + name
              + Suggestion.advice(name, visible(at)));
      at = next;
    }
    at.usage(out(), at.getColorScheme());
    out().flush();
    return 0;
  }

  private int topic(CommandLine at, String name) {
    GroupedHelp help = new GroupedHelp(at.getCommandSpec(), at.getColorScheme());
    String text = help.topic(name);
    UsageException.when(
        text == null,
        "%s has no topic %s; its topics are %s"
            .formatted(
                at.getCommandSpec().qualifiedName(), name, String.join(", ", help.topics())));
    print(text);
    return 0;
  }

  private static List<String> visible(CommandLine commandLine) {
    return commandLine.getSubcommands().entrySet().stream()
        .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}

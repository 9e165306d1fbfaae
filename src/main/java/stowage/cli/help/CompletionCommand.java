package stowage.cli.help;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.importer.InputFormats;
import stowage.importer.own.Chips;
import stowage.liveness.LivenessOptions;
import stowage.network.Chip;
import stowage.planning.PlannerCatalogue;

/**
 * {@code stowage generate-completion}: a script by which bash and zsh complete commands, options
 * and their values, among them the names of planners and chips.
 */
@Command(
    name = "generate-completion",
    description = "Prints a script for bash and zsh that completes commands, options and values.",
    hidden = true)
public final class CompletionCommand extends BaseCommand {
  /** Values as help writes them, such as {@code none|views|elementwise}. */
  private static final Pattern WORDS = Pattern.compile("[a-z0-9_-]+(\\|[a-z0-9_-]+)+");

  private static final Map<String, Supplier<List<String>>> NAMES =
      Map.of(
          "--planner", CompletionCommand::planners,
          "--chip", () -> Chips.all().stream().map(Chip::name).toList(),
          "--concurrency", () -> List.of("in-order", "out-of-order", "branches", "streams=", "all"),
          "--objective", () -> List.of("peak", "reuse", "overflow", "banks", "traffic", "time"),
          "--memory", () -> List.of("gmem", "lmem", "l2"),
          "--in-place", CompletionCommand::inPlace,
          "--config", () -> List.of("default", "fast", "exhaustive"),
          "--format",
              () -> InputFormats.extensions().stream().map(name -> name.substring(1)).toList());

  @Override
  public Integer call() {
    CommandSpec root = spec.root();
    nameValues(root);
    print(AutoComplete.bash(root.name(), root.commandLine()) + "\n");
    return ExitCode.OK;
  }

  private static List<String> inPlace() {
    return Arrays.stream(LivenessOptions.InPlace.values())
        .map(mode -> mode.name().toLowerCase(Locale.ROOT))
        .toList();
  }

  private static List<String> planners() {
    return PlannerCatalogue.known().stream().map(PlannerCatalogue.Known::name).toList();
  }

  /** Gives every option and argument whose values are known their names, in place. */
  private static void nameValues(CommandSpec command) {
    for (OptionSpec option : new ArrayList<>(command.options())) {
      List<String> values = values(option, option.longestName());
      if (!values.isEmpty()) {
        command.remove(option);
        // The label names a variable of the script, which two options must not share.
        String label = option.longestName().replaceFirst("^-+", "");
        command.addOption(
            option.toBuilder().completionCandidates(values).paramLabel(label).build());
      }
    }
    for (PositionalParamSpec argument : new ArrayList<>(command.positionalParameters())) {
      List<String> values = values(argument, "");
      if (!values.isEmpty()) {
        command.remove(argument);
        command.addPositional(argument.toBuilder().completionCandidates(values).build());
      }
    }
    for (CommandLine child : command.subcommands().values()) {
      nameValues(child.getCommandSpec());
    }
  }

  private static List<String> values(ArgSpec argument, String name) {
    if (WORDS.matcher(argument.paramLabel()).matches()) {
      return Arrays.asList(argument.paramLabel().split("\\|"));
    }
    return NAMES.getOrDefault(name, List::of).get();
  }
}

package stowage.cli.help;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.Suggestion;

/** {@code stowage list}: what planners, chips, generators and schemas there are. */
@Command(name = "list", description = "Lists planners, chips, generators or JSON Schemas.")
public final class ListCommand extends BaseCommand {
  /** The command behind each kind of thing, which prints the list. */
  private static final Map<String, String> COMMANDS =
      new TreeMap<>(
          Map.of(
              "planners", "planners",
              "chips", "chips",
              "generators", "generate",
              "schemas", "schema"));

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "planners|chips|generators|schemas",
      description = "What to list (default: what there is to list).")
  String what;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "NAME",
      description = "The one planner, chip, generator or schema to show.")
  List<String> names = List.of();

  /** The command that lists a kind of thing; null where that is none. */
  public static String commandOf(String what) {
    return COMMANDS.get(what);
  }

  @Override
  public Integer call() {
    if (what != null) {
      throw new UsageException("unknown list " + what + Suggestion.advice(what, COMMANDS.keySet()));
    }
    COMMANDS.keySet().forEach(kind -> printLines("stowage list " + kind));
    return ExitCode.OK;
  }
}

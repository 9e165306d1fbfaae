package stowage.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import stowage.importer.io.Suggestion;

/** Message for an option or command that does not exist, with the one probably meant. */
public final class UnknownArgument {
  private UnknownArgument() {}

  /** One line that names the first unknown word; null where the fault is another. */
  public static String text(ParameterException wrong) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return null;
    }
    CommandSpec command = wrong.getCommandLine().getCommandSpec();
    String given = unmatched.getUnmatched().get(0);
    if (given.startsWith("-") && given.length() > 1) {
      String name = given.contains("=") ? given.substring(0, given.indexOf('=')) : given;
      return "unknown option %s of %s%s"
          .formatted(name, command.qualifiedName(), Suggestion.hint(name, names(command)));
    }
    List<String> commands = new ArrayList<>();
    command
        .subcommands()
        .forEach(
            (name, child) -> {
              if (!child.getCommandSpec().usageMessage().hidden()) {
                commands.add(name);
              }
            });
    return commands.isEmpty()
        ? "unexpected argument " + given + " of " + command.qualifiedName()
        : "unknown command " + given + Suggestion.advice(given, commands);
  }

  private static List<String> names(CommandSpec command) {
    List<String> names = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      for (String name : option.names()) {
        if (name.startsWith("--") && !option.hidden()) {
          names.add(name);
        }
      }
    }
    return names;
  }
}

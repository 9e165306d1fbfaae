package stowage.cli.terminal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import stowage.importer.io.Suggestion;

/** Messages for unknown commands, options and option values, with the probable meaning. */
public final class WrongArgument {
  private WrongArgument() {}

  /** One line on the first unknown option or command; null where the fault is another. */
  public static String unknown(ParameterException wrong) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return null;
    }
    CommandSpec command = wrong.getCommandLine().getCommandSpec();
    String given = unmatched.getUnmatched().get(0);
    if (given.startsWith("-") && given.length() > 1) {
      String name = given.contains("=") ? given.substring(0, given.indexOf('=')) : given;
      String asked = // the name of the one that compare stands for is shown nowhere else
          command.name().equals("waste")
              ? "stowage compare with several inputs"
              : command.qualifiedName();
      return "unknown option %s of %s%s"
          .formatted(name, asked, Suggestion.hint(name, names(command)));
    }
    List<String> commands = new ArrayList<>(command.subcommands().keySet());
    commands.removeIf(
        one -> command.subcommands().get(one).getCommandSpec().usageMessage().hidden());
    return commands.isEmpty()
        ? "unexpected argument " + given + " of " + command.qualifiedName()
        : "unknown command " + given + Suggestion.advice(given, commands);
  }

  /** One line on a unit that a space separates from an option's number; null for none. */
  public static String looseUnit(List<String> given) {
    for (int k = 1; k < given.size(); k++) {
      String before = (k > 1 ? given.get(k - 2) + " " : "") + given.get(k - 1);
      String unit = given.get(k);
      if (before.matches("(.* )?--[a-z-]+[ =][0-9.]+")
          && unit.matches("(?i)b|[kmgt](ib?|b)?|ms|s|h")
          && !Files.exists(Path.of(unit))) {
        String number = given.get(k - 1).replaceFirst(".*=", "");
        return "%s %s: a number and its unit are one word, %s%2$s".formatted(before, unit, number);
      }
    }
    return null;
  }

  private static List<String> names(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.hidden())
        .flatMap(option -> Arrays.stream(option.names()))
        .filter(name -> name.startsWith("--"))
        .toList();
  }

  /** The option, the value and the words it may have, as written; null for any other fault. */
  public static String choice(ParameterException wrong) {
    ArgSpec argument = wrong.getArgSpec();
    String value = wrong.getValue();
    Class<?>[] types = argument == null ? new Class<?>[0] : argument.auxiliaryTypes();
    if (value == null || types.length == 0 || !types[0].isEnum()) {
      return null;
    }
    List<String> words =
        Arrays.stream(types[0].getEnumConstants())
            .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
            .toList();
    String name =
        argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    return "%s %s should be one of %s%s"
        .formatted(name, value, String.join(", ", words), Suggestion.hint(value, words));
  }
}

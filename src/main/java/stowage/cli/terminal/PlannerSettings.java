package stowage.cli.terminal;

import java.lang.reflect.Member;
import java.util.List;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import stowage.importer.io.Suggestion;
import stowage.report.format.AlignedText;

/**
 * Options that single planners have, as keys of {@code --set KEY=VALUE}. Each key is a hidden
 * option of a class in the group {@link HelpGroup#SETTINGS}, so that {@code --set streams=2} and
 * {@code --streams 2} are the same.
 */
public final class PlannerSettings {
  public static final String SET = "--set";

  private PlannerSettings() {}

  /** The keys that a command takes, as the hidden options that they stand for. */
  public static List<OptionSpec> of(CommandSpec command) {
    return command.options().stream()
        .filter(option -> option.hidden() && option.userObject() instanceof Member)
        .filter(
            option -> {
              Class<?> owner = ((Member) option.userObject()).getDeclaringClass();
              HelpGroup group = owner.getAnnotation(HelpGroup.class);
              return group != null && group.value().equals(HelpGroup.SETTINGS);
            })
        .toList();
  }

  /** The options of a planner; none for most. */
  public static List<OptionSpec> of(CommandSpec command, String planner) {
    return of(command).stream()
        .filter(
            option ->
                planner.equals("openvino")
                    || planner.equals("ggml") && key(option).equals("largest-allocation"))
        .toList();
  }

  private static String key(OptionSpec option) {
    return option.longestName().substring("--".length());
  }

  /** Keys, values and meanings in columns within a width. */
  public static String text(List<OptionSpec> settings, int width) {
    AlignedText table = new AlignedText("ll");
    for (OptionSpec option : settings) {
      boolean flag = option.arity().max() == 0;
      table.row(
          key(option) + "=" + (flag ? "true" : option.paramLabel()),
          String.join(" ", option.description()).replace("%%", "%"));
    }
    return table.text("  ", width);
  }

  /** Consumer that puts {@code --KEY=VALUE} in place of {@code KEY=VALUE}. */
  public static final class Consumer implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> words, ArgSpec argument, CommandSpec command) {
      if (words.isEmpty()) {
        throw new ParameterException(command.commandLine(), SET + " needs KEY=VALUE");
      }
      String word = words.pop();
      int equals = word.indexOf('=');
      String key = equals < 0 ? word : word.substring(0, equals);
      List<String> keys = of(command).stream().map(PlannerSettings::key).toList();
      if (!keys.contains(key)) {
        throw new ParameterException(
            command.commandLine(),
            "%s: unknown key %s%s".formatted(SET, key, Suggestion.advice(key, keys)));
      }
      if (equals < 0) {
        throw new ParameterException(
            command.commandLine(), "%s %s should be %s=VALUE".formatted(SET, word, key));
      }
      words.push("--" + word);
    }
  }
}

package stowage.cli.terminal;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import stowage.importer.io.Suggestion;

/** What is said of a value that is none of an option's words. */
public final class ChoiceError {
  private ChoiceError() {}

  /**
   * The option, the value and the words it may have, as one writes them; null where the fault is
   * another.
   */
  public static String text(ParameterException wrong) {
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

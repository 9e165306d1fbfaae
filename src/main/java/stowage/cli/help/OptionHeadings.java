package stowage.cli.help;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import stowage.cli.terminal.HelpGroup;

/** Options of a command under the headings of {@link HelpGroup}. */
final class OptionHeadings {
  private static final List<String> ORDER =
      List.of(
          HelpGroup.PLANNING,
          HelpGroup.STANDARD,
          HelpGroup.INPUT,
          HelpGroup.MEMORY,
          HelpGroup.MEMORY_MAP,
          HelpGroup.LIMITS,
          HelpGroup.OUTPUT);

  private static final Set<String> OF_OUTPUT =
      Set.of("--out --json --markdown --help --help-all --version --export --quiet".split(" "));

  private OptionHeadings() {}

  /** The visible options by heading, in the order of help; each list as the command declares it. */
  static Map<String, List<OptionSpec>> of(CommandSpec command) {
    Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
    ORDER.forEach(heading -> groups.put(heading, new ArrayList<>()));
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        groups.computeIfAbsent(heading(option), name -> new ArrayList<>()).add(option);
      }
    }
    groups.values().removeIf(List::isEmpty);
    return groups;
  }

  private static String heading(OptionSpec option) {
    if (OF_OUTPUT.contains(option.longestName())) {
      return HelpGroup.OUTPUT;
    }
    HelpGroup own = null;
    if (option.userObject() instanceof AnnotatedElement element) {
      own = element.getAnnotation(HelpGroup.class);
      if (own == null
          && element instanceof Member member
          && !member.getDeclaringClass().isAnnotationPresent(Command.class)) {
        own = member.getDeclaringClass().getAnnotation(HelpGroup.class);
      }
    }
    return own == null ? HelpGroup.STANDARD : own.value();
  }
}

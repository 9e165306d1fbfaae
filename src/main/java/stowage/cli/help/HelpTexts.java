package stowage.cli.help;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Texts of help that belong to no option: examples of each command, environment variables, exit
 * codes and how values are written. They come from the resource {@code help.txt}, a section a
 * heading in brackets.
 */
public final class HelpTexts {
  private static final String FILE = "help.txt";

  private HelpTexts() {}

  /** The lines of a command's section, such as {@code [experiment run]}; empty without one. */
  public static List<String> examples(CommandSpec command) {
    String name = command.qualifiedName(" ");
    int first = name.indexOf(' ');
    return section(first < 0 ? name : name.substring(first + 1));
  }

  static List<String> section(String name) {
    return sections().getOrDefault(name, List.of());
  }

  static Map<String, List<String>> sections() {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    List<String> current = null;
    for (String line : text().lines().toList()) {
      if (line.startsWith("[") && line.endsWith("]")) {
        current = new ArrayList<>();
        sections.put(line.substring(1, line.length() - 1), current);
      } else if (current != null && !line.isBlank()) {
        current.add(line);
      }
    }
    return sections;
  }

  private static String text() {
    try (InputStream in = HelpTexts.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("resource stowage/cli/help/" + FILE + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}

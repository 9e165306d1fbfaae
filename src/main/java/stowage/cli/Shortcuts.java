package stowage.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import stowage.cli.help.ListCommand;
import stowage.importer.InputFormats;

/**
 * Short forms of command lines, which stand for those of commands of their own: {@code list chips}
 * for {@code chips}, several inputs of {@code compare} for {@code waste}, {@code verify} of a dump
 * alone, or of a pool or log of OpenVINO, for {@code audit}, a bare file for {@code show}.
 */
final class Shortcuts {
  private static final Set<String> KERNELS = Set.of("matmul", "attention", "convolution");

  private static final String POOL = "pool_type,layout";

  private static final String LOG = "GPU_Debug:";

  private Shortcuts() {}

  /** The command line that is meant, found without loading any command; else the same array. */
  static String[] expanded(String[] given) {
    if (given.length == 0) {
      return given;
    }
    String first = given[0];
    String second = given.length > 1 ? given[1] : "";
    List<String> rest = List.of(given).subList(1, given.length);
    switch (first) {
      case "list":
        String listed = ListCommand.commandOf(second);
        if (second.equals("generators") && rest.size() > 1 && !rest.get(1).startsWith("-")) {
          return words("generate", List.of("--describe", rest.get(1)));
        }
        return listed == null ? given : words(listed, rest.subList(1, rest.size()));
      case "generate":
        return KERNELS.contains(second) ? words("generate-kernel", rest) : given;
      case "experiment":
        return second.equals("bench") ? words("bench", rest.subList(1, rest.size())) : given;
      case "explain":
        List<String> asked = new ArrayList<>(rest);
        return asked.remove("--waits") ? words("dependencies", asked) : given;
      case "verify":
        boolean alone =
            rest.stream().allMatch(word -> word.equals(second) || word.equals("--json"));
        boolean dump =
            alone && isFile(second) && InputFormats.dumpFormatOf(Path.of(second)) != null;
        return dump || isPool(second) ? words("audit", rest) : given;
      case "compare":
        return inputs(given) > 1 ? words("waste", rest) : given;
      default:
        return isInput(first) ? words("show", List.of(given)) : given;
    }
  }

  private static String[] words(String command, List<String> rest) {
    return Stream.concat(Stream.of(command), rest.stream()).toArray(String[]::new);
  }

  /** Whether a word names an input, which may be missing: the command then says so. */
  private static boolean isInput(String word) {
    String name = word.toLowerCase(Locale.ROOT);
    return !word.startsWith("-") && InputFormats.extensions().stream().anyMatch(name::endsWith);
  }

  private static boolean isFile(String word) {
    return isInput(word) && Files.isRegularFile(Path.of(word));
  }

  /** Whether a file is a memory pool or a log of OpenVINO's GPU plugin, by its first line. */
  private static boolean isPool(String word) {
    if (word.startsWith("-") || !Files.isRegularFile(Path.of(word))) {
      return false;
    }
    try (BufferedReader reader =
        Files.newBufferedReader(Path.of(word), StandardCharsets.ISO_8859_1)) {
      char[] begin = new char[POOL.length()];
      String text = new String(begin, 0, Math.max(0, reader.read(begin)));
      return text.equals(POOL) || text.startsWith(LOG);
    } catch (IOException unreadable) {
      return false; // the command says why
    }
  }

  private static long inputs(String[] given) {
    long count = 0;
    for (int k = 1; k < given.length; k++) {
      boolean value = given[k - 1].startsWith("--") && !given[k - 1].contains("=");
      count += isInput(given[k]) && (!value || given[k - 1].equals("--json")) ? 1 : 0;
    }
    return count;
  }
}

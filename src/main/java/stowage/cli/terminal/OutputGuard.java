package stowage.cli.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Guard of a command's files: before any work is done, no file that the command line names to be
 * read may be one that the command will write, and what it will write has a folder. Files are
 * compared, not names, so links do no harm.
 */
public final class OutputGuard {
  /** Folders below an output folder that hold files of an answer. */
  private static final int DEPTH = 2;

  private OutputGuard() {}

  /**
   * Compares all inputs with all outputs of a command line, and looks for the outputs' folders.
   *
   * @throws OutputException for a file in a folder that does not exist and is not made first
   */
  public static void check(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    Writes answers = last.commandSpec().userObject().getClass().getAnnotation(Writes.class);
    List<Path> inputs = new ArrayList<>();
    List<ArgSpec> outputs = new ArrayList<>();
    for (ArgSpec argument : given(last)) {
      if (argument.userObject() instanceof Field field && field.isAnnotationPresent(Writes.class)) {
        outputs.add(argument);
      } else {
        addFiles(argument.getValue(), inputs);
      }
    }
    for (ArgSpec argument : outputs) {
      boolean folder = answers != null && argument.paramLabel().equals("DIR");
      for (Path place : places(argument.getValue())) {
        for (Path input : inputs) {
          if (folder ? isWrittenInto(place, answers.value(), input) : isSame(place, input)) {
            throw overwriting(((OptionSpec) argument).longestName(), input);
          }
        }
        if (argument.paramLabel().equals("FILE") && !hasFolder(place, outputs)) {
          throw new OutputException(place, new NoSuchFileException(place.toString()));
        }
      }
    }
  }

  /** Whether the folder of a file exists, or one of the outputs is a folder around it. */
  private static boolean hasFolder(Path file, List<ArgSpec> outputs) {
    Path place = file.toAbsolutePath().normalize();
    return Files.exists(place.getParent())
        || outputs.stream()
            .filter(output -> output.paramLabel().equals("DIR"))
            .flatMap(output -> places(output.getValue()).stream())
            .anyMatch(folder -> place.getParent().equals(folder.toAbsolutePath().normalize()));
  }

  /** Makes sure that an output with a name of the command's own does not take its input's place. */
  public static void check(Path output, Path input) {
    if (isSame(output, input)) {
      throw overwriting("--out", input);
    }
  }

  private static UsageException overwriting(String option, Path input) {
    return new UsageException(
        option + " would write over the input " + input + "; give it another name or folder");
  }

  private static Set<ArgSpec> given(ParseResult parsed) {
    Set<ArgSpec> given = new LinkedHashSet<>(parsed.matchedPositionals());
    given.addAll(parsed.matchedOptions());
    return given;
  }

  private static List<Path> places(Object value) {
    if (value instanceof Path path) {
      return List.of(path);
    }
    return value == null || value.equals("-") ? List.of() : List.of(Path.of(value.toString()));
  }

  /** Adds the files that a value names, be it one, many, or a part as in {@code streams=FILE}. */
  private static void addFiles(Object value, List<Path> files) {
    if (value instanceof Collection<?> many) {
      many.forEach(one -> addFiles(one, files));
    } else if (value instanceof Map<?, ?> map) {
      addFiles(map.values(), files);
    } else if (value instanceof Path || value instanceof String) {
      String text = value.toString();
      for (String name : new TreeSet<>(List.of(text, text.substring(text.indexOf('=') + 1)))) {
        try {
          Path file = Path.of(name);
          if (Files.isRegularFile(file)) {
            files.add(file);
          }
        } catch (InvalidPathException notOne) {
          // A value of another kind.
        }
      }
    }
  }

  private static boolean isSame(Path file, Path input) {
    try {
      return Files.exists(file) && Files.exists(input) && Files.isSameFile(file, input);
    } catch (IOException unreadable) {
      return file.toAbsolutePath().normalize().equals(input.toAbsolutePath().normalize());
    }
  }

  /** Whether one of the files of an answer that are in the folder already is the input. */
  private static boolean isWrittenInto(Path folder, String[] patterns, Path input) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    List<PathMatcher> matchers =
        Arrays.stream(patterns)
            .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
            .toList();
    try (Stream<Path> inside = Files.find(folder, DEPTH, (path, kind) -> !kind.isDirectory())) {
      return inside.anyMatch(
          path ->
              matchers.stream().anyMatch(matcher -> matcher.matches(folder.relativize(path)))
                  && isSame(path, input));
    } catch (IOException | UncheckedIOException unreadable) {
      return false; // the command says what is wrong with the folder
    }
  }
}

package stowage.exact.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finder of solver settings: files that come with the program under {@code solver-configs}, by
 * name, or files of the user's, by path.
 *
 * <p>One name serves both engines: {@code fast} is {@code fast.textproto} for CP-SAT and {@code
 * fast.json} for Choco. A path serves the engine that its ending belongs to; the other then takes
 * its default settings.
 */
public final class SolverConfigs {
  private static final List<String> NAMES =
      List.of("default", "fast", "exhaustive", "deterministic", "bottom-left", "learning");
  private static final List<String> ENDINGS = List.of("textproto", "json");

  private SolverConfigs() {}

  /** One engine's settings: where they come from, and what the file holds. */
  public record Settings(String name, String text) {}

  /** The names of the settings that come with the program. */
  public static List<String> names() {
    return NAMES;
  }

  /** Makes sure, before an engine needs them, that settings can be read; a fault says why not. */
  public static void check(String nameOrPath) {
    ENDINGS.forEach(ending -> read(nameOrPath, ending));
  }

  /** Reads settings of a name or path with this ending; a fault of one line says there are none. */
  public static Settings read(String nameOrPath, String ending) {
    for (String known : ENDINGS) {
      if (nameOrPath.endsWith("." + known)) {
        return known.equals(ending)
            ? ofFile(Path.of(nameOrPath))
            : ofResource(EngineOptions.DEFAULT_CONFIG, ending);
      }
    }
    if (!NAMES.contains(nameOrPath)) {
      throw new IllegalArgumentException(
          "settings \"%s\" are not known; known are %s, and paths of .textproto or .json files"
              .formatted(nameOrPath, String.join(", ", NAMES)));
    }
    return ofResource(nameOrPath, ending);
  }

  private static Settings ofFile(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new IllegalArgumentException("settings file " + path + ": no such file");
    }
    try {
      return new Settings(path.toString(), Files.readString(path));
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "settings file " + path + " cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }

  private static Settings ofResource(String name, String ending) {
    String file = "solver-configs/" + name + "." + ending;
    try (InputStream in = SolverConfigs.class.getResourceAsStream("/" + file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing from the program");
      }
      return new Settings(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException broken) {
      throw new IllegalStateException(file + " cannot be read", broken);
    }
  }
}

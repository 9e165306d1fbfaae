package stowage.importer.own;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.Suggestion;
import stowage.network.Chip;

/** The chips that come with Stowage, and those that users describe in files of their own. */
public final class Chips {
  private static final String FOLDER = "/stowage/chips/";

  private static final List<String> NAMES =
      List.of(
          ("bm1684 bm1684x bm1684x2 bm1688 bm1690 bm1690e bm1880v2 cv180x cv181x cv184x cv186x"
                  + " sg2380 sgtpuv8")
              .split(" "));

  private Chips() {}

  /** The names of the chips that come with Stowage, in alphabetical order. */
  public static List<String> names() {
    return NAMES;
  }

  /** The chips that come with Stowage, in the order of their names. */
  public static List<Chip> all() {
    return NAMES.stream().map(Chips::bundled).toList();
  }

  /**
   * A chip by name, without regard to case, or from a file: whatever ends in {@code .json} or holds
   * a separator of folders is a file.
   *
   * @throws InputException when there is no such chip or file, or the file is wrong
   */
  public static Chip load(String nameOrFile) {
    String name = nameOrFile.toLowerCase(Locale.ROOT);
    if (NAMES.contains(name)) {
      return bundled(name);
    }
    Path file;
    try {
      file = Path.of(nameOrFile);
    } catch (InvalidPathException noPath) {
      throw unknown(nameOrFile);
    }
    if (name.endsWith(".json") || file.getNameCount() > 1 || Files.isRegularFile(file)) {
      return ChipJson.read(file);
    }
    throw unknown(nameOrFile);
  }

  private static InputException unknown(String name) {
    String what = "unknown chip %s; known are %s, or a file that ends in .json%s";
    String hint = Suggestion.hint(name, NAMES);
    return InputException.misuse(what, name, String.join(", ", NAMES), hint);
  }

  private static Chip bundled(String name) {
    String resource = FOLDER + name + ".json";
    try (InputStream bytes = Chips.class.getResourceAsStream(resource)) {
      if (bytes == null) {
        throw new IllegalStateException("the class path lacks " + resource);
      }
      return ChipJson.read(Path.of(name + ".json"), bytes);
    } catch (IOException failure) {
      throw InputFiles.unreadable(Path.of(name + ".json"), failure);
    }
  }
}

package stowage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** What tests with files share: a folder of each test's own. */
public abstract class FolderTest {
  @TempDir protected Path folder;

  /** The files in a folder and below it whose paths end in some letters, in their order. */
  public static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .toList();
    }
  }

  /** The names of what is in a folder, in their order. */
  public static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Writes a file of the folder, as bytes or as text. */
  protected final Path file(String name, Object content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(
        file,
        content instanceof byte[] bytes
            ? bytes
            : content.toString().getBytes(StandardCharsets.UTF_8));
  }
}

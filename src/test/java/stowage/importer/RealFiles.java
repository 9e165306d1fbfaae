package stowage.importer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Public model files that are beside the project, if they do: {@code -Dstowage.data=DIR}. */
public final class RealFiles {
  private RealFiles() {}

  /** One file; the test is skipped where it is absent. */
  public static Path file(String name) {
    Path path = Path.of(System.getProperty("stowage.data", "../shared/data"), "networks", name);
    Assumptions.assumeTrue(Files.exists(path), "no public data at " + path);
    return path;
  }

  /** The files of a folder in the order of their names. */
  public static List<Path> all(String folder) throws IOException {
    try (Stream<Path> files = Files.list(file(folder))) {
      return files.sorted().toList();
    }
  }
}

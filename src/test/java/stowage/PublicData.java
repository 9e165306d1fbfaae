package stowage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Public files that are beside the project, if they are: {@code -Dstowage.data=DIR}. */
public final class PublicData {
  private PublicData() {}

  /** A file or folder; the test is skipped where it is absent. */
  public static Path at(String name) {
    Path path = Path.of(System.getProperty("stowage.data", "../shared/data"), name);
    Assumptions.assumeTrue(Files.exists(path), "no public data at " + path);
    return path;
  }

  /** A model. */
  public static Path network(String name) {
    return at("networks/" + name);
  }

  /** The models of a folder in the order of their names. */
  public static List<Path> networks(String folder) throws IOException {
    return all("networks/" + folder, "");
  }

  /** The files of a folder that end in some letters, in the order of their names. */
  public static List<Path> all(String folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(at(folder))) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }
}

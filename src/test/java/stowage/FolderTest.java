package stowage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** What tests with files share: a folder of each test's own. */
public abstract class FolderTest {
  @TempDir protected Path folder;

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

package stowage.importer.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Standard input, or another pipe, as a file: readers look at a file's beginning before they read
 * it, and some hand its name on. The bytes are read to their end first, so that the copy exists for
 * no longer than reading takes.
 */
public final class PipedInput implements AutoCloseable {
  private static final Path STDIN = Path.of("-");

  private final Path given;
  private final Path copy;

  private PipedInput(Path given, Path copy) {
    this.given = given;
    this.copy = copy;
  }

  /** Whether a name is {@code -}, or that of something other than a file or folder. */
  public static boolean isPipe(Path file) {
    return isStdin(file)
        || (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file));
  }

  private static boolean isStdin(Path file) {
    return file.equals(STDIN);
  }

  /**
   * Reads a pipe to its end.
   *
   * @param extension that the copy's name gets, with the dot
   * @throws InputException when it cannot be read, holds more than 2 GiB, or no copy can be made
   */
  public static PipedInput of(Path given, String extension) {
    try {
      byte[] bytes;
      try (InputStream in = isStdin(given) ? System.in : InputFiles.open(given)) {
        bytes = in.readNBytes(Integer.MAX_VALUE - 8);
        if (in.read() >= 0) {
          throw new InputException(given, "", "has more than 2 GiB, which no pipe may have");
        }
      }
      String name = isStdin(given) ? "stdin" : String.valueOf(given.getFileName());
      Path folder = Files.createTempDirectory("stowage-input-");
      Path copy = folder.resolve(name.endsWith(extension) ? name : name + extension);
      return new PipedInput(given, Files.write(copy, bytes));
    } catch (IOException failure) {
      throw InputFiles.unreadable(given, failure);
    }
  }

  /** The copy to read. */
  public Path file() {
    return copy;
  }

  /** The same failure, notified of the pipe in place of the copy. */
  public InputException ofPipe(InputException ofCopy) {
    return ofCopy.about(copy, given);
  }

  /** Removes the copy. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(copy);
      Files.deleteIfExists(copy.getParent());
    } catch (IOException left) {
      // The system clears its folder of temporary files; the answer is right all the same.
    }
  }
}

package stowage.importer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Opens input files, and says in one line why one cannot be opened or read. */
public final class InputFiles {
  private InputFiles() {}

  /**
   * Opens a file for reading; the stream is not buffered.
   *
   * @throws InputException when it is missing, a folder, or may not be read
   */
  public static InputStream open(Path file) {
    if (Files.isDirectory(file)) {
      throw new InputException(file, "", "is a folder; it should be a file");
    }
    try {
      return Files.newInputStream(file);
    } catch (IOException failure) {
      throw unreadable(file, failure);
    }
  }

  /**
   * The bytes of a whole file.
   *
   * @throws InputException when it cannot be read, or is larger than an array can be (2 GiB)
   */
  public static byte[] readAllBytes(Path file) {
    try (InputStream in = open(file)) {
      long size = Files.size(file);
      if (size > Integer.MAX_VALUE - 8) {
        throw new InputException(file, "", "has " + size + " bytes; at most 2 GiB can be read");
      }
      return in.readAllBytes();
    } catch (IOException failure) {
      throw unreadable(file, failure);
    }
  }

  /** The error for a failure to open or read a file. */
  public static InputException unreadable(Path file, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return new InputException(file, "", "no such file", failure);
    }
    if (failure instanceof AccessDeniedException) {
      return new InputException(file, "", "may not be read (permission denied)", failure);
    }
    return new InputException(file, "", "cannot be read: " + failure.getMessage(), failure);
  }
}

package stowage.cli.terminal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * Failure to write an answer where it was asked for. The message is one line that names the place
 * and the reason; the command line prints it and ends with exit code 3.
 */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** */
  public OutputException(Path place, IOException failure) {
    super(place + ": cannot be written: " + reason(failure), failure);
  }

  /** What went wrong, in words, since exceptions whose message is a path alone are common. */
  public static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException missing) {
      Path folder = Path.of(missing.getFile()).toAbsolutePath().getParent();
      return Files.isDirectory(folder)
          ? "nothing can be made in " + folder
          : "folder " + folder + " does not exist";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "is a file; it should be a folder";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof NotDirectoryException inside) {
      return inside.getFile() + " is not a folder";
    }
    if (failure instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return String.valueOf(failure.getMessage());
  }
}

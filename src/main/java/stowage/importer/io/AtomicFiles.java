package stowage.importer.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writer of files so that no one ever sees half of one: the bytes go to a temporary name in the
 * same folder, which is moved over the wanted name once all are written. The former folder stays
 * when anything fails on the way.
 */
public final class AtomicFiles {
  private static final int BUFFER_BYTES = 1 << 16;

  private AtomicFiles() {}

  /** Writer of a file's content to a stream; the stream is closed by the caller. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file, replacing the former file.
   *
   * <p>A target that is no regular file, such as {@code /dev/stdout} or a pipe, is written to
   * directly. A symbolic link stays one; what it points to is replaced.
   *
   * @param target the wanted name; its folder must exist
   * @throws IOException when writing fails; nothing of the new content is left then
   */
  public static void write(Path target, Content content) throws IOException {
    if (Files.isDirectory(target)) {
      throw new FileSystemException(target.toString(), null, "is a folder; it should be a file");
    }
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
        content.writeTo(out);
      }
      return;
    }
    Path wanted = Files.exists(target) ? target.toRealPath() : target;
    Path temporary = freshName(wanted);
    try {
      try (OutputStream out =
          new BufferedOutputStream(Files.newOutputStream(temporary), BUFFER_BYTES)) {
        content.writeTo(out);
      }
      try {
        Files.move(
            temporary, wanted, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException notHere) {
        Files.move(temporary, wanted, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Writes a text as UTF-8, replacing the former file. */
  public static void writeString(Path target, String text) throws IOException {
    write(target, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Creates an empty file next to the target. Not by {@link Files#createTempFile}, which would
   * leave the result readable by its owner alone.
   */
  private static Path freshName(Path target) throws IOException {
    long process = ProcessHandle.current().pid();
    long thread = Thread.currentThread().getId();
    return Files.createFile(
        target.resolveSibling(
            ".%s.%s-%s-%x.tmp"
                .formatted(target.getFileName(), process, thread, System.nanoTime())));
  }
}

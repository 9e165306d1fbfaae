package stowage.report.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Check of whether a stream goes to a terminal. */
public final class Terminal {
  private Terminal() {}

  /**
   * Whether stderr goes to a terminal. Linux says by what descriptor 2 points to; elsewhere the
   * JVM's console stands in for it.
   */
  public static boolean isErrorStream() {
    Path descriptor = Path.of("/proc/self/fd/2");
    if (Files.isSymbolicLink(descriptor)) {
      try {
        String target = Files.readSymbolicLink(descriptor).toString();
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
      } catch (IOException unreadable) {
        return false;
      }
    }
    return System.console() != null;
  }
}

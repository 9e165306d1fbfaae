package stowage.experiment.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a run took place: operating system and architecture, cores that the process may use, and
 * the machine's bytes of memory (0: the system does not say).
 */
public record Machine(String host, String system, String processor, int cores, long memoryBytes) {
  private static final int BYTES_PER_KB = 1024;

  public static Machine current() {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    return new Machine(
        hostName(),
        system,
        field(Path.of("/proc/cpuinfo"), "model name", system),
        Runtime.getRuntime().availableProcessors(),
        kilobytes(Path.of("/proc/meminfo"), "MemTotal") * BYTES_PER_KB);
  }

  private static String hostName() {
    String host = lines(Path.of("/proc/sys/kernel/hostname")).stream().findFirst().orElse("");
    if (!host.isBlank()) {
      return host.strip();
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "unknown";
    }
  }

  /** The first value of a field of one of Linux's {@code key: value} files. */
  static String field(Path file, String key, String absent) {
    for (String line : lines(file)) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
        return line.substring(colon + 1).strip();
      }
    }
    return absent;
  }

  /** A field in kB as a number; 0 where it is absent. */
  static long kilobytes(Path file, String key) {
    String value = field(file, key, "0").replace("kB", "").strip();
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException odd) {
      return 0;
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException | RuntimeException absent) {
      return List.of(); // not Linux, or a process that has ended
    }
  }
}

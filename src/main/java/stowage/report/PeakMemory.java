package stowage.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The most memory this process has held so far. */
public final class PeakMemory {
  private static final Path STATUS = Path.of("/proc/self/status");

  private PeakMemory() {}

  /**
   * Bytes of the largest resident set so far, native solvers included, where the system says
   * (Linux: {@code VmHWM} of proc(5)); elsewhere the sum of the JVM's own pools at their peaks.
   */
  public static long bytes() {
    long resident = residentBytes(STATUS);
    if (resident >= 0) {
      return resident;
    }
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .mapToLong(pool -> pool.getPeakUsage() == null ? 0 : pool.getPeakUsage().getUsed())
        .sum();
  }

  /** {@code VmHWM} of a status file in bytes; -1 when there is none. */
  static long residentBytes(Path status) {
    try {
      for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith("VmHWM:")) {
          String digits = line.replaceAll("[^0-9]", "");
          return digits.isEmpty() ? -1 : Long.parseLong(digits) * 1024;
        }
      }
    } catch (IOException unreadable) {
      return -1;
    }
    return -1;
  }
}

package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeakMemoryTest {

  @Test
  void readsTheHighWaterMarkInBytes(@TempDir Path folder) throws IOException {
    Path status = folder.resolve("status");
    Files.writeString(
        status, "Name:\tjava\nVmPeak:\t  9000 kB\nVmHWM:\t  5124 kB\nVmRSS:\t 1 kB\n");
    assertEquals(5124L * 1024, PeakMemory.residentBytes(status));
  }

  @Test
  void knowsWhenTheSystemDoesNotTell(@TempDir Path folder) throws IOException {
    Path status = folder.resolve("status");
    assertEquals(-1, PeakMemory.residentBytes(status));
    Files.writeString(status, "Name:\tjava\n");
    assertEquals(-1, PeakMemory.residentBytes(status));
  }

  @Test
  void thisProcessHoldsSomething() {
    assertTrue(PeakMemory.bytes() > 1 << 20, "a JVM holds more than a MiB");
  }
}

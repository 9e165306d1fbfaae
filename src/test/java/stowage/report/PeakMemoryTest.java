package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;

class PeakMemoryTest extends FolderTest {

  @Test
  void readsTheHighWaterMarkInBytes() throws IOException {
    String status = "Name:\tjava\nVmPeak:\t  9000 kB\nVmHWM:\t  5124 kB\nVmRSS:\t 1 kB\n";
    assertEquals(5124L * 1024, PeakMemory.residentBytes(file("status", status)));
  }

  @Test
  void knowsWhenTheSystemDoesNotTell() throws IOException {
    assertEquals(-1, PeakMemory.residentBytes(folder.resolve("status")));
    assertEquals(-1, PeakMemory.residentBytes(file("status", "Name:\tjava\n")));
  }

  @Test
  void thisProcessHoldsSomething() {
    assertTrue(PeakMemory.bytes() > 1 << 20, "a JVM holds more than a MiB");
  }
}

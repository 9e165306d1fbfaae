package stowage.importer.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.Refusals;

class AllocationLogTest extends FolderTest {
  /** The four lines of the plugin's documentation, which begin in the middle of a run. */
  private static final String DOCUMENTED =
      """
      GPU_Debug: Allocate 58982400 bytes of usm_host allocation type (current=117969612; max=117969612)
      GPU_Debug: Allocate 44621568 bytes of usm_device allocation type (current=44626380; max=44626380)
      GPU_Debug: Allocate 44236800 bytes of usm_host allocation type (current=162206412; max=162206412)
      GPU_Debug: Allocate 14873856 bytes of usm_device allocation type (current=59500236; max=59500236)
      """;

  private AllocationLog read(String text) throws IOException {
    return AllocationLog.read(file("gpu.log", text));
  }

  @Test
  void theDocumentedLinesHold() throws IOException {
    AllocationLog log = read(DOCUMENTED + "something else\n");
    assertEquals(List.of(), log.faults());
    assertEquals(
        new AllocationLog.Type(2, 103219200, 162206412, 162206412), log.types().get("usm_host"));
    assertEquals(
        new AllocationLog.Type(2, 59495424, 59500236, 59500236), log.types().get("usm_device"));
  }

  @Test
  void newerLinesNameThePointer() throws IOException {
    String line =
        "[GPU] Allocate 10 bytes of usm_host allocation type ptr = 0x7f00 (current=10; max=10)\n";
    assertEquals(new AllocationLog.Type(1, 10, 10, 10), read(line).types().get("usm_host"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "current=162206412; max=162206412 | current=1; max=2 | line 3: current=1 is less",
        "current=162206412 | current=162206413 | line 3: max=162206412 is less",
        "(current=162206412; max=162206412 | (current=162206499; max=162206499 | is more than",
        "max=59500236 | max=59500237 | line 4: max=59500237 should be 59500236"
      })
  void contradictionsAreNamedByLine(String good, String bad, String fault) throws IOException {
    List<String> faults = read(DOCUMENTED.replace(good, bad)).faults();
    assertEquals(1, faults.size(), faults.toString());
    assertTrue(faults.get(0).contains(fault), faults.toString());
  }

  @Test
  void whatHasNoSuchLineIsRefused() {
    Refusals.input(() -> read("nothing\n"));
  }
}

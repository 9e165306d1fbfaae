package stowage.importer.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.Refusals;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.io.PackingBaseline;
import stowage.importer.io.ToolDump;
import stowage.packing.Buffer;

/** Snapshots of PyTorch: lives, what was held at most, pools, and pickles that are refused. */
class SnapshotFormatTest {
  @TempDir Path folder;

  private Path written(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("snapshot.pickle"), bytes);
  }

  private static List<String> buffers(Input.Packing input) {
    List<String> lines = new ArrayList<>();
    for (Buffer buffer : input.problem().buffers()) {
      lines.add(buffer.id() + " " + buffer.size() + " " + buffer.live());
    }
    return lines.stream().sorted().toList();
  }

  @Test
  void livesAndReservedMemoryComeFromTheTrace() throws IOException {
    Path file = written(SnapshotSamples.pickle(SnapshotSamples.everything()));
    Input.Packing input = (Input.Packing) InputFormats.read(file);
    assertEquals(
        List.of(
            "7f0000000000 500 [0, 9)",
            "7f0000000400 500 [0, 1)",
            "7f0000000800 1000 [3, 6)",
            "7f0000001000 600 [5, 9)"),
        buffers(input));
    PackingBaseline baseline = input.baseline().orElseThrow();
    assertEquals(List.of(8192L + 4096), baseline.bytes());
    assertEquals(PackingBaseline.VALID, baseline.status(input.problem()));
    assertEquals(512, input.problem().memories().get(0).alignment());
    ToolDump dump = new SnapshotFormat().open(file, InputFormat.Options.DEFAULT);
    assertEquals(
        List.of("device0", "device0/stream7"),
        dump.parts().stream().map(ToolDump.Part::name).toList());
    assertEquals(
        List.of("7f0000080000 64 [4, 9)"),
        buffers(
            (Input.Packing)
                InputFormats.read(file, InputFormat.Options.ofModule("device0/stream7"))));
  }

  @Test
  void aSnapshotWithoutATraceIsOneMoment() throws IOException {
    Path file = written(SnapshotSamples.pickle(SnapshotSamples.everything().get("segments")));
    Input.Packing input = (Input.Packing) InputFormats.read(file);
    assertEquals(List.of("7f0000000000 500 [0, 1)", "7f0000001000 1012 [0, 1)"), buffers(input));
    assertEquals(List.of(8192L), input.baseline().orElseThrow().bytes());
  }

  @Test
  void overlappingAllocationsAreFound() throws IOException {
    List<Object> trace =
        List.of(
            SnapshotSamples.event("alloc", 0, 1024, 0),
            SnapshotSamples.event("alloc", 512, 512, 0));
    Map<String, Object> snapshot = Map.of("segments", List.of(), "device_traces", List.of(trace));
    Input.Packing input =
        (Input.Packing) InputFormats.read(written(SnapshotSamples.pickle(snapshot)));
    String status = input.baseline().orElseThrow().status(input.problem());
    assertTrue(!status.equals(PackingBaseline.VALID), status);
  }

  @Test
  void nothingIsLookedUpOrCalled() throws IOException {
    refused("cos\nsystem\n(S'true'\ntR.", "byte 0: contains a class or function");
    refused("\u0080\u0004\u008c\u0002os\u008c\u0006system\u0093.", "contains a class or function");
    refused("\u0080\u0002}q\u0000b.", "contains a class or function");
  }

  @Test
  void damagedPicklesAreNamedWithTheirPlace() throws IOException {
    refused("", "cut short");
    refused("\u0080\u0004]\u0094", "cut short");
    refused("(dp0\n.", "0x64 is no instruction");
    refused("\u0080\u0004}a.", "takes a value from an empty stack");
    refused("\u0080\u0004Ne.", "byte 3: goes back to a mark");
    refused("\u0080\u0004NNa.", "appends to what is no list");
    refused("\u0080\u0004h\u0007.", "asks for value 7 of 0");
    refused("\u0080\u0004N.", "no \"segments\"");
    refused("\u0080\u0004]r\u00ff\u00ff\u00ff\u00ff.", "numbers a value");
  }

  private void refused(String pickle, String part) throws IOException {
    Path file = written(pickle.getBytes(StandardCharsets.ISO_8859_1));
    Refusals.says(InputException.class, () -> InputFormats.read(file), part);
  }
}

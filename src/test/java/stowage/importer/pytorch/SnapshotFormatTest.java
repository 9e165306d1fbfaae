package stowage.importer.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.importer.io.PackingBaseline;
import stowage.importer.io.ToolDump;
import stowage.packing.Buffers;

/** Snapshots of PyTorch: lives, what was held at most, pools, and pickles that are refused. */
class SnapshotFormatTest extends ImporterTest {
  SnapshotFormatTest() {
    super("snapshot.pickle");
  }

  private static List<String> buffers(Input.Packing input) {
    return Buffers.liveRanges(input.problem()).stream().sorted().toList();
  }

  @Test
  void livesAndReservedMemoryComeFromTheTrace() throws IOException {
    Path file = write(SnapshotSamples.pickle(SnapshotSamples.everything()));
    Input.Packing input = packing(file);
    assertEquals(
        List.of(
            "7f0000000000 500 [0, 9)",
            "7f0000000400 500 [0, 1)",
            "7f0000000800 1000 [3, 6)",
            "7f0000001000 600 [5, 9)"),
        buffers(input));
    PackingBaseline baseline = input.baseline().orElseThrow();
    assertEquals(List.of(8192L + 4096), baseline.bytes());
    assertEquals(PackingBaseline.VALID, status(input));
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
    Path file = write(SnapshotSamples.pickle(SnapshotSamples.everything().get("segments")));
    Input.Packing input = packing(file);
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
    assertNotEquals(PackingBaseline.VALID, status(packing(SnapshotSamples.pickle(snapshot))));
  }

  private static byte[] latin(String pickle) {
    return pickle.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void nothingIsLookedUpOrCalled() throws IOException {
    refused(latin("cos\nsystem\n(S'true'\ntR."), "byte 0: contains a class or function");
    refused(
        latin("\u0080\u0004\u008c\u0002os\u008c\u0006system\u0093."),
        "contains a class or function");
    refused(latin("\u0080\u0002}q\u0000b."), "contains a class or function");
  }

  @Test
  void damagedPicklesAreNamedWithTheirPlace() throws IOException {
    refused(latin(""), "cut short");
    refused(latin("\u0080\u0004]\u0094"), "cut short");
    refused(latin("(dp0\n."), "0x64 is no instruction");
    refused(latin("hello"), "; a pickle of protocol 2 or later begins with byte 0x80");
    refused(latin("\u0080\u0004}a."), "takes a value from an empty stack");
    refused(latin("\u0080\u0004Ne."), "byte 3: goes back to a mark");
    refused(latin("\u0080\u0004NNa."), "appends to what is no list");
    refused(latin("\u0080\u0004h\u0007."), "asks for value 7 of 0");
    refused(latin("\u0080\u0004N."), "no \"segments\"");
    refused(latin("\u0080\u0002}U\bsegments]s."), "\"device_traces\" with anything in them");
    refused(latin("\u0080\u0004]r\u00ff\u00ff\u00ff\u00ff."), "numbers a value");
    refused(latin("\u0080\u0004\u008b\0\u0001\0\0."), "an integer of 256 bytes");
    refused(latin("\u0080\u0004\u008b\u00ff\u00ff\u00ff\u00ff."), "an integer of 4294967295");
  }

  @Test
  void tuplesAreListsAndBytesAreSkipped() throws IOException {
    String values =
        "K\u0001\u0085K\u0002K\u0003\u0086K\u0004K\u0005K\u0006\u0087B\u0003\0\0\0abcC\u0001x"
            + "\u008e\u0002\0\0\0\0\0\0\0xyK\u0007)";
    Path file = write(latin("\u0080\u0004](" + values + "e."));
    assertEquals(
        List.of(List.of(1L), List.of(2L, 3L), List.of(4L, 5L, 6L), "", "", "", 7L, List.of()),
        PickleReader.read(file, List.of(), UnaryOperator.identity()));
    refused(latin("\u0080\u0004K\u0001\u0086."), "byte 4: takes a value from an empty stack");
    refused(latin("\u0080\u0004K\u0001(\u0085."), "byte 5: takes a value from an empty stack");
    refused(latin("\u0080\u0004B\u0009\0\0\0abc."), "cut short");
    refused(latin("\u0080\u0004\u008e\0\0\0\0\0\0\0\u0080."), "should be below 2^63");
  }
}

package stowage.importer.xla;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.xla.XlaSamples.allocation;
import static stowage.importer.xla.XlaSamples.hlo;
import static stowage.importer.xla.XlaSamples.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.io.PackingBaseline;
import stowage.importer.io.ToolDump;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;

/** Buffer assignments of XLA: what is planned, its lives, XLA's own plan, and what is refused. */
class XlaFormatTest extends ImporterTest {
  XlaFormatTest() {
    super("module.pb");
  }

  @Test
  void temporariesAloneArePlannedByTheirTrace() throws IOException {
    Input.Packing input = packing(XlaSamples.everything("jit_f"));
    PackingProblem problem = input.problem();
    assertEquals("jit_f", problem.name());
    assertEquals(
        List.of("5 16 [0, 8)", "1:op1 250 [0, 6)", "2:op2 256 [1, 4)", "3:op3 256 [5, 7)"),
        Buffers.liveRanges(problem));
    assertEquals(256, problem.memories().get(0).alignment());
    PackingBaseline baseline = input.baseline().orElseThrow();
    assertEquals("XLA", baseline.source());
    assertEquals(List.of(1024L), baseline.bytes());
    assertEquals(PackingBaseline.VALID, status(input));
    assertTrue(baseline.isPlan(problem));
  }

  @Test
  void aProfileHasAModuleForEachEvent() throws IOException {
    byte[] small = hlo("jit_g", 1, List.of(allocation(0, 8, 0, "1@0+8")), trace("alloc 1, free 1"));
    byte[] idle = hlo("jit_h", 1, List.of(allocation(0, 8, 0, "1@0+8")));
    Path file =
        file(
            "host.xplane.pb",
            XlaSamples.profile(
                List.of("jit_g(4)", "jit_f(5)", "jit_g(6)", "jit_h(7)"),
                List.of(small, XlaSamples.everything("jit_f"), small, idle)));
    ToolDump dump = new XlaFormat(false).open(file, InputFormat.Options.DEFAULT);
    assertEquals(
        List.of("jit_g(4)", "jit_f", "jit_g(6)", "jit_h"),
        dump.parts().stream().map(ToolDump.Part::name).toList());
    assertEquals(
        Map.of(
            "logical buffers", 10L, "allocations", 5L, "heap events", 8L, "temporary bytes", 1024L),
        dump.parts().get(1).counts());
    assertEquals("jit_f", (packing(file)).problem().name());
    assertEquals(1, module(file, "jit_g").problem().size());
    assertEquals(1, module(file, "jit_g(6)").problem().size());
    InputException unknown = assertThrows(InputException.class, () -> module(file, "jit_i"));
    assertTrue(unknown.getMessage().contains("--module jit_i"), unknown.getMessage());
    assertTrue(unknown.isMisuse());
    Refusals.input(() -> module(file, "jit_h"), "heap simulator trace");
  }

  private static Input.Packing module(Path file, String name) {
    return (Input.Packing) InputFormats.read(file, InputFormat.Options.ofModule(name));
  }

  @Test
  void buffersOfDifferentTracesAreKeptApart() throws IOException {
    byte[] first = trace("alloc 1, free 1");
    byte[] second = trace("alloc 2, free 2");
    Input.Packing input =
        packing(hlo("f", 2, List.of(allocation(0, 16, 0, "1@0+8 2@8+8")), first, second, first));
    assertEquals(List.of("1:op1 8 [0, 1)", "2:op2 8 [2, 3)"), Buffers.liveRanges(input.problem()));
    assertEquals(1, input.problem().conflicts().count());
  }

  @Test
  void whatLiesOnABufferWithoutALifeIsHeldWithIt() throws IOException {
    byte[] heap = allocation(0, 64, 0, "1@0+8 2@4+12 3@12+8 4@32+32");
    byte[] trace = trace("alloc 2, free 2, alloc 3, alloc 4, free 4");
    Input.Packing input = packing(hlo("f", 4, List.of(heap), trace));
    // 1 has no life; 2 lies on it, and 3 on 2.
    assertEquals(List.of("1 20 [0, 5)", "4:op4 32 [3, 4)"), Buffers.liveRanges(input.problem()));
    assertEquals(PackingBaseline.VALID, status(input));
  }

  @Test
  void wrongOffsetsOfXlaAreFound() throws IOException {
    byte[] alive = trace("alloc 1, alloc 2, free 1, free 2");
    assertNotEquals(
        PackingBaseline.VALID,
        status(packing(hlo("f", 2, List.of(allocation(0, 16, 0, "1@0+8 2@4+8")), alive))));
    byte[] shared = trace("alloc 1, share 2 1, free 1, free 2");
    String status =
        status(packing(hlo("f", 2, List.of(allocation(0, 16, 0, "1@0+8 2@8+8")), shared)));
    assertTrue(status.contains("share memory"), status);
  }

  @Test
  void contradictionsAreNamedWithTheirPlace() throws IOException {
    List<byte[]> one = List.of(allocation(0, 16, 0, "1@0+8"));
    refused(hlo("f", 1, one, trace("free 1")), "event 0");
    refused(hlo("f", 1, one, trace("alloc 1, alloc 1")), "event 1");
    refused(hlo("f", 1, one, trace("share 1 2")), "event 0");
    refused(hlo("f", 1, one, trace("3 1")), "kind 3");
    refused(
        hlo("f", 1, List.of(allocation(7, 16, 0, "1@10+8")), trace("alloc 1, free 1")),
        "not inside of allocation 7");
    byte[] whole = XlaSamples.everything("f");
    byte[] cut = Arrays.copyOf(whole, whole.length - 3);
    refused(cut, "byte ");
    refused(new byte[0], "no HloProto");
  }

  @Test
  void theTextSaysTheSame() throws IOException {
    Path file = file("module_0001.jit_f-buffer-assignment.txt", XlaSamples.text());
    Input.Packing input = packing(file);
    assertEquals("module_0001.jit_f", input.problem().name());
    assertEquals(
        List.of("5:tuple{} 16 [0, 8)", "1:op1 250 [0, 6)", "2:op2 256 [1, 4)", "3:op3 256 [5, 7)"),
        Buffers.liveRanges(input.problem()));
    assertEquals(PackingBaseline.VALID, status(input));
    assertTrue(new XlaFormat(true).recognises(file));
    assertFalse(new XlaFormat(true).recognises(file("log.txt", "GPU_Debug: x")));
  }

  @Test
  void liveRangesMayBeInAFileOfTheirOwn() throws IOException {
    String text = XlaSamples.text();
    int cut = text.indexOf("HloLiveRange");
    Path file = file("m-buffer-assignment.txt", text.substring(0, cut));
    Refusals.input(() -> InputFormats.read(file), "m-live-range.txt");
    file("m-live-range.txt", text.substring(cut));
    assertEquals(4, (packing(file)).problem().size());
    assertEquals(Set.of("m"), AssignmentText.read(file("m", text)).keySet());
    Path bad = file("bad.txt", text.replace("op2{}:1-3", "op2{}:3-1"));
    Refusals.input(() -> InputFormats.read(bad), "line 19");
  }

  @Test
  void everyModuleOfARealProfileIsRead() {
    Path file = PublicData.at("dumps/xla_jax_conv_minimal.xplane.pb");
    ToolDump dump = new XlaFormat(false).open(file, InputFormat.Options.DEFAULT);
    int read = 0;
    for (int k = 0; k < dump.parts().size(); k++) {
      if (dump.parts().get(k).weight() > 0) {
        assertEquals(PackingBaseline.VALID, status(dump.read(k)));
        read++;
      }
    }
    assertEquals(2, read);
    Input.Packing forward = module(file, "jit_forward_3d_conv");
    assertEquals(List.of(579_072_256L), forward.baseline().orElseThrow().bytes());
  }
}

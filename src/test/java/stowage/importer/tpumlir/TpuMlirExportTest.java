package stowage.importer.tpumlir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.liveness.BaselineCheck;

class TpuMlirExportTest extends ImporterTest {
  TpuMlirExportTest() {
    super("net.mlir");
  }

  @Test
  void addressesAreReplacedWhereverTheyStand() throws IOException {
    Path model = write(TpuMlirFormatTest.SMALL);
    Path planned = folder.resolve("planned.mlir");
    Map<String, Long> offsets = Map.of("in ä", 20480L, "conv", 0L, "part", 24576L, "flat", 24576L);
    plan(model, offsets, 28672, planned);
    Input.Graph graph = (Input.Graph) InputFormats.read(planned);
    assertEquals(offsets, graph.baseline().orElseThrow().offsets());
    assertEquals(28672, graph.baseline().get().bytes());
    assertEquals("VALID", BaselineCheck.of(graph.network(), graph.baseline().get()).status());
    String text = Files.readString(planned);
    assertFalse(text.contains("12288 : i64>"), "conv's old address is gone everywhere");
    assertTrue(text.contains("tensor<1x4x8x8xf32> loc(unknown)"), "no address where none was");
    assertEquals(TpuMlirFormatTest.SMALL.lines().count(), text.lines().count());
  }

  @Test
  void theSamePlanWrittenBackGivesTheSameFile() throws IOException {
    for (String name :
        new String[] {"blazeface_bm1688_final.mlir", "resnet18_int8_addr_bm1684.mlir"}) {
      Path model = PublicData.network("tpu-mlir/" + name);
      Input.Graph graph = (Input.Graph) InputFormats.read(model);
      Path planned = folder.resolve(name);
      plan(
          model, graph.baseline().orElseThrow().offsets(), graph.baseline().get().bytes(), planned);
      assertEquals(Files.readString(model), Files.readString(planned));

      Map<String, Long> moved = new HashMap<>();
      graph.baseline().get().offsets().forEach((tensor, at) -> moved.put(tensor, at + 65536));
      plan(model, moved, graph.baseline().get().bytes() + 65536, planned);
      Input.Graph again = (Input.Graph) InputFormats.read(planned);
      assertEquals(moved, again.baseline().orElseThrow().offsets());
    }
  }

  @Test
  void filesWithoutAddressesAreRefused() throws IOException {
    Path model = PublicData.network("tpu-mlir/resnet18_top.mlir");
    Refusals.says(
        InputException.class,
        () -> plan(model, Map.of(), 0, folder.resolve("x.mlir")),
        "carries no addresses");
    Path other = Files.writeString(folder.resolve("net.xml"), "");
    Refusals.says(
        InputException.class,
        () -> InputFormats.checkCopy(other, folder.resolve("x.xml")),
        "has no place for a plan");
  }
}

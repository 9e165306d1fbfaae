package stowage.importer.tflite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.tflite.TfliteBuilder.FLOAT32;
import static stowage.network.Graphs.types;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.liveness.BaselineCheck;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Tensor;

class TfliteFormatTest extends ImporterTest {
  TfliteFormatTest() {
    super("net.tflite");
  }

  @Test
  void tensorsAreToldApartByTheirData() throws IOException {
    Network network = network(TfliteBuilder.small().bytes());
    assertEquals("small", network.name());
    assertEquals("CONV_2D SLICE Own", types(network));
    assertEquals(List.of("x", "w", ""), network.ops().get(0).inputs());
    assertEquals(2, network.ops().get(0).integer("stride_w", 0));
    assertEquals(List.of(0L, 1L), network.ops().get(1).integers("begin"));
    assertEquals(Tensor.Kind.WEIGHT, network.tensor("w").kind());
    assertEquals(Tensor.Kind.VARIABLE, network.tensor("state").kind());
    assertEquals(48 + 16, network.weightBytes());
    assertEquals(0, network.tensor("text").bytes());
    assertTrue(network.notes().get(0).contains("does not contain scratch memory"));
    PlanningCase planningCase =
        Liveness.of(network, LivenessOptions.defaults().withAlignments(1, 1));
    assertTrue(
        planningCase.contents().stream()
            .anyMatch(c -> c.parts().contains(new PlanningCase.Part("part", 4))),
        "the slice is a view of c, 4 bytes into it");
  }

  @Test
  void subgraphsAreLaidOutBeforeTheOpThatRunsThem() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", FLOAT32, 8);
    int y = builder.tensor("y", FLOAT32, 8);
    builder.op("WHILE", new int[] {x}, new int[] {y}, builder.options(1, 2), 93);
    builder.subgraph("", new int[] {x}, new int[] {y});
    for (int k = 0; k < 2; k++) {
      int a = builder.tensor("in", FLOAT32, 8);
      int b = builder.tensor("out", FLOAT32, k == 0 ? 1 : 8);
      builder.op(k == 0 ? "LESS" : "ADD", new int[] {a, a}, new int[] {b});
      builder.subgraph(k == 0 ? "cond" : "body", new int[] {a}, new int[] {b});
    }
    int alone = builder.tensor("alone", FLOAT32, 2);
    int more = builder.tensor("more", FLOAT32, 2);
    builder.op("ADD", new int[] {alone, alone}, new int[] {more});
    builder.subgraph("other", new int[] {alone}, new int[] {more});
    Network network = network(builder.bytes());
    assertEquals(
        "MODEL.reserve MODEL.enter WHILE.enter WHILE.call LESS WHILE.return WHILE.call ADD WHILE",
        types(network));
    assertEquals(List.of("alone", "more"), network.ops().get(0).outputs());
    assertEquals(List.of("x"), network.ops().get(1).outputs());
    assertEquals(List.of("y"), network.ops().get(2).outputs());
    assertEquals(List.of("x", "y", "out#2"), network.ops().get(8).inputs());
    assertEquals(List.of("x"), network.inputs());
    assertEquals(List.of("y"), network.outputs());
    assertEquals("net", network.name());
  }

  @Test
  void subgraphsThatRunEachOtherWithoutEndAreRefused() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    builder.op("CALL", new int[0], new int[0], builder.options(0), 16);
    builder.subgraph("", new int[0], new int[0]);
    refused(builder.bytes(), "runs itself");
    TfliteBuilder doubling = new TfliteBuilder();
    for (int s = 0; s < 40; s++) {
      for (int k = 0; k < 2 && s < 39; k++) {
        doubling.op("CALL", new int[0], new int[0], doubling.options(s + 1), 16);
      }
      doubling.subgraph("", new int[0], new int[0]);
    }
    refused(doubling.bytes(), "too often");
  }

  @Test
  void anOfflinePlanIsReadAndChecked() throws IOException {
    TfliteBuilder builder = TfliteBuilder.small();
    // x, w, c, begin, size, part, state, y, text
    int plan = builder.buffer(TfliteBuilder.bytes(1, 0, 9, 0, -1, 16, -1, -1, 20, -1, 48, -1));
    builder.metadata("OfflineMemoryAllocation", plan);
    Input.Graph graph = (Input.Graph) read(builder.bytes());
    assertEquals(
        new BaselineCheck("OfflineMemoryAllocation", 80, LivenessOptions.Inputs.KEEP, "VALID"),
        BaselineCheck.of(graph.network(), graph.baseline().orElseThrow()));

    TfliteBuilder clash = TfliteBuilder.small();
    clash.metadata(
        "OfflineMemoryAllocation",
        clash.buffer(TfliteBuilder.bytes(1, 0, 9, 0, -1, 8, -1, -1, 12, -1, 48, -1)));
    graph = (Input.Graph) read(clash.bytes());
    BaselineCheck check = BaselineCheck.of(graph.network(), graph.baseline().orElseThrow());
    assertTrue(check.status().contains("\"x\"") || check.status().contains("x "), check.status());

    TfliteBuilder wrong = TfliteBuilder.small();
    wrong.metadata("OfflineMemoryAllocation", wrong.buffer(TfliteBuilder.bytes(1, 0, 2, 0, 0)));
    refused(wrong.bytes(), "one for each of 9 tensors");
  }

  @Test
  void aPlanWrittenIntoAFileIsReadBack() throws IOException {
    byte[] original = TfliteBuilder.small().bytes();
    Path model = write(original);
    Map<String, Long> offsets = Map.of("x", 0L, "c", 16L, "part", 32L, "y", 48L);
    Path planned = folder.resolve("planned.tflite");
    plan(model, offsets, 76, planned);
    Input.Graph graph = (Input.Graph) InputFormats.read(planned);
    assertEquals(offsets, graph.baseline().orElseThrow().offsets());
    assertEquals(network(model).ops(), graph.network().ops());
    byte[] bytes = Files.readAllBytes(planned);
    assertEquals(0, (bytes.length - original.length) % 16);
    assertArrayEquals(
        original, Arrays.copyOfRange(bytes, bytes.length - original.length, bytes.length));

    // A second plan takes the place of the first.
    Path again = folder.resolve("again.tflite");
    plan(planned, Map.of("x", 160L), 176, again);
    Input.Graph second = (Input.Graph) InputFormats.read(again);
    assertEquals(Map.of("x", 160L), second.baseline().orElseThrow().offsets());
    assertEquals(
        1,
        TfliteModel.read(again).metadata().stream()
            .filter(m -> m.name().equals("OfflineMemoryAllocation"))
            .count());
  }

  @Test
  void plansThatDoNotFitAreRefused() throws IOException {
    Path model = write(TfliteBuilder.small().bytes());
    Path target = folder.resolve("planned.tflite");
    Refusals.says(
        InputException.class, () -> plan(model, Map.of("x", 8L), 24, target), "multiples of 16");
    Refusals.says(
        InputException.class, () -> plan(model, Map.of("q", 0L), 24, target), "not in the model");
    assertTrue(Files.notExists(target));
  }

  @Test
  void realFilesTakePlans() throws IOException {
    for (Path model : PublicData.networks("tflite")) {
      Network network = network(model);
      PlanningCase planningCase =
          Liveness.of(
              network,
              LivenessOptions.defaults()
                  .withInPlace(LivenessOptions.InPlace.NONE)
                  .withAlignments(16, 16));
      Map<String, Long> offsets = new HashMap<>();
      long next = 0;
      for (int b = 0; b < planningCase.problem().size(); b++) {
        String tensor = planningCase.contents().get(b).parts().get(0).tensor();
        if (network.tensor(tensor).kind() == Tensor.Kind.ACTIVATION) {
          offsets.put(tensor, next);
          next += planningCase.problem().buffer(b).size();
        }
      }
      Path planned = folder.resolve("planned.tflite");
      plan(model, offsets, next, planned);
      Input.Graph graph = (Input.Graph) InputFormats.read(planned);
      assertEquals(offsets, graph.baseline().orElseThrow().offsets(), model.toString());
      assertTrue(
          BaselineCheck.of(graph.network(), graph.baseline().get()).valid(), model.toString());
      assertEquals(network.weightBytes(), graph.network().weightBytes());
    }
  }

  @Test
  void aFileCutShortIsRefusedWhereverItIsCut() throws IOException {
    byte[] whole = TfliteBuilder.small().bytes();
    int used = whole.length;
    while (whole[used - 1] == 0) {
      used--;
    }
    for (int end = 0; end < whole.length; end += 3) {
      boolean onlyPadding = end % 4 == 0 && end >= used;
      if (!onlyPadding) {
        refused(Arrays.copyOf(whole, end));
      }
    }
  }

  @Test
  void anArchiveBehindTheModelMustBeWhole() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    byte[] model = TfliteBuilder.small().bytes();
    file.write(model);
    try (ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry("labels.txt"));
      zip.write(new byte[100]);
    }
    byte[] whole = file.toByteArray();
    assertEquals(3, network(whole).ops().size());
    for (int end = model.length + 4; end < whole.length; end += 5) {
      refused(Arrays.copyOf(whole, end));
    }
  }

  @Test
  void faultsAreNamed() throws IOException {
    refused(new byte[0], "is not a TFLite file");
    TfliteBuilder lying = new TfliteBuilder();
    lying.tensor("w", FLOAT32, lying.buffer(new byte[12]), false, 4);
    lying.subgraph("", new int[0], new int[] {0});
    refused(lying.bytes(), "holds 12 bytes");
    TfliteBuilder index = new TfliteBuilder();
    index.subgraph("", new int[] {5}, new int[0]);
    refused(index.bytes(), "index 5 should be between 0 and -1");
  }
}

package stowage.importer.tflite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.tflite.TfliteBuilder.BOOL;
import static stowage.importer.tflite.TfliteBuilder.FLOAT32;
import static stowage.importer.tflite.TfliteBuilder.INT4;
import static stowage.importer.tflite.TfliteBuilder.STRING;
import static stowage.network.Graphs.types;
import static stowage.network.Graphs.values;

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
import stowage.importer.io.Input;
import stowage.liveness.BaselineCheck;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.LoadProfile;

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
    assertEquals(
        new BaselineCheck("OfflineMemoryAllocation", 80, LivenessOptions.Inputs.KEEP, "VALID"),
        check(graph(builder.bytes())));

    TfliteBuilder clash = TfliteBuilder.small();
    clash.metadata(
        "OfflineMemoryAllocation",
        clash.buffer(TfliteBuilder.bytes(1, 0, 9, 0, -1, 8, -1, -1, 12, -1, 48, -1)));
    BaselineCheck check = check(graph(clash.bytes()));
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
    Input.Graph graph = graph(planned);
    assertEquals(offsets, graph.baseline().orElseThrow().offsets());
    assertEquals(network(model).ops(), graph.network().ops());
    byte[] bytes = Files.readAllBytes(planned);
    assertEquals(0, (bytes.length - original.length) % 16);
    assertArrayEquals(
        original, Arrays.copyOfRange(bytes, bytes.length - original.length, bytes.length));

    // A second plan takes the place of the first.
    Path again = folder.resolve("again.tflite");
    plan(planned, Map.of("x", 160L), 176, again);
    Input.Graph second = graph(again);
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
    Refusals.input(() -> plan(model, Map.of("x", 8L), 24, target), "multiples of 16");
    Refusals.input(() -> plan(model, Map.of("q", 0L), 24, target), "not in the model");
    assertTrue(Files.notExists(target));
  }

  @Test
  void realFilesTakePlans() throws IOException {
    for (Path model : PublicData.networks("tflite")) {
      Network network = network(model);
      LivenessOptions apart =
          LivenessOptions.defaults()
              .withInPlace(LivenessOptions.InPlace.NONE)
              .withAlignments(16, 16);
      PlanningCase planningCase = Liveness.of(network, apart);
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
      Input.Graph graph = graph(planned);
      assertEquals(offsets, graph.baseline().orElseThrow().offsets(), model.toString());
      assertTrue(check(graph).valid(), model.toString());
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

  // What only some converters write.

  private static long maxLoad(Network network) {
    PlanningCase planned = Liveness.of(network, LivenessOptions.defaults().withAlignments(1, 1));
    return LoadProfile.of(planned.problem()).maxLoad();
  }

  @Test
  void twoValuesOfFourBitsShareAByte() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", INT4, 5);
    int w = builder.tensor("w", INT4, builder.buffer(new byte[3]), false, 5);
    int y = builder.tensor("y", INT4, 5);
    builder.op("ADD", new int[] {x, w}, new int[] {y});
    builder.subgraph("int4", new int[] {x}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals(3, network.weightBytes());
    assertEquals(6, maxLoad(network));

    TfliteBuilder unpacked = new TfliteBuilder();
    int lying = unpacked.tensor("w", INT4, unpacked.buffer(new byte[5]), false, 5);
    unpacked.subgraph("", new int[0], new int[] {lying});
    refused(unpacked.bytes(), "should have 3");
  }

  /** With an ellipsis the starts are not those of the first axes. */
  @Test
  void aSliceWithAnEllipsisIsNoView() throws IOException {
    for (int ellipsis : new int[] {0, 1}) {
      TfliteBuilder builder = new TfliteBuilder();
      int x = builder.tensor("x", FLOAT32, 2, 2, 4);
      int y = builder.tensor("y", FLOAT32, 1, 2, 4);
      int[] operands = {x, 0, 0, 0};
      for (int k = 1; k < 4; k++) {
        int data = builder.buffer(TfliteBuilder.bytes(k / 2, k < 3 ? 0 : 1, k < 3 ? 0 : 1));
        operands[k] = builder.tensor("o" + k, TfliteBuilder.INT32, data, false, 3);
      }
      int options = builder.options(0, 7, ellipsis, 0, 0);
      builder.op("STRIDED_SLICE", operands, new int[] {y}, options, 32);
      builder.subgraph("slice", new int[] {x}, new int[] {y});
      assertEquals(
          ellipsis == 0 ? List.of(1L, 1L, 1L) : List.of(0L),
          network(builder.bytes()).ops().get(0).integers("strides"));
    }
  }

  @Test
  void aFileMayHaveNoBuffersAtAll() throws IOException {
    TfliteBuilder builder = new TfliteBuilder().withoutBuffers();
    int x = builder.tensor("x", FLOAT32, 4);
    int y = builder.tensor("y", FLOAT32, 4);
    builder.op("ADD", new int[] {x, x}, new int[] {y});
    builder.subgraph("bare", new int[] {x}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals(0, network.weightBytes());
    assertEquals(32, maxLoad(network));

    TfliteBuilder pointing = new TfliteBuilder().withoutBuffers();
    int w = pointing.tensor("w", FLOAT32, 7, false, 4);
    pointing.subgraph("", new int[0], new int[] {w});
    refused(pointing.bytes(), "index 7 should be between 0 and 0");
  }

  /** if c then (while ..) else x + x: a loop inside of a branch. */
  @Test
  void aLoopInABranchIsLaidOutInsideOfIt() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int c = builder.tensor("c", BOOL, 1);
    int x = builder.tensor("x", FLOAT32, 8);
    int y = builder.tensor("y", FLOAT32, 8);
    builder.op("IF", new int[] {c, x}, new int[] {y}, builder.options(1, 2), 92);
    builder.subgraph("main", new int[] {c, x}, new int[] {y});
    int a = builder.tensor("a", FLOAT32, 8);
    int b = builder.tensor("b", FLOAT32, 8);
    builder.op("WHILE", new int[] {a}, new int[] {b}, builder.options(3, 4), 93);
    builder.subgraph("then", new int[] {a}, new int[] {b});
    doubling(builder, "else", "d", "e", FLOAT32, 8);
    doubling(builder, "cond", "s", "go", BOOL, 1);
    doubling(builder, "body", "t", "u", FLOAT32, 8);
    Network network = network(builder.bytes());
    assertEquals(
        "IF.enter IF.call WHILE.enter WHILE.call ADD WHILE.return WHILE.call ADD WHILE "
            + "IF.return IF.call ADD IF",
        types(network));
    assertEquals(List.of("c", "x", "y", "e"), network.ops().get(12).inputs());
    assertEquals(List.of("a", "b", "u"), network.ops().get(8).inputs());
  }

  /** A subgraph of one op, which adds eight floats to themselves. */
  private static void doubling(
      TfliteBuilder builder, String name, String from, String to, int type, int extent) {
    int x = builder.tensor(from, FLOAT32, 8);
    int y = builder.tensor(to, type, extent);
    builder.op("ADD", new int[] {x, x}, new int[] {y});
    builder.subgraph(name, new int[] {x}, new int[] {y});
  }

  @Test
  void aSubgraphThatIsNotThereIsNamed() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", FLOAT32, 8);
    int y = builder.tensor("y", FLOAT32, 8);
    builder.op("WHILE", new int[] {x}, new int[] {y}, builder.options(1, 2), 93);
    builder.subgraph("main", new int[] {x}, new int[] {y});
    refused(builder.bytes(), "WHILE that makes \"y\": runs subgraph 1; there are 1");
  }

  @Test
  void textsCountNothingAndAreNoted() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int own = builder.code(32, "Tokenize");
    int x = builder.tensor("x", STRING, 3);
    int words = builder.tensor("words", STRING, builder.buffer(new byte[21]), false, 2);
    int y = builder.tensor("y", FLOAT32, 4);
    builder.op(own, new int[] {x, words}, new int[] {y}, 0, 0);
    builder.subgraph("texts", new int[] {x}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals(Tensor.Kind.WEIGHT, network.tensor("words").kind());
    assertEquals(16, maxLoad(network));
    assertTrue(network.notes().toString().contains("2 tensors are strings"));
  }

  @Test
  void extentsThatMayChangeAreTakenAsTheyStandAndNoted() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.dynamicTensor("x", FLOAT32, new int[] {-1, 4}, 1, 4);
    int y = builder.dynamicTensor("y", FLOAT32, new int[] {-1, 4}, 1, 4);
    builder.op("ADD", new int[] {x, x}, new int[] {y});
    builder.subgraph("dynamic", new int[] {x}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals("F32[1, 4]", values(network, "x"));
    assertTrue(network.notes().toString().contains("2 tensors have dynamic shapes"));

    TfliteBuilder open = new TfliteBuilder();
    int z = open.tensor("z", FLOAT32, -1, 4);
    open.subgraph("", new int[] {z}, new int[] {z});
    refused(open.bytes(), "subgraph 0, tensor 0: extent -1 should be 0 or more");
  }

  @Test
  void tensorsMayBeEmpty() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", FLOAT32, 0, 4);
    int scalar = builder.tensor("scalar", FLOAT32);
    int y = builder.tensor("y", FLOAT32, 0, 4);
    builder.op("ADD", new int[] {x, scalar}, new int[] {y});
    builder.subgraph("empty", new int[] {x, scalar}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals(0, network.tensor("y").bytes());
    assertEquals(4, network.tensor("scalar").bytes());
    assertEquals(4, maxLoad(network));
  }
}

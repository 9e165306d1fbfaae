package stowage.importer.tflite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.ImporterTest.network;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.Refusals;
import stowage.Thorough;
import stowage.compiler.core.HullList;
import stowage.importer.flat.FlatTable;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.rewrite.MacCount;
import stowage.rewrite.RandomRuns;
import stowage.rewrite.Recomputation;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunCost;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.Splitter;
import stowage.rewrite.range.PadForm;

/** Rewritten models, run in TensorFlow Lite Micro next to the originals. */
class TfliteRewritingTest extends FolderTest {
  private static final int ROUNDS = Thorough.of(2, 60);

  @ParameterizedTest
  @CsvSource({
    "tflm_person_detect, 31",
    "mlperf_vww_96_int8, 31",
    "mlperf_pretrainedResnet_quant, 16",
    "mlperf_kws_ref_model, 13",
    "tinyengine_vww, 60"
  })
  void realModelsSplitAtRandomGiveEqualOutputs(String name) throws Exception {
    Path file = PublicData.network("tflite/" + name + ".tflite");
    JsonNode before = TfliteMicroRuntime.run(file).path("outputs");
    Set<String> distinct = new HashSet<>();
    before.forEach(hash -> distinct.add(hash.asText()));
    Assumptions.assumeTrue(distinct.size() > 1, name + " gives one output for every input");
    SplitModel model = new SplitModel(network(file));
    int split = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(0x9E3779B97F4A7C15L * seed); // near seeds begin alike
      List<RunSplit> runs =
          RandomRuns.of(model, random, 3, 7, 5, SplitAxis.ROWS, SplitAxis.COLUMNS);
      Rewriting rewriting = Splitter.split(model, runs);
      long extra = 0;
      for (RunSplit run : runs) {
        extra += RunCost.of(model, run).extraMacs();
        split++;
      }
      String what = name + ", seed " + seed + ", " + runs;
      long whole = MacCount.of(model.network());
      assertEquals(whole + extra, MacCount.of(rewriting.network()), what);
      Path target = folder.resolve(seed + ".tflite");
      TfliteRewriting.write(file, rewriting, null, target);
      Network again = network(target);
      assertEquals(whole + extra, MacCount.of(again), what);
      assertEquals(rewriting.network().ops().size(), again.ops().size(), what);
      for (String tensor : rewriting.network().tensors().keySet()) {
        assertEquals(rewriting.network().tensor(tensor), again.tensor(tensor), what);
      }
      assertEquals(before, TfliteMicroRuntime.run(target).path("outputs"), what);
    }
    assertTrue(split > 3, name + ": " + split + " runs");
  }

  @Test
  void randomModelsSplitAtRandomGiveEqualOutputs() throws Exception {
    TfliteMicroRuntime.program();
    Set<String> split = new TreeSet<>();
    int same = 0;
    int run = 0;
    for (int seed = 0; seed < 6 * ROUNDS; seed++) {
      Random random = new Random(0x9E3779B97F4A7C15L * seed);
      Path file = file("model.tflite", RandomTflite.of(random));
      SplitModel model = new SplitModel(network(file));
      List<RunSplit> runs =
          RandomRuns.of(model, random, 2, 6, 14, SplitAxis.ROWS, SplitAxis.COLUMNS);
      if (runs.isEmpty()) {
        continue;
      }
      JsonNode before = TfliteMicroRuntime.run(file).path("outputs");
      Rewriting rewriting = Splitter.split(model, runs);
      boolean planned = random.nextBoolean();
      Map<String, Long> offsets = planned ? offsets(rewriting) : null;
      Path target = folder.resolve("split.tflite");
      TfliteRewriting.write(file, rewriting, offsets, target);
      JsonNode after = TfliteMicroRuntime.run(target);
      String what = "seed " + seed + ", " + runs;
      assertEquals(before, after.path("outputs"), what);
      assertEquals(3, before.size(), what);
      if (planned) {
        assertEquals(end(rewriting.network(), offsets), after.path("plannerHead").asLong(), what);
      }
      same += before.get(0).equals(before.get(1)) && before.get(0).equals(before.get(2)) ? 1 : 0;
      for (RunSplit each : runs) {
        Arrays.stream(each.ops()).forEach(op -> split.add(model.network().ops().get(op).type()));
        run++;
      }
    }
    System.out.println(run + " runs of " + split + ", " + same + " with one output");
    assertTrue(same < ROUNDS && run > 3 * ROUNDS && split.size() > 9, run + " runs of " + split);
  }

  /** Why an op is not cut along the first dimension of its result; null where it is. */
  private String barrier(TfliteBuilder model, int x, String op) throws Exception {
    int y = model.tensor("y", TfliteBuilder.FLOAT32, 6, 5);
    int sizes =
        model.tensor("s", TfliteBuilder.INT32, model.buffer(TfliteBuilder.bytes(6)), false, 1);
    int axis =
        model.tensor("a", TfliteBuilder.INT32, model.buffer(TfliteBuilder.bytes(0)), false, 1);
    int condition = model.tensor("c", TfliteBuilder.BOOL, 6);
    switch (op) {
      case "SPLIT_V" ->
          model.op(op, new int[] {x, sizes, axis}, new int[] {y}, model.options(1), 79);
      case "SELECT" -> model.op(op, new int[] {condition, x, x}, new int[] {y});
      case "SQUEEZE" -> model.op(op, new int[] {x}, new int[] {y});
      default ->
          model.op("SQUEEZE", new int[] {x}, new int[] {y}, model.options(new int[] {0, 3}), 30);
    }
    model.subgraph("m", new int[] {x, condition}, new int[] {y});
    Path file = file("model.tflite", model.bytes());
    Network network = network(file);
    int last = network.ops().size() - 1; // before it an op that takes inputs that none reads
    return new SplitModel(network).rule(last, 0, PadForm.CROP).barrier();
  }

  @Test
  void opsWhoseMeaningDependsOnThePieceAreRunWhole() throws Exception {
    for (String op : List.of("SQUEEZE", "SPLIT_V", "SELECT", "SQUEEZE of 0 and 3")) {
      TfliteBuilder model = new TfliteBuilder();
      boolean image = op.startsWith("SQUEEZE");
      int[] shape = image ? new int[] {1, 6, 5, 1} : new int[] {6, 5};
      int x = model.tensor("x", TfliteBuilder.FLOAT32, shape);
      String barrier = barrier(model, x, op);
      assertEquals(op.contains("of"), barrier == null, op + ": " + barrier);
    }
  }

  @Test
  void whatIsAppendedIsKept() throws Exception {
    Path file = folder.resolve("appended.tflite");
    byte[] model = RandomTflite.of(new Random(4), true, 6);
    byte[] before = Arrays.copyOf(model, model.length + 999);
    Arrays.fill(before, model.length, before.length, (byte) 7);
    Files.write(file, before);
    Path target = folder.resolve("kept.tflite");
    Network network = network(file);
    TfliteRewriting.write(
        file, Rewriting.reordered(network, network.executionOrder()), null, target);
    byte[] after = Files.readAllBytes(target);
    assertEquals(0, (after.length - before.length) % 16);
    assertArrayEquals(
        Arrays.copyOfRange(before, before.length / 2, before.length),
        Arrays.copyOfRange(after, after.length - before.length + before.length / 2, after.length));
    assertEquals(network.ops(), network(target).ops());
  }

  /** The network of a file with its ops as they are. */
  private static Rewriting unchanged(Path file) {
    Network network = network(file);
    return Rewriting.reordered(network, network.executionOrder());
  }

  /** A variable of the other subgraph has the number of x, which gets another. */
  @Test
  void signaturesNameTensorsByTheirNewNumbers() throws Exception {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", TfliteBuilder.FLOAT32, 4);
    int y = builder.tensor("y", TfliteBuilder.FLOAT32, 4);
    builder.op("ABS", new int[] {x}, new int[] {y});
    builder.subgraph("main", new int[] {x}, new int[] {y});
    builder.tensor("state", TfliteBuilder.FLOAT32, 0, true, 4);
    int in = builder.tensor("in", TfliteBuilder.FLOAT32, 4);
    int out = builder.tensor("out", TfliteBuilder.FLOAT32, 4);
    builder.op("ABS", new int[] {in}, new int[] {out});
    builder.subgraph("other", new int[] {in}, new int[] {out});
    builder.signature("one", 0, x, y);
    builder.signature("two", 1, in, out);
    Path file = file("model.tflite", builder.bytes());
    Rewriting same = unchanged(file);
    for (Map<String, Long> offsets : Arrays.asList(null, Map.of("x", 0L, "y", 16L))) {
      Path target = folder.resolve("signed.tflite");
      TfliteRewriting.write(file, same, offsets, target);
      TfliteModel model = TfliteModel.read(target);
      List<FlatTable> signatures = model.root().tables(TfliteModel.SIGNATURES);
      FlatTable main = model.root().tables(TfliteModel.SUBGRAPHS).get(0);
      int moved = signatures.get(0).tables(0).get(0).int32(1, 0);
      assertEquals(offsets == null, moved == x);
      assertEquals("x", main.tables(0).get(moved).text(3));
      assertEquals(main.ints(1)[0], moved);
      assertEquals("from", signatures.get(0).tables(0).get(0).text(0));
      assertEquals(main.ints(2)[0], signatures.get(0).tables(1).get(0).int32(1, 0));
      assertEquals("one", signatures.get(0).text(2));
      assertEquals(in, signatures.get(1).tables(0).get(0).int32(1, 0));
      assertEquals(1, signatures.get(1).int32(4, 0));
    }
  }

  /** A variable of the other subgraph has the number of t, which gets another. */
  @Test
  void intermediatesHaveTheirNewNumbers() throws Exception {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", TfliteBuilder.FLOAT32, 4);
    int y = builder.tensor("y", TfliteBuilder.FLOAT32, 4);
    int t = builder.tensor("t", TfliteBuilder.FLOAT32, 0);
    builder.op("ABS", new int[] {x}, new int[] {y}, new int[] {t, -1});
    builder.subgraph("main", new int[] {x}, new int[] {y});
    int in = builder.tensor("in", TfliteBuilder.FLOAT32, 4);
    int out = builder.tensor("out", TfliteBuilder.FLOAT32, 4);
    builder.tensor("state", TfliteBuilder.FLOAT32, 0, true, 4);
    builder.op("ABS", new int[] {in}, new int[] {out});
    builder.subgraph("other", new int[] {in}, new int[] {out});
    Path file = file("model.tflite", builder.bytes());
    Rewriting same = unchanged(file);
    for (Map<String, Long> offsets : Arrays.asList(null, Map.of("x", 0L, "y", 16L))) {
      Path target = folder.resolve("between.tflite");
      TfliteRewriting.write(file, same, offsets, target);
      FlatTable main = TfliteModel.read(target).root().tables(TfliteModel.SUBGRAPHS).get(0);
      int[] between = main.tables(3).get(0).ints(8);
      assertEquals(offsets == null, between[0] == t);
      assertEquals("t", main.tables(0).get(between[0]).text(3));
      assertEquals(-1, between[1]);
    }
  }

  @Test
  void aFileWithoutBuffersIsWrittenWithAPlan() throws Exception {
    TfliteBuilder builder = new TfliteBuilder().withoutBuffers();
    int x = builder.tensor("x", TfliteBuilder.FLOAT32, 4);
    int y = builder.tensor("y", TfliteBuilder.FLOAT32, 4);
    builder.op("ABS", new int[] {x}, new int[] {y});
    builder.subgraph("main", new int[] {x}, new int[] {y});
    int state = builder.tensor("state", TfliteBuilder.FLOAT32, 0, true, 4);
    builder.subgraph("other", new int[] {state}, new int[] {state});
    Path file = file("model.tflite", builder.bytes());
    Rewriting same = unchanged(file);
    Path target = folder.resolve("planned.tflite");
    TfliteRewriting.write(file, same, Map.of("x", 0L, "y", 16L), target);
    assertEquals(List.of("x"), network(target).inputs());
  }

  @Test
  void unsignedBytesAreRefused() {
    Path file = PublicData.network("tflite/coral_mobilenet_v1_0.25_128_quant.tflite");
    Network network = network(file);
    Rewriting same = Rewriting.reordered(network, network.executionOrder());
    Path target = folder.resolve("unsigned.tflite");
    Refusals.input(() -> TfliteRewriting.write(file, same, null, target), "unsigned bytes");
    assertTrue(Files.notExists(target));
  }

  @Test
  void modelsWithOpsComputedAgainGiveEqualOutputs() throws Exception {
    Path file = PublicData.network("tflite/mlperf_pretrainedResnet_quant.tflite");
    JsonNode before = TfliteMicroRuntime.run(file).path("outputs");
    Network network = network(file);
    for (int seed = 0; seed < ROUNDS; seed++) {
      int[] sequence = RandomRuns.sequence(network, new Random(seed), 3);
      Path target = folder.resolve("again.tflite");
      TfliteRewriting.write(file, Recomputation.of(network, sequence), null, target);
      assertEquals(
          before,
          TfliteMicroRuntime.run(target).path("outputs"),
          "seed " + seed + ", " + Arrays.toString(sequence));
    }
  }

  /** Where the memory ends: the run-time rounds the size of each tensor up, wherever it is. */
  private static long end(Network network, Map<String, Long> offsets) {
    long end = 0;
    for (Map.Entry<String, Long> place : offsets.entrySet()) {
      end =
          Math.max(
              end,
              place.getValue()
                  + HullList.roundUp(
                      network.tensor(place.getKey()).bytes(), TfliteExport.ALIGNMENT));
    }
    return end;
  }

  /** Places for all activations, no two of them at one place but views of one another. */
  private static Map<String, Long> offsets(Rewriting rewriting) {
    Network network = rewriting.network();
    LivenessOptions options =
        LivenessOptions.defaults().withAlignments(TfliteExport.ALIGNMENT, TfliteExport.ALIGNMENT);
    PlanningCase given = Liveness.of(network, options);
    Map<String, Long> offsets = new HashMap<>();
    long next = 0;
    for (int b = 0; b < given.problem().size(); b++) {
      for (PlanningCase.Part part : given.contents().get(b).parts()) {
        if (network.tensor(part.tensor()).kind() == Tensor.Kind.ACTIVATION) {
          offsets.put(part.tensor(), next + part.offset());
        }
      }
      next += given.problem().buffer(b).size();
    }
    return offsets;
  }
}

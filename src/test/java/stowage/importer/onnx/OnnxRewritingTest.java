package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.ImporterTest.network;

import ai.onnxruntime.OrtException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.Thorough;
import stowage.network.Network;
import stowage.network.Op;
import stowage.rewrite.MacCount;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.RandomRuns;
import stowage.rewrite.Recomputation;
import stowage.rewrite.Repeats;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunCost;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.Splitter;
import stowage.rewrite.range.PadForm;

/** Rewritten models, run in ONNX Runtime node by node next to the originals. */
class OnnxRewritingTest extends FolderTest {
  private static final int ROUNDS = Thorough.of(40, 1000);

  @Test
  void randomModelsSplitAtRandomGiveEqualOutputs() throws Exception {
    Set<String> split = new TreeSet<>();
    int runsSplit = 0;
    int gathered = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(0x9E3779B97F4A7C15L * seed); // near seeds begin alike
      Path file = file("model.onnx", RandomOnnx.of(random));
      SplitModel model = new SplitModel(network(file));
      List<RunSplit> runs =
          seed % 2 == 0
              ? RandomRuns.of(model, random, 2, 6, 5, SplitAxis.values())
              : RandomRuns.of(model, random, 8, 2, 4, SplitAxis.ROWS);
      Rewriting rewriting = Splitter.split(model, runs);
      for (OpOrigin origin : rewriting.ops()) {
        gathered += origin.kind() == OpOrigin.Kind.CONCAT && origin.piece() >= 0 ? 1 : 0;
      }
      long extra = 0;
      for (RunSplit run : runs) {
        extra += RunCost.of(model, run).extraMacs();
        for (int op : run.ops()) {
          split.add(model.network().ops().get(op).type());
        }
        runsSplit++;
      }
      String what = "seed " + seed + ", " + runs;
      Path target = folder.resolve("split.onnx");
      OnnxRewriting.write(file, rewriting, offsets(rewriting.network()), 1 << 20, target);
      long whole = MacCount.of(model.network());
      assertEquals(whole + extra, MacCount.of(rewriting.network()), what);
      OrtRun.same(outputs(file), outputs(target), 0, what);
      Network again = network(target);
      assertEquals(whole + extra, MacCount.of(again), what);
      assertEquals(shapes(rewriting.network()), shapes(again), what);
    }
    System.out.println("split " + runsSplit + " runs of " + split);
    assertTrue(runsSplit > ROUNDS / 2 && split.size() > 12, runsSplit + " runs of " + split);
    assertTrue(gathered > 0, "no result stays in pieces");
  }

  /** Defaults that versions of ONNX differ in, and pieces that lose what an op goes by. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Relu a; s = Softmax r; y = Neg s",
        "DynamicQuantizeLinear a; weight k:uint8[4,2]; m = MatMulInteger r k _; y = Cast m to=1",
        "Relu a; s = Squeeze r; y = Neg s",
        "Relu a; y = Split r axis=2 split=[8]",
        "Relu x; y = MaxPool r kernel_shape=[2,2] dilations=[3,3] auto_pad='SAME_UPPER'",
        "Relu x; y = MaxPool r kernel_shape=[2,2] dilations=[3,3] strides=[3,2] ceil_mode=1",
        "Relu a; y = MaxPool r kernel_shape=[1,1] strides=[2,2] ceil_mode=1",
        "Neg x; y = Relu r; weight i:int64=1; c = Cast i to=9; s = If c then_branch={graph t; k ="
            + " Shape r; -> k:int64[4]} else_branch={graph e; k = Shape x; -> k:int64[4]}; ->"
            + " s:int64[4]"
      })
  void piecesOfOldModelsGiveEqualOutputs(String ops) throws Exception {
    String results = ops.startsWith("Dynamic") ? "r s z" : "r";
    OnnxBuilder builder =
        OnnxBuilder.of("x:float[1,2,9,9] a:float[6,1,8,4]; " + results + " = " + ops);
    checkPieces(builder.and("-> y").opset("", 11), 3);
  }

  /** Constants of the image's extents, and scales of listed axes that are no whole factors. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        " 8 | BatchNormalization r v v v v spatial=0",
        "18 | Resize r _ f axes=[2,3]",
        "18 | Resize r _ f axes=[-1,-2]",
        "18 | Resize r _ _ e axes=[-1,-2]",
        "18 | Resize r _ _ e axes=[-1,-2] keep_aspect_ratio_policy='not_smaller'",
        "13 | Resize r _ g coordinate_transformation_mode='asymmetric' nearest_mode='floor'",
        "13 | Conv r w strides=[1,5] pads=[0,1,1,0]",
        "13 | AveragePool r kernel_shape=[3,3] auto_pad='VALID' pads=[1,1,1,1]",
        "13 | AveragePool r kernel_shape=[5,2] strides=[2,1] count_include_pad=1",
        "13 | ConvTranspose r w strides=[2,3] pads=[0,1,0,1]",
      })
  void piecesOfOtherVersionsGiveEqualOutputs(int opset, String op) throws Exception {
    OnnxBuilder builder = OnnxBuilder.of("x:float[1,2,4,4]; r = Relu x; y = " + op + "; -> y");
    builder.and("weight v:float[2,4,4] e:int64[2]=4,8 w:float[2,2,1,1]").opset("", opset);
    builder.and("weight f:float[2]=2.2,2.2 g:float[4]=1,1,1.2,1");
    checkPieces(builder, 4);
  }

  /** Rows of a result that go by more than the same rows of an operand; the last one is fine. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x:uint8[4,6]; y = MatMulInteger x k z; -> y | true",
        "x:uint8[4,6]; y = QLinearMatMul x g z k f o f o; -> y | true",
        "i:float[4,2,3,3]; y m n = BatchNormalization i v v v v training_mode=1; -> y | true",
        "i:float[4,2,3,3]; y = BatchNormalization i v v v v; -> y | false",
        "x:uint8[4,6]; y = MatMulInteger x k o; -> y | false"
      })
  void rowsThatGoByOthersStayTogether(String ops, boolean whole) throws Exception {
    OnnxBuilder builder = OnnxBuilder.of(ops).opset("", 15);
    builder.and("weight k:uint8[6,2] z:uint8[4] o:uint8[1] f:float[1] g:float[4] v:float[2]");
    SplitModel model = new SplitModel(network(builder.write(folder.resolve("rows.onnx"))));
    assertEquals(whole, model.rule(0, 0, PadForm.CROP).barrier() != null, ops);
  }

  private void checkPieces(OnnxBuilder builder, int version) throws Exception {
    builder.model.setIrVersion(version);
    Path file = builder.write(folder.resolve("old.onnx"));
    SplitModel model = new SplitModel(network(file));
    Path target = folder.resolve("pieces.onnx");
    int split = 0;
    for (int seed = 0; seed < 20; seed++) {
      List<RunSplit> runs = RandomRuns.of(model, new Random(seed), 2, 3, 5, SplitAxis.values());
      OnnxRewriting.write(file, Splitter.split(model, runs), null, 0, target);
      String what = "seed " + seed + ", " + runs;
      OrtRun.same(outputs(file), outputs(target), 1e-6f, what);
      assertEquals(runs.isEmpty() ? version : 4, OnnxModel.parse(target).getIrVersion(), what);
      split += runs.size();
    }
    assertTrue(split > 0, "nothing is split");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ort_mnist", "ultraface_RFB-320", "super_resolution", "ort_simplified_ssd"})
  void realModelsSplitAtRandomGiveEqualOutputs(String name) throws Exception {
    Path file = PublicData.network("onnx/" + name + ".onnx");
    Map<String, Long> free = name.startsWith("super") ? Map.of("batch_size", 2L) : Map.of();
    SplitModel model = new SplitModel(network(file, free));
    Path target = folder.resolve("real.onnx");
    Rewriting given = Rewriting.reordered(model.network(), model.network().executionOrder());
    OnnxRewriting.write(file, given, null, 0, target);
    Map<String, float[]> before = outputs(target);
    for (int seed = 0; seed < Thorough.of(1, 3); seed++) {
      Random random = new Random(0x9E3779B97F4A7C15L * seed);
      List<RunSplit> runs = RandomRuns.of(model, random, 4, 8, 4, SplitAxis.values());
      OnnxRewriting.write(file, Splitter.split(model, runs), null, 0, target);
      String what = name + ", seed " + seed + ", " + runs;
      OrtRun.same(before, outputs(target), 1e-5f, what);
    }
  }

  @Test
  void opsComputedAgainAtRandomGiveEqualOutputs() throws Exception {
    int again = 0;
    int returnedAgain = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(0x9E3779B97F4A7C15L * seed);
      Path file = file("model.onnx", RandomOnnx.of(random));
      Network network = network(file);
      List<Integer> sequence = new ArrayList<>();
      for (int op : network.executionOrder()) {
        sequence.add(op);
        while (random.nextInt(2) == 0) {
          int other = sequence.get(random.nextInt(sequence.size()));
          if (Repeats.obstacle(network, network.ops().get(other)) == null) {
            sequence.add(other);
            again++;
          }
        }
      }
      Rewriting rewriting =
          Recomputation.of(network, sequence.stream().mapToInt(Integer::intValue).toArray());
      returnedAgain += rewriting.network().outputs().equals(network.outputs()) ? 0 : 1;
      String what = "seed " + seed + ", " + sequence;
      Path target = folder.resolve("again.onnx");
      OnnxRewriting.write(file, rewriting, offsets(rewriting.network()), 1 << 20, target);
      OrtRun.same(outputs(file), outputs(target), 0, what);
      assertEquals(sequence.size(), network(target).ops().size(), what);
    }
    assertTrue(again > ROUNDS && returnedAgain > 3, again + " again, results " + returnedAgain);
  }

  /** What asks for the shape of a value does not bring its last copy forward. */
  @Test
  void aCopyStaysWhereItIsAlthoughItsShapeIsReadBefore() throws Exception {
    String text = "x:float[2,3]; r = Relu x; s = Shape r; y = Reshape x s; z = Neg y; -> z r";
    Path file = OnnxBuilder.of(text).write(folder.resolve("model.onnx"));
    Network network = network(file);
    int relu = network.producer("r");
    int[] sequence = {relu, network.producer("y"), network.producer("z"), relu};
    Path target = folder.resolve("again.onnx");
    OnnxRewriting.write(file, Recomputation.of(network, sequence), null, 0, target);
    OrtRun.same(outputs(file), outputs(target), 0, text);
    Network again = network(target);
    assertEquals(List.of("r"), again.ops().get(3).outputs());
  }

  @Test
  void weightsThatStayInAnotherFolderAreNamed() throws Exception {
    OnnxBuilder builder = OnnxBuilder.of("x:float[1,4]; z = Add x w; y = Add z v; -> y");
    builder.graph.addInitializer(OnnxBuilder.external("w:float[4]", "w.bin", 0));
    builder.graph.addInitializer(OnnxBuilder.external("v:float[4]", "v.bin", 0));
    Path file = builder.write(folder.resolve("model.onnx"));
    Files.write(folder.resolve("w.bin"), new byte[16]);
    Files.write(folder.resolve("v.bin"), new byte[16]);
    Network network = network(file);
    Rewriting same = Rewriting.reordered(network, network.executionOrder());
    Path other = Files.createDirectory(folder.resolve("other")).resolve("model.onnx");
    assertTrue(
        OnnxRewriting.write(file, same, null, 0, other)
            .contains("w.bin, " + folder.resolve("v.bin") + ": copy these"));
    assertTrue(OnnxOrder.write(file, Map.of(), other).contains("w.bin"));
    assertEquals("", OnnxRewriting.write(file, same, null, 0, folder.resolve("next.onnx")));
  }

  /** Any offsets, which ONNX Runtime passes over. */
  private static Map<String, Long> offsets(Network network) {
    Map<String, Long> offsets = new HashMap<>();
    network.tensors().keySet().forEach(name -> offsets.put(name, 64L * offsets.size()));
    return offsets;
  }

  private static Map<String, List<Long>> shapes(Network network) {
    Map<String, List<Long>> shapes = new TreeMap<>();
    for (Op op : network.ops()) {
      op.presentOutputs().forEach(output -> shapes.put(output, network.tensor(output).shape()));
    }
    return shapes;
  }

  /** Small whole numbers add up without rounding in any order. */
  private static Map<String, float[]> outputs(Path model) throws OrtException {
    return OrtRun.outputs(model, random -> random.nextInt(9) - 4);
  }
}

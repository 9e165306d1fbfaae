package stowage.rewrite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.importer.own.NetworkJson;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.range.IndexMap;
import stowage.rewrite.range.PadForm;
import stowage.rewrite.range.Part;
import stowage.rewrite.range.Span;

class SplitterTest extends FolderTest {
  private static final Network MOBILENET =
      NetworkJson.read(Path.of("models/networks/mobilenet_v2.json"));

  /** The stem and four blocks: the run that MCUNetV2 executes in 4 x 4 patches. */
  private static final int[] STAGE = IntStream.range(0, 13).toArray();

  static Network two() {
    String window = " kernel_shape=[3,3] pads=[1,1,1,1] name=";
    return Graphs.of(ElementType.I8, "x:1x1x8x8; weight v:4x1x3x3 w:1x4x3x3")
        .and("y:1x4x8x8 = Conv x v" + window + "first; z:1x1x8x8 = Conv y w" + window + "second")
        .and("-> z")
        .network();
  }

  /** Both in two pieces. */
  private static RunSplit halves() {
    AxisSplit rows = AxisSplit.even(SplitAxis.ROWS, 8, 2);
    return new RunSplit(new int[] {0, 1}, List.of(rows), true, PadForm.CROP);
  }

  @Test
  void twoConvolutionsAsWorkedOutByHand() throws BarrierException, IOException {
    Network two = two();
    RunCost cost = RunCost.of(new SplitModel(two), halves());
    assertEquals(576, cost.extraMacs());
    assertEquals(48 + 48 + 64, cost.movedBytes());
    Rewriting split = Splitter.split(new SplitModel(two), List.of(halves()));
    Network made = split.network();
    assertEquals(
        List.of(
            ("first.slice#1of2 first#1of2 second#1of2 first.slice#2of2 first#2of2 second#2of2 "
                    + "second.concat")
                .split(" ")),
        made.ops().stream().map(Op::name).toList());
    assertArrayEquals(IntStream.range(0, made.ops().size()).toArray(), made.executionOrder());
    assertEquals(List.of(1L, 4L, 5L, 8L), made.tensor("y#1of2").shape());
    assertEquals(List.of(1L, 1L, 6L, 8L), made.tensor("x#2of2").shape());
    assertEquals(List.of(1L, 1L, 0L, 1L), made.ops().get(1).integers("pads"));
    assertEquals(List.of(0L, 1L, 1L, 1L), made.ops().get(4).integers("pads"));
    assertEquals(4608 + 576, MacCount.of(made));
    assertEquals(
        new TensorOrigin("y", new long[] {0, 0, 3, 0}, new long[] {1, 4, 8, 8}, 1),
        split.tensors().get("y#2of2"));
    assertEquals(new OpOrigin(0, OpOrigin.Kind.SLICE, 0, 1, 2, 1), split.ops().get(3));
    Path file = folder.resolve("network.json");
    NetworkJson.write(made, file);
    assertEquals(made.ops(), NetworkJson.read(file).ops());
  }

  /** The convolutions above as TPU-MLIR has them for a chip, the second's filter in one row. */
  @Test
  void convolutionsOfTpuMlirAreCutAndCountedAsThoseOfOnnx() throws BarrierException {
    Network two = two();
    List<Tensor> tensors = new ArrayList<>(two.tensors().values());
    List<Long> inOneRow = List.of(1L, 1L, 36L, 1L);
    tensors.remove(two.tensor("w"));
    tensors.add(new Tensor("w", inOneRow, ElementType.I8, Tensor.Kind.WEIGHT));
    List<Op> ops = new ArrayList<>();
    for (Op op : two.ops()) {
      ops.add(new Op(op.name(), "tpu.Conv2D", op.attributes(), op.inputs(), op.outputs(), 0));
    }
    Network lowered = two.with(tensors, ops);
    assertEquals(4608, MacCount.of(lowered));
    assertEquals(576, RunCost.of(new SplitModel(lowered), halves()).extraMacs());
    Network made = Splitter.split(new SplitModel(lowered), List.of(halves())).network();
    assertEquals(List.of(0L, 1L, 1L, 1L), made.ops().get(4).integers("pads"));
    Op grouped = new Op("second", "tpu.Group", Map.of(), List.of("y", "w"), List.of("z"), 0);
    Network barrier = two.with(tensors, List.of(ops.get(0), grouped));
    assertThrows(BarrierException.class, () -> RunCost.of(new SplitModel(barrier), halves()));
  }

  /** A pool of columns that its operand does not have: rows are cut as ever. */
  @Test
  void columnsThatDoNotFitTheWindowStayWhole() throws BarrierException {
    String window = " padding=SAME stride_w=1 stride_h=1 filter_width=3 filter_height=3";
    Network odd =
        Graphs.of(ElementType.I8, "format tflite; x:1x8x8x3; y:1x8x800x3 = MAX_POOL_2D x" + window)
            .and("z:1x8x800x3 = RELU y; -> z")
            .network();
    Network made = Splitter.split(new SplitModel(odd), List.of(halves())).network();
    assertEquals(List.of(1L, 4L, 800L, 3L), made.tensor("z#1of2").shape());
  }

  /** Bounds for more rows than the run's result has: it cannot be cut there. */
  @Test
  void boundsBeyondTheResultAreABarrier() {
    RunSplit run = halves();
    AxisSplit beyond = new AxisSplit(run.axes().get(0).axis(), new int[] {3, 1000});
    RunSplit cut = new RunSplit(run.ops(), List.of(beyond), run.topDown(), run.pads());
    SplitModel model = new SplitModel(two());
    assertThrows(BarrierException.class, () -> Splitter.split(model, List.of(cut)));
  }

  /** A piece may be just what a slice takes; the slice's result keeps its name where it is one. */
  @Test
  void sliceThatIsAPieceStaysAResultOfTheNetwork() throws BarrierException {
    Network made = sliced("");
    assertEquals(List.of("z"), made.outputs());
    assertEquals(List.of("z"), made.ops().get(made.ops().size() - 1).outputs());
    assertEquals(List.of(1L, 2L, 4L, 4L), made.tensor("z").shape());
  }

  @Test
  void sliceWithReluIsNoPiece() throws BarrierException {
    Network made = sliced("relu=true");
    assertTrue(made.ops().get(made.ops().size() - 1).flag("relu"));
  }

  /** The lower half of what is made in halves. */
  private static Network sliced(String attributes) throws BarrierException {
    Network network =
        Graphs.of(ElementType.I8, "x:1x2x8x4; y:1x2x8x4 = Neg x")
            .and("z:1x2x4x4 = Slice y starts=[4] ends=[8] axes=[2] " + attributes + "; -> z")
            .network();
    AxisSplit rows = AxisSplit.even(SplitAxis.ROWS, 8, 2);
    RunSplit run = new RunSplit(new int[] {0}, List.of(rows), true, PadForm.CROP);
    return Splitter.split(new SplitModel(network), List.of(run)).network();
  }

  /** What is written of a network in pieces is the same on every run. */
  @Test
  void attributesOfSlicesAreInTheOrderOfTheirNames() throws BarrierException {
    Network network = Graphs.of(ElementType.I8, "x:1x2x8x8; y:1x2x8x8 = Neg x; -> y").network();
    List<AxisSplit> axes =
        List.of(AxisSplit.even(SplitAxis.ROWS, 8, 2), AxisSplit.even(SplitAxis.COLUMNS, 8, 2));
    RunSplit run = new RunSplit(new int[] {0}, axes, true, PadForm.CROP);
    Network made = Splitter.split(new SplitModel(network), List.of(run)).network();
    for (Op op : made.ops().stream().filter(one -> one.type().equals("Slice")).toList()) {
      assertEquals(List.of("axes", "ends", "starts"), List.copyOf(op.attributes().keySet()));
    }
    assertTrue(made.hasType("Slice"));
  }

  @Test
  void strideTwoOn112Rows() {
    IndexMap window = new IndexMap.Window(3, 2, 1);
    assertEquals(
        new Part(new Span(0, 56), new Span(0, 28), 1, 0), window.part(new Span(0, 28), 112, 56));
    assertEquals(
        new Part(new Span(55, 112), new Span(28, 56), 0, 0),
        window.part(new Span(28, 56), 112, 56));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 0.0, 1530368", "2, 2, 9.6, 468704", "3, 3, 19.8, 265952", "4, 4, 30.6, 170432",
    "7, 7, 66.1, 87488", "2, 1, 4.7, 842240", "4, 1, 14.0, 492800", "7, 1, 28.1, 331520",
    "14, 1, 60.9, 224000", "28, 1, 125.9, 170240"
  })
  void theStageOfMobileNetInPatches(int rows, int columns, double percent, long bytes)
      throws BarrierException {
    SplitModel model = new SplitModel(MOBILENET);
    RunSplit run =
        new RunSplit(
            STAGE,
            List.of(floored(SplitAxis.ROWS, rows), floored(SplitAxis.COLUMNS, columns)),
            true,
            PadForm.CROP);
    RunCost cost = RunCost.of(model, run);
    long stage = 0;
    for (int op : STAGE) {
      stage += MacCount.of(MOBILENET, MOBILENET.ops().get(op));
    }
    assertEquals(91_282_688, stage);
    assertEquals(300_774_272, MacCount.of(MOBILENET));
    assertEquals(percent, Math.round(1000.0 * cost.extraMacs() / stage) / 10.0);
    assertEquals(bytes, largest(cost.program(), 4) + 28 * 28 * 32);
    if (rows * columns > 1) {
      Rewriting split = Splitter.split(model, List.of(run));
      assertEquals(300_774_272 + cost.extraMacs(), MacCount.of(split.network()));
    }
  }

  /** Cuts of 28 rows at places rounded down. */
  private static AxisSplit floored(SplitAxis axis, int pieces) {
    return new AxisSplit(axis, IntStream.range(1, pieces).map(k -> 28 * k / pieces).toArray());
  }

  /** The largest operand and result of a convolution in a piece; the image is not counted. */
  private static long largest(RunProgram program, int elementBytes) {
    long largest = 0;
    for (RunProgram.Step step : program.steps()) {
      boolean convolution =
          step.kind() == OpOrigin.Kind.PIECE
              && MOBILENET.ops().get(step.op()).type().equals("Conv");
      if (convolution) {
        RunProgram.Value read = program.values().get(step.reads()[0]);
        boolean image = read.tensor().name().equals("image");
        boolean result = read.tensor().name().equals("block4.project");
        long bytes = image || result ? 0 : read.bytes();
        RunProgram.Value made = program.values().get(step.writes()[0]);
        bytes += made.tensor().name().equals("block4.project") ? 0 : made.bytes();
        largest = Math.max(largest, bytes / elementBytes);
      }
    }
    return largest;
  }

  @Test
  void withoutClippingTheStageCostsWhatMcunetSays() {
    long size = 7;
    long product = 0;
    List<Long> sizes = new ArrayList<>(List.of(size));
    for (int k = STAGE.length - 1; k >= 0; k--) {
      Op op = MOBILENET.ops().get(STAGE[k]);
      if (op.type().equals("Conv")) {
        long stride = op.integers("strides").isEmpty() ? 1 : op.integers("strides").get(0);
        long reach = op.integers("kernel_shape").get(0);
        List<Long> out = MOBILENET.tensor(op.outputs().get(0)).shape();
        MacCount.Basis basis = MacCount.basis(MOBILENET, op);
        product += 16 * size * size * out.get(1) * basis.each();
        size =
            new IndexMap.Window(reach, stride, 0)
                .part(new Span(1000, 1000 + size), 1 << 20, 1 << 20)
                .fed()
                .size();
        sizes.add(size);
      }
    }
    assertEquals(List.of(7L, 7L, 15L, 15L, 15L, 17L, 17L, 17L, 35L, 35L, 35L, 37L, 75L), sizes);
    assertEquals(41.9, Math.round(1000.0 * (product - 91_282_688) / 91_282_688) / 10.0);
  }

  @Test
  void inputsOfFourPatches() throws BarrierException {
    RunModel run = new SplitModel(MOBILENET).run(STAGE, List.of(SplitAxis.ROWS), PadForm.CROP);
    long[] fed =
        Arrays.stream(run.pieces(0, new int[] {7, 14, 21}).parts()[0])
            .mapToLong(part -> part.fed().size())
            .toArray();
    assertEquals(List.of(62L, 75L, 75L, 69L), Arrays.stream(fed).boxed().toList());
  }

  @Test
  void barriersNameTheOpAndTheReason() {
    SplitModel model = new SplitModel(MOBILENET);
    int pool = 0;
    while (!MOBILENET.ops().get(pool).type().startsWith("Global")) {
      pool++;
    }
    int[] run = {pool - 1, pool};
    BarrierException barrier =
        assertThrows(
            BarrierException.class, () -> model.run(run, List.of(SplitAxis.ROWS), PadForm.CROP));
    assertTrue(barrier.getMessage().contains(MOBILENET.ops().get(run[1]).name()));
  }
}

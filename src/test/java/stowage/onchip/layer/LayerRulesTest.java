package stowage.onchip.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.network.Chip;
import stowage.onchip.Chips;
import stowage.onchip.Groups;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;

/** The same ops as three formats write them are the same layers. */
class LayerRulesTest {
  private static final Chip CHIP = Chips.chip("small", 4, 16, 8192, 4, 1, true);
  private static final Slicing CUT = new Slicing(1, 1, 1, 3, 2);

  /** A convolution, a depthwise one, a pool, and an addition of the pool's result to itself. */
  private static final List<String> NETWORKS =
      List.of(
          """
          format onnx; x:1x3x32x48; weight conv.w:8x3x3x3 deep.w:8x1x3x3;
          conv:1x8x16x24 = Conv x conv.w kernel_shape=[3,3] strides=[2,2] pads=[0,0,1,1];
          deep:1x8x16x24 = Conv conv deep.w kernel_shape=[3,3] group=8 pads=[1,1,1,1];
          pool:1x8x8x12 = MaxPool deep kernel_shape=[2,2] strides=[2,2];
          sum:1x8x8x12 = Add pool pool; -> sum
          """,
          """
          format tflite; x:1x32x48x3; weight conv.w:8x3x3x3 deep.w:1x3x3x8;
          conv:1x16x24x8 = CONV_2D x conv.w padding=SAME stride_h=2 stride_w=2;
          deep:1x16x24x8 = DEPTHWISE_CONV_2D conv deep.w padding=SAME stride_h=1 stride_w=1;
          pool:1x8x12x8 = MAX_POOL_2D deep
            filter_height=2 filter_width=2 padding=VALID stride_h=2 stride_w=2;
          sum:1x8x12x8 = ADD pool pool; -> sum
          """,
          """
          format openvino; x:1x3x32x48; weight conv.w:8x3x3x3 deep.w:8x1x1x3x3;
          conv:1x8x16x24 = Convolution x conv.w strides=[2,2] auto_pad=same_upper;
          deep:1x8x16x24 =
            GroupConvolution conv deep.w strides=[1,1] pads_begin=[1,1] pads_end=[1,1];
          pool:1x8x8x12 = MaxPool deep kernel=[2,2] strides=[2,2];
          sum:1x8x8x12 = Add pool pool; -> sum
          """);

  @Test
  void aWindowBeyondAllNumbersIsNotFollowed() {
    LayerGraph graph =
        Groups.layers(
            CHIP,
            """
            format onnx; x:1x4x8x8; weight w:4x4x3x3;
            y:1x4x8x8 = Conv x w kernel_shape=[9223372036854775807,3]; -> y
            """);
    assertEquals("its kernel_shape is unknown", graph.layer(0).obstacle());
  }

  @Test
  void everyFormatGivesTheSameLayersAndSlices() throws SlicingException {
    LayerGraph expected = Groups.layers(CHIP, NETWORKS.get(0));
    SlicedGroup one = Groups.sliced(Groups.whole(expected), CUT);
    for (String network : NETWORKS) {
      LayerGraph graph = Groups.layers(CHIP, network);
      SlicedGroup other = Groups.sliced(Groups.whole(graph), CUT);
      for (int p = 0; p < graph.size(); p++) {
        String what = "op " + p + " of " + network;
        assertNull(graph.layer(p).obstacle(), what);
        assertEquals(expected.layer(p).operands(), graph.layer(p).operands(), what);
        assertEquals(expected.layer(p).weights(), graph.layer(p).weights(), what);
        assertEquals(expected.layer(p).work(), graph.layer(p).work(), what);
      }
      for (int t = 0; t < one.group().tensorCount(); t++) {
        for (Axis axis : Axis.values()) {
          assertEquals(one.slices(t, axis), other.slices(t, axis), network);
        }
      }
    }
    // By hand: the last of three slices of 8 rows is [6, 8); the pool reads [12, 16), the window
    // of three [11, 16), the one of two steps [22, 32).
    assertEquals(new Slice(22, 10), one.slices(0, Axis.H).get(2));
  }

  /** Every slice of a result gets all operand elements that its own elements are made of. */
  @Test
  void slicesHoldWhatReductionsRead() {
    for (long[] shape :
        new long[][] {{1, 8, 4, 6}, {1, 6, 6, 6}, {2, 4, 4, 3}, {3, 5, 5}, {4, 4}}) {
      for (int axes = 1; axes < 1 << shape.length; axes++) {
        for (boolean kept : new boolean[] {true, false}) {
          checkReduction(shape, axes, kept);
        }
      }
    }
    LayerGraph pooled =
        Groups.layers(CHIP, "format onnx; x:1x8x4x6; y:1x8 = ReduceMean x axes=[2,3]; -> y");
    assertNull(pooled.layer(0).obstacle());
    assertEquals(24, pooled.layer(0).work().perElement());
    String mean = "format onnx; x:1x8x6x6; y:1x8x6 = ReduceMean x axes=[%d] keepdims=0; -> y";
    assertNull(Groups.layers(CHIP, mean.formatted(-1)).layer(0).obstacle());
    assertNotNull(Groups.layers(CHIP, mean.formatted(2)).layer(0).obstacle());
  }

  /** Where TFLite has the data, and where the axis is an operand, as in OpenVINO. */
  @ParameterizedTest
  @CsvSource({
    "tflite, SPLIT a x",
    "tflite, SPLIT_V x s a",
    "openvino, Split x a",
    "openvino, VariadicSplit x a s"
  })
  void splitsWhoseAxisIsAnOperandAreCutAlongTheOthers(String format, String op) {
    String image = "x:1x6x4x8; y:1x3x4x8 z:1x3x4x8 = ";
    Layer layer =
        Groups.layers(CHIP, "format %s; weight a:1 s:2; %s%s; -> y z".formatted(format, image, op))
            .layer(0);
    assertNull(layer.obstacle());
    assertEquals(1, layer.operands().size());
    assertEquals(
        List.of(format.equals("tflite") ? Axis.H : Axis.C),
        Arrays.stream(Axis.values())
            .filter(axis -> layer.operands().get(0).rules().get(axis.ordinal()) != AxisRule.SAME)
            .toList());
  }

  private static void checkReduction(long[] shape, int axes, boolean kept) {
    List<Long> from = Arrays.stream(shape).boxed().toList();
    List<Integer> reduced =
        IntStream.range(0, from.size()).filter(k -> (axes >> k & 1) > 0).boxed().toList();
    List<Integer> rest =
        IntStream.range(0, from.size()).filter(k -> (axes >> k & 1) == 0).boxed().toList();
    List<Long> to =
        kept
            ? IntStream.range(0, from.size())
                .mapToObj(k -> reduced.contains(k) ? 1L : from.get(k))
                .toList()
            : rest.stream().map(from::get).toList();
    if (to.isEmpty()) {
      return;
    }
    Function<List<Long>, String> text =
        dims -> dims.stream().map(String::valueOf).collect(Collectors.joining("x"));
    String network =
        "format onnx; x:%s; y:%s = ReduceMax x axes=%s keepdims=%d; -> y"
            .formatted(
                text.apply(from),
                text.apply(to),
                reduced.toString().replace(" ", ""),
                kept ? 1 : 0);
    Layer layer = Groups.layers(CHIP, network).layer(0);
    for (int k = 0; layer.obstacle() == null && k < rest.size(); k++) {
      // The result's dimension that is cut, and the operand's that goes with it.
      int own = rest.get(k);
      Axis cut = Extents.axisOf(kept ? own : k, to.size());
      long extent = from.get(own);
      Slice part = new Slice(extent - 1, 1);
      Slice read =
          layer
              .operands()
              .get(0)
              .rules()
              .get(cut.ordinal())
              .operand(part, extent, Extents.of(from).along(cut));
      boolean same = Extents.axisOf(own, from.size()) == cut;
      assertTrue(extent == 1 || read == null || same && read.equals(part), network + ": " + read);
    }
  }

  @Test
  void normalisationsAndSplitsAreCutAlongTheirOtherAxesOnly() {
    assertEquals(List.of(Axis.H, Axis.W), uncut("y:2x4x6x8 = LayerNormalization x s axis=2"));
    assertEquals(List.of(Axis.W), uncut("y:2x4x6x8 = LayerNormalization x s"));
    assertEquals(List.of(Axis.C, Axis.H, Axis.W), uncut("y:2x4x6x8 = InstanceNormalization x s"));
    assertEquals(List.of(Axis.H), uncut("y:2x4x3x8 z:2x4x3x8 = Split x axis=2"));
    assertEquals(List.of(Axis.W), uncut("y:2x4x6x5 z:2x4x6x3 = Split x axis=-1"));
  }

  /** Each lane has the rows and columns of its channels, and all of what channels share. */
  @Test
  void factorsOfNormalisationsAreLaidOutAsWhatTheyScale() {
    String text = "format onnx; x:2x4x6x8; weight s:4 r:6x8 a:4x6x8; y:2x4x6x8 = %s; -> y";
    String[] ops = {"Instance x s", "Layer x r axis=2", "Layer x a axis=1"};
    Extents[] expected = {
      new Extents(1, 4, 1, 1, 1), new Extents(1, 1, 1, 1, 48), new Extents(1, 4, 1, 6, 8)
    };
    for (int k = 0; k < ops.length; k++) {
      String op = ops[k].replaceFirst(" ", "Normalization ");
      Layer layer = Groups.layers(CHIP, text.formatted(op)).layer(0);
      assertEquals(expected[k], layer.weights().get(0).extents(), op);
    }
  }

  private static List<Axis> uncut(String op) {
    Layer layer =
        Groups.layers(CHIP, "format onnx; x:2x4x6x8; weight s:4; " + op + "; -> y").layer(0);
    assertNull(layer.obstacle());
    List<AxisRule> rules = layer.operands().get(0).rules();
    return Arrays.stream(Axis.values())
        .filter(axis -> rules.get(axis.ordinal()) == AxisRule.UNCUT)
        .toList();
  }
}

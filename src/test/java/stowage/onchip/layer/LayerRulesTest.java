package stowage.onchip.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import stowage.network.Chip;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.onchip.Chips;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.slice.BackwardSlicer;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;

/** The same ops as three formats write them are the same layers. */
class LayerRulesTest {
  private static final Chip CHIP = Chips.chip("small", 4, 16, 8192, 4, 1, true);

  private static final long[] INPUT = {1, 3, 32, 48};
  private static final long[] FILTER = {8, 3, 3, 3};
  private static final long[] FEATURES = {1, 8, 16, 24};
  private static final long[] POOLED = {1, 8, 8, 12};

  /**
   * A convolution, a depthwise one, a pool, and an addition of the pool's result to itself.
   *
   * @param deepFilter the extents of the depthwise filter in the format
   * @param types of the four ops
   * @param attributes of the first three ops
   */
  private static Network network(
      String format,
      boolean channelsLast,
      List<Long> deepFilter,
      List<String> types,
      List<Map<String, Object>> attributes) {
    List<Tensor> tensors =
        List.of(
            activation("x", INPUT, channelsLast),
            weight("conv.w", shape(FILTER)),
            activation("conv", FEATURES, channelsLast),
            weight("deep.w", deepFilter),
            activation("deep", FEATURES, channelsLast),
            activation("pool", POOLED, channelsLast),
            activation("sum", POOLED, channelsLast));
    List<Op> ops =
        List.of(
            op("conv", types.get(0), attributes.get(0), "x", "conv.w"),
            op("deep", types.get(1), attributes.get(1), "conv", "deep.w"),
            op("pool", types.get(2), attributes.get(2), "deep"),
            op("sum", types.get(3), Map.of(), "pool", "pool"));
    return new Network("test", format, tensors, ops, List.of("x"), List.of("sum"), List.of());
  }

  /**
   * @param extents n, c, h, w
   */
  private static Tensor activation(String name, long[] extents, boolean channelsLast) {
    List<Long> shape =
        channelsLast ? shape(extents[0], extents[2], extents[3], extents[1]) : shape(extents);
    return new Tensor(name, shape, ElementType.F16, Tensor.Kind.ACTIVATION);
  }

  private static Tensor weight(String name, List<Long> shape) {
    return new Tensor(name, shape, ElementType.F16, Tensor.Kind.WEIGHT);
  }

  private static Op op(String result, String type, Map<String, Object> attributes, String... from) {
    return new Op(result, type, attributes, List.of(from), List.of(result), 0);
  }

  private static Network onnx() {
    List<Long> two = shape(2, 2);
    List<Long> three = shape(3, 3);
    return network(
        "onnx",
        false,
        shape(8, 1, 3, 3),
        List.of("Conv", "Conv", "MaxPool", "Add"),
        List.of(
            Map.of("kernel_shape", three, "strides", two, "pads", shape(0, 0, 1, 1)),
            Map.of("kernel_shape", three, "group", 8L, "pads", shape(1, 1, 1, 1)),
            Map.of("kernel_shape", two, "strides", two)));
  }

  private static Network tflite() {
    Map<String, Object> pool = new HashMap<>(Map.of("filter_height", 2L, "filter_width", 2L));
    pool.putAll(strided("VALID", 2));
    return network(
        "tflite",
        true,
        shape(1, 3, 3, 8),
        List.of("CONV_2D", "DEPTHWISE_CONV_2D", "MAX_POOL_2D", "ADD"),
        List.of(strided("SAME", 2), strided("SAME", 1), pool));
  }

  private static Map<String, Object> strided(String padding, long stride) {
    return Map.of("padding", padding, "stride_h", stride, "stride_w", stride);
  }

  private static Network openVino() {
    List<Long> two = shape(2, 2);
    List<Long> one = shape(1, 1);
    return network(
        "openvino",
        false,
        shape(8, 1, 1, 3, 3),
        List.of("Convolution", "GroupConvolution", "MaxPool", "Add"),
        List.of(
            Map.of("strides", two, "auto_pad", "same_upper"),
            Map.of("strides", one, "pads_begin", one, "pads_end", one),
            Map.of("kernel", two, "strides", two)));
  }

  private static List<Long> shape(long... extents) {
    return LongStream.of(extents).boxed().toList();
  }

  @Test
  void everyFormatGivesTheSameLayersAndSlices() throws SlicingException {
    LayerGraph expected = LayerGraph.of(onnx(), CHIP);
    Slicing cut = new Slicing(1, 1, 1, 3, 2);
    for (Network network : List.of(onnx(), tflite(), openVino())) {
      LayerGraph graph = LayerGraph.of(network, CHIP);
      SlicedGroup one = new BackwardSlicer(BackwardSlicer.Rules.TODAY).slice(whole(expected), cut);
      SlicedGroup other = new BackwardSlicer(BackwardSlicer.Rules.TODAY).slice(whole(graph), cut);
      for (int p = 0; p < graph.size(); p++) {
        String what = network.format() + ", op " + p;
        assertNull(graph.layer(p).obstacle(), what);
        assertEquals(expected.layer(p).operands(), graph.layer(p).operands(), what);
        assertEquals(expected.layer(p).weights(), graph.layer(p).weights(), what);
        assertEquals(expected.layer(p).work(), graph.layer(p).work(), what);
      }
      for (int t = 0; t < one.group().tensorCount(); t++) {
        for (Axis axis : Axis.values()) {
          assertEquals(one.slices(t, axis), other.slices(t, axis), network.format());
        }
      }
    }
    // By hand: the last of three slices of 8 rows is [6, 8); the pool reads [12, 16), the window
    // of three [11, 16), the one of two steps [22, 32).
    SlicedGroup rows = new BackwardSlicer(BackwardSlicer.Rules.TODAY).slice(whole(expected), cut);
    assertEquals(new Slice(22, 10), rows.slices(0, Axis.H).get(2));
  }

  private static GroupModel whole(LayerGraph graph) {
    return new GroupModel(graph, Partitioner.interval(0, graph.size() - 1));
  }
}

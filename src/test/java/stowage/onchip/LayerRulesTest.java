package stowage.onchip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.network.Chip;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** The same ops as three formats write them are the same layers. */
class LayerRulesTest {
  private static final Chip CHIP = Chips.chip("small", 4, 16, 8192, 4, 1, true);

  private static Tensor tensor(String name, Tensor.Kind kind, long... shape) {
    return new Tensor(name, Nets.shape(shape), ElementType.F16, kind);
  }

  /** A convolution, a depthwise one, a pool, and an addition of what the pool reads twice. */
  private static Network network(String format, List<Op> ops, long[]... shapes) {
    List<Tensor> tensors = new ArrayList<>();
    String[] names = {"x", "conv.w", "conv", "deep.w", "deep", "pool", "sum"};
    for (int k = 0; k < names.length; k++) {
      Tensor.Kind kind = names[k].endsWith(".w") ? Tensor.Kind.WEIGHT : Tensor.Kind.ACTIVATION;
      tensors.add(tensor(names[k], kind, shapes[k]));
    }
    return new Network("test", format, tensors, ops, List.of("x"), List.of("sum"), List.of());
  }

  private static Op op(String type, Map<String, Object> attributes, String result, String... from) {
    return new Op(result, type, attributes, List.of(from), List.of(result), 0);
  }

  private static long[] of(long... shape) {
    return shape;
  }

  private static Network onnx() {
    List<Long> two = Nets.shape(2, 2);
    List<Long> three = Nets.shape(3, 3);
    List<Op> ops =
        List.of(
            op(
                "Conv",
                Map.of("kernel_shape", three, "strides", two, "pads", Nets.shape(0, 0, 1, 1)),
                "conv",
                "x",
                "conv.w"),
            op(
                "Conv",
                Map.of("kernel_shape", three, "group", 8L, "pads", Nets.shape(1, 1, 1, 1)),
                "deep",
                "conv",
                "deep.w"),
            op("MaxPool", Map.of("kernel_shape", two, "strides", two), "pool", "deep"),
            op("Add", Map.of(), "sum", "pool", "pool"));
    return network(
        "onnx",
        ops,
        of(1, 3, 32, 48),
        of(8, 3, 3, 3),
        of(1, 8, 16, 24),
        of(8, 1, 3, 3),
        of(1, 8, 16, 24),
        of(1, 8, 8, 12),
        of(1, 8, 8, 12));
  }

  private static Network tflite() {
    Map<String, Object> strided = Map.of("padding", "SAME", "stride_h", 2L, "stride_w", 2L);
    Map<String, Object> plain = Map.of("padding", "SAME", "stride_h", 1L, "stride_w", 1L);
    Map<String, Object> pool =
        Map.of(
            "padding",
            "VALID",
            "stride_h",
            2L,
            "stride_w",
            2L,
            "filter_height",
            2L,
            "filter_width",
            2L);
    List<Op> ops =
        List.of(
            op("CONV_2D", strided, "conv", "x", "conv.w"),
            op("DEPTHWISE_CONV_2D", plain, "deep", "conv", "deep.w"),
            op("MAX_POOL_2D", pool, "pool", "deep"),
            op("ADD", Map.of(), "sum", "pool", "pool"));
    return network(
        "tflite",
        ops,
        of(1, 32, 48, 3),
        of(8, 3, 3, 3),
        of(1, 16, 24, 8),
        of(1, 3, 3, 8),
        of(1, 16, 24, 8),
        of(1, 8, 12, 8),
        of(1, 8, 12, 8));
  }

  private static Network openVino() {
    List<Long> two = Nets.shape(2, 2);
    List<Long> one = Nets.shape(1, 1);
    List<Op> ops =
        List.of(
            op(
                "Convolution",
                Map.of("strides", two, "auto_pad", "same_upper"),
                "conv",
                "x",
                "conv.w"),
            op(
                "GroupConvolution",
                Map.of("strides", one, "pads_begin", one, "pads_end", one),
                "deep",
                "conv",
                "deep.w"),
            op("MaxPool", Map.of("kernel", two, "strides", two), "pool", "deep"),
            op("Add", Map.of(), "sum", "pool", "pool"));
    return network(
        "openvino",
        ops,
        of(1, 3, 32, 48),
        of(8, 3, 3, 3),
        of(1, 8, 16, 24),
        of(8, 1, 1, 3, 3),
        of(1, 8, 16, 24),
        of(1, 8, 8, 12),
        of(1, 8, 8, 12));
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

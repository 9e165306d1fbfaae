package stowage.planning.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Small image networks in TFLite's or ONNX's form: convolutions, depthwise ones, residual adds. */
final class RandomChains {
  private final Random random;
  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Op> ops = new ArrayList<>();

  /** Whether channels are the last dimension, as in TFLite. */
  private final boolean last;

  private RandomChains(Random random, boolean last) {
    this.random = random;
    this.last = last;
  }

  static Network tflite(Random random, int ops, int side) {
    return new RandomChains(random, true).network(ops, side);
  }

  static Network onnx(Random random, int ops, int side) {
    return new RandomChains(random, false).network(ops, side);
  }

  private long side(Tensor tensor) {
    return tensor.extent(last ? 1 : 2);
  }

  private long channels(Tensor tensor) {
    return tensor.extent(last ? 3 : 1);
  }

  private Network network(int count, int side) {
    String at = activation("x", side, 1 + random.nextInt(3));
    while (ops.size() < count) {
      Tensor from = tensor(at);
      boolean residual = random.nextInt(4) == 0 && ops.size() + 2 < count;
      if (residual) {
        String inner = convolution(at, channels(from), 1, 3, true);
        inner = convolution(inner, channels(from), 1, 1 + 2 * random.nextInt(2), true);
        at = add(inner, at);
      } else {
        int stride = side(from) > 3 && random.nextInt(3) == 0 ? 2 : 1;
        at =
            convolution(
                at, 1 + random.nextInt(12), stride, 1 + random.nextInt(3), random.nextInt(4) > 0);
      }
    }
    return new Network(
        "chain", last ? "tflite" : "json", tensors, ops, List.of("x"), List.of(at), List.of());
  }

  private Tensor tensor(String name) {
    return tensors.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }

  private String activation(String name, long side, long channels) {
    tensors.add(
        new Tensor(
            name,
            last ? List.of(1L, side, side, channels) : List.of(1L, channels, side, side),
            ElementType.I8,
            Tensor.Kind.ACTIVATION));
    return name;
  }

  private String convolution(String from, long channels, int stride, int kernel, boolean same) {
    Tensor in = tensor(from);
    if (!last) {
      return onnx(from, channels, stride, kernel);
    }
    boolean padded = same || side(in) < kernel;
    long side = padded ? (side(in) + stride - 1) / stride : (side(in) - kernel + stride) / stride;
    boolean depthwise = random.nextInt(3) == 0;
    long made = depthwise ? channels(in) : channels;
    String name = "op" + ops.size();
    List<Long> filter =
        depthwise
            ? List.of(1L, (long) kernel, (long) kernel, made)
            : List.of(made, (long) kernel, (long) kernel, channels(in));
    tensors.add(new Tensor(name + "w", filter, ElementType.I8, Tensor.Kind.WEIGHT));
    String to = activation(name + "y", side, made);
    ops.add(
        new Op(
            name,
            depthwise ? "DEPTHWISE_CONV_2D" : "CONV_2D",
            Map.of(
                "padding",
                padded ? "SAME" : "VALID",
                "stride_h",
                (long) stride,
                "stride_w",
                (long) stride,
                "dilation_h_factor",
                1L,
                "dilation_w_factor",
                1L),
            List.of(from, name + "w"),
            List.of(to),
            0));
    return to;
  }

  private String onnx(String from, long channels, int stride, int kernel) {
    Tensor in = tensor(from);
    boolean depthwise = random.nextInt(3) == 0;
    long made = depthwise ? channels(in) : channels;
    long pad = (kernel - 1) / 2;
    String name = "op" + ops.size();
    tensors.add(
        new Tensor(
            name + "w",
            List.of(made, depthwise ? 1L : channels(in), (long) kernel, (long) kernel),
            ElementType.I8,
            Tensor.Kind.WEIGHT));
    String to = activation(name + "y", (side(in) + 2 * pad - kernel) / stride + 1, made);
    ops.add(
        new Op(
            name,
            "Conv",
            Map.of(
                "kernel_shape",
                List.of((long) kernel, (long) kernel),
                "strides",
                List.of((long) stride, (long) stride),
                "pads",
                List.of(pad, pad, pad, pad),
                "group",
                depthwise ? made : 1L),
            List.of(from, name + "w"),
            List.of(to),
            0));
    return to;
  }

  private String add(String one, String other) {
    Tensor in = tensor(one);
    String name = "op" + ops.size();
    String to = activation(name + "y", side(in), channels(in));
    ops.add(new Op(name, last ? "ADD" : "Add", Map.of(), List.of(one, other), List.of(to), 0));
    return to;
  }
}

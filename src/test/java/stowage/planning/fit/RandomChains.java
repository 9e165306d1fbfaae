package stowage.planning.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Small image networks in TFLite's or ONNX's form: convolutions, pools, residual adds, forks. */
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

  /** A network of two branches or more, with activations, margins, repeated rows and concats. */
  static Network forked(Random random, boolean last, int ops, int side) {
    return new RandomChains(random, last).forks(ops, side);
  }

  /** A chain whose inner tensors are larger than what goes in and comes out; with residual adds. */
  static Network wide(Random random, boolean last, int side) {
    RandomChains made = new RandomChains(random, last);
    String at = made.activation("x", side, 1 + random.nextInt(3));
    int inner = 1 + random.nextInt(3);
    for (int k = 0; k <= inner; k++) {
      int channels = k < inner ? 6 + random.nextInt(10) : 1 + random.nextInt(4);
      if (k > 0 && k < inner && random.nextInt(3) == 0) {
        at = made.add(made.convolution(at, made.channels(made.tensor(at)), 1, 3, true), at);
        continue;
      }
      int stride = random.nextInt(5) == 0 ? 2 : 1;
      at = made.convolution(at, channels, stride, 1 + random.nextInt(3), random.nextInt(4) > 0);
    }
    return made.named("wide", List.of(at));
  }

  /** Dense cells: each makes a wide tensor and a narrow one, and puts that beside what it reads. */
  static Network dense(Random random, boolean last, int side) {
    RandomChains made = new RandomChains(random, last);
    String at = made.activation("x", side, 1 + random.nextInt(3));
    for (int cells = 1 + random.nextInt(3); cells > 0; cells--) {
      String wide = made.convolution(at, 5 + random.nextInt(8), 1, 1, true);
      String narrow = made.convolution(wide, 1 + random.nextInt(3), 1, 3, true);
      boolean whole = made.side(made.tensor(narrow)) == made.side(made.tensor(at));
      at =
          !whole
              ? narrow
              : random.nextBoolean() ? made.concat(at, narrow) : made.concat(narrow, at);
    }
    if (random.nextBoolean()) {
      at = made.convolution(at, 2, 1 + random.nextInt(2), 1 + random.nextInt(3), true);
    }
    return made.named("dense", List.of(at));
  }

  private Network named(String name, List<String> results) {
    return new Network(
        name, last ? "tflite" : "json", tensors, ops, List.of("x"), results, List.of());
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
    return named("chain", List.of(at));
  }

  private Network forks(int count, int side) {
    List<String> ends = new ArrayList<>(List.of(activation("x", side, 1 + random.nextInt(3))));
    while (ops.size() < count) {
      String from = ends.get(random.nextInt(ends.size()));
      List<String> alike =
          ends.stream().filter(end -> side(tensor(end)) == side(tensor(from))).toList();
      String other = alike.get(random.nextInt(alike.size()));
      boolean same = channels(tensor(other)) == channels(tensor(from));
      int stride = side(tensor(from)) > 3 && random.nextInt(3) == 0 ? 2 : 1;
      int kernel = 1 + random.nextInt(3);
      String made =
          switch (random.nextInt(10)) {
            case 8 -> unary(from, last ? "LOCAL_RESPONSE_NORMALIZATION" : "LRN", 1);
            case 9 -> pad(from, 1 + random.nextInt(2));
            case 0 -> same ? add(from, other) : unary(from, last ? "RELU" : "Relu", 1);
            case 1 -> concat(from, other);
            case 2 -> last ? unary(from, "RESIZE_NEAREST_NEIGHBOR", 2) : unary(from, "Sigmoid", 1);
            case 3 -> unary(from, last ? "LOGISTIC" : "Sigmoid", 1);
            default ->
                convolution(from, 1 + random.nextInt(9), stride, kernel, random.nextBoolean());
          };
      if (random.nextInt(3) > 0) {
        ends.remove(from);
      }
      ends.add(made);
      if (side(tensor(made)) > 16) {
        break;
      }
    }
    List<String> results = new ArrayList<>();
    for (Op op : ops) {
      String made = op.outputs().get(0);
      if (ops.stream().noneMatch(reader -> reader.inputs().contains(made))
          || random.nextInt(10) == 0) {
        results.add(made);
      }
    }
    return named("forks", results);
  }

  private String unary(String from, String type, int factor) {
    Tensor in = tensor(from);
    String name = "op" + ops.size();
    String to = activation(name + "y", factor * side(in), channels(in));
    ops.add(new Op(name, type, Map.of(), List.of(from), List.of(to), 0));
    return to;
  }

  private String pad(String from, long margin) {
    Tensor in = tensor(from);
    String name = "op" + ops.size();
    String to = activation(name + "y", side(in) + 2 * margin, channels(in));
    List<Long> pads =
        last
            ? List.of(0L, margin, margin, 0L, 0L, margin, margin, 0L)
            : List.of(0L, 0L, margin, margin, 0L, 0L, margin, margin);
    String type = last ? "PAD" : "Pad";
    ops.add(new Op(name, type, Map.of("pads", pads), List.of(from), List.of(to), 0));
    return to;
  }

  private String concat(String one, String other) {
    String name = "op" + ops.size();
    long channels = channels(tensor(one)) + channels(tensor(other));
    String to = activation(name + "y", side(tensor(one)), channels);
    ops.add(
        new Op(
            name,
            last ? "CONCATENATION" : "Concat",
            Map.of("axis", last ? 3L : 1L),
            List.of(one, other),
            List.of(to),
            0));
    return to;
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

  private String onnx(String from, long channels, int stride, int taps) {
    Tensor in = tensor(from);
    long pad = (taps - 1) / 2; // an odd kernel of stride 1 keeps the side
    int kernel = (int) Math.min(taps, side(in) + 2 * pad);
    boolean depthwise = random.nextInt(3) == 0;
    long made = depthwise ? channels(in) : channels;
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

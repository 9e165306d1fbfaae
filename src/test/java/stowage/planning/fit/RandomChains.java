package stowage.planning.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;

/** Small image networks in TFLite's or ONNX's form: convolutions, pools, residual adds, forks. */
final class RandomChains {
  private final Random random;

  /** Whether channels are the last dimension, as in TFLite. */
  private final boolean last;

  private final Graphs graph;
  private int ops;

  private RandomChains(Random random, boolean last, int side) {
    this.random = random;
    this.last = last;
    String input = "x:" + shape(side, 1 + random.nextInt(3));
    this.graph = Graphs.of(ElementType.I8, (last ? "format tflite; " : "") + input);
  }

  /** A chain with residual adds. */
  static Network of(Random random, boolean last, int ops, int side) {
    return new RandomChains(random, last, side).network(ops);
  }

  /** A network of two branches or more, with activations, margins, repeated rows and concats. */
  static Network forked(Random random, boolean last, int ops, int side) {
    return new RandomChains(random, last, side).forks(ops);
  }

  /** A chain whose inner tensors are larger than what goes in and comes out; with residual adds. */
  static Network wide(Random random, boolean last, int side) {
    RandomChains made = new RandomChains(random, last, side);
    String at = "x";
    int inner = 1 + random.nextInt(3);
    for (int k = 0; k <= inner; k++) {
      int channels = k < inner ? 6 + random.nextInt(10) : 1 + random.nextInt(4);
      if (k > 0 && k < inner && random.nextInt(3) == 0) {
        at = made.add(made.convolution(at, made.channels(at), 1, 3, true), at);
        continue;
      }
      int stride = random.nextInt(5) == 0 ? 2 : 1;
      at = made.convolution(at, channels, stride, 1 + random.nextInt(3), random.nextInt(4) > 0);
    }
    return made.returning(at);
  }

  /** Dense cells: each makes a wide tensor and a narrow one, and puts that beside what it reads. */
  static Network dense(Random random, boolean last, int side) {
    RandomChains made = new RandomChains(random, last, side);
    String at = "x";
    for (int cells = 1 + random.nextInt(3); cells > 0; cells--) {
      String wide = made.convolution(at, 5 + random.nextInt(8), 1, 1, true);
      String narrow = made.convolution(wide, 1 + random.nextInt(3), 1, 3, true);
      boolean whole = made.side(narrow) == made.side(at);
      at =
          !whole
              ? narrow
              : random.nextBoolean() ? made.concat(at, narrow) : made.concat(narrow, at);
    }
    if (random.nextBoolean()) {
      at = made.convolution(at, 2, 1 + random.nextInt(2), 1 + random.nextInt(3), true);
    }
    return made.returning(at);
  }

  private Network returning(String... results) {
    return graph.and("-> " + String.join(" ", results)).network();
  }

  private long side(String tensor) {
    return graph.tensor(tensor).extent(last ? 1 : 2);
  }

  private long channels(String tensor) {
    return graph.tensor(tensor).extent(last ? 3 : 1);
  }

  private Network network(int count) {
    String at = "x";
    while (ops < count) {
      boolean residual = random.nextInt(4) == 0 && ops + 2 < count;
      if (residual) {
        String inner = convolution(at, channels(at), 1, 3, true);
        inner = convolution(inner, channels(at), 1, 1 + 2 * random.nextInt(2), true);
        at = add(inner, at);
      } else {
        int stride = side(at) > 3 && random.nextInt(3) == 0 ? 2 : 1;
        int channels = 1 + random.nextInt(12);
        at = convolution(at, channels, stride, 1 + random.nextInt(3), random.nextInt(4) > 0);
      }
    }
    return returning(at);
  }

  private Network forks(int count) {
    List<String> ends = new ArrayList<>(List.of("x"));
    while (ops < count) {
      String from = ends.get(random.nextInt(ends.size()));
      List<String> alike = ends.stream().filter(end -> side(end) == side(from)).toList();
      String other = alike.get(random.nextInt(alike.size()));
      boolean same = channels(other) == channels(from);
      int stride = side(from) > 3 && random.nextInt(3) == 0 ? 2 : 1;
      int kernel = 1 + random.nextInt(3);
      String made =
          switch (random.nextInt(10)) {
            case 8 -> unary("LOCAL_RESPONSE_NORMALIZATION LRN", from, 1);
            case 9 -> pad(from, 1 + random.nextInt(2));
            case 0 -> same ? add(from, other) : unary("RELU Relu", from, 1);
            case 1 -> concat(from, other);
            case 2 -> unary("RESIZE_NEAREST_NEIGHBOR Sigmoid", from, last ? 2 : 1);
            case 3 -> unary("LOGISTIC Sigmoid", from, 1);
            default ->
                convolution(from, 1 + random.nextInt(9), stride, kernel, random.nextBoolean());
          };
      if (random.nextInt(3) > 0) {
        ends.remove(from);
      }
      ends.add(made);
      if (side(made) > 16) {
        break;
      }
    }
    List<String> results = new ArrayList<>();
    List<Op> all = graph.network().ops();
    for (Op op : all) {
      String made = op.outputs().get(0);
      if (all.stream().noneMatch(reader -> reader.inputs().contains(made))
          || random.nextInt(10) == 0) {
        results.add(made);
      }
    }
    return returning(results.toArray(String[]::new));
  }

  /** An op by its types in TFLite and in ONNX, with its operands and attributes; its result. */
  private String op(String types, String rest, long side, long channels) {
    String name = "op" + ops++;
    String result = name + "y:" + shape(side, channels);
    graph.and(result + " = " + types.split(" ")[last ? 0 : 1] + " " + rest + " name=" + name);
    return name + "y";
  }

  private String shape(long side, long channels) {
    return (last ? "1x%1$dx%1$dx%2$d" : "1x%2$dx%1$dx%1$d").formatted(side, channels);
  }

  private String unary(String types, String from, int factor) {
    return op(types, from, factor * side(from), channels(from));
  }

  private String add(String one, String other) {
    return op("ADD Add", one + " " + other, side(one), channels(one));
  }

  private String pad(String from, long margin) {
    String pads = last ? "[0,m,m,0,0,m,m,0]" : "[0,0,m,m,0,0,m,m]";
    String rest = from + " pads=" + pads.replace("m", "" + margin);
    return op("PAD Pad", rest, side(from) + 2 * margin, channels(from));
  }

  private String concat(String one, String other) {
    String rest = one + " " + other + " axis=" + (last ? 3 : 1);
    return op("CONCATENATION Concat", rest, side(one), channels(one) + channels(other));
  }

  private String convolution(String from, long channels, int stride, int kernel, boolean same) {
    if (!last) {
      return onnx(from, channels, stride, kernel);
    }
    boolean padded = same || side(from) < kernel;
    long side =
        padded ? (side(from) + stride - 1) / stride : (side(from) - kernel + stride) / stride;
    boolean depthwise = random.nextInt(3) == 0;
    long made = depthwise ? channels(from) : channels;
    String filter = depthwise ? "1x%1$dx%1$dx%2$d" : "%2$dx%1$dx%1$dx%3$d";
    graph.and("weight op" + ops + "w:" + filter.formatted(kernel, made, channels(from)));
    String rest = "%s op%dw padding=%s stride_h=%d stride_w=%4$d";
    return op(
        depthwise ? "DEPTHWISE_CONV_2D -" : "CONV_2D -",
        rest.formatted(from, ops, padded ? "SAME" : "VALID", stride)
            + " dilation_h_factor=1 dilation_w_factor=1",
        side,
        made);
  }

  private String onnx(String from, long channels, int stride, int taps) {
    long pad = (taps - 1) / 2; // an odd kernel of stride 1 keeps the side
    int kernel = (int) Math.min(taps, side(from) + 2 * pad);
    boolean depthwise = random.nextInt(3) == 0;
    long made = depthwise ? channels(from) : channels;
    long read = depthwise ? 1 : channels(from);
    graph.and("weight op%dw:%dx%dx%dx%4$d".formatted(ops, made, read, kernel));
    String windows = "%s op%dw kernel_shape=[%d,%3$d] strides=[%d,%4$d] pads=[%d,%5$d,%5$d,%5$d]";
    return op(
        "- Conv",
        windows.formatted(from, ops, kernel, stride, pad) + " group=" + (depthwise ? made : 1),
        (side(from) + 2 * pad - kernel) / stride + 1,
        made);
  }
}

package stowage.importer.tflite;

import static stowage.importer.tflite.TfliteBuilder.BOOL;
import static stowage.importer.tflite.TfliteBuilder.FLOAT32;
import static stowage.importer.tflite.TfliteBuilder.INT32;
import static stowage.importer.tflite.TfliteBuilder.INT8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random models of images in the order batch, rows, columns, channels: of floats, whose taps the
 * reference kernels add up one after the other whatever rows they compute, or quantised to signed
 * bytes by channels. So results of pieces are equal to the bit.
 */
public final class RandomTflite {
  private static final int RESOURCE = 13;

  private final RandomTensors make;
  private final TfliteBuilder builder;
  private final Random random;
  private final boolean bytes;
  private final List<Value> values = new ArrayList<>();

  /** Writes the subgraphs that ops of the main one run, which come behind it. */
  private final List<Runnable> bodies = new ArrayList<>();

  /** An activation; scale and zero point say what its bytes mean. */
  private record Value(int tensor, int[] shape, float scale, int zero) {}

  private RandomTflite(Random random, boolean bytes) {
    this.random = random;
    this.bytes = bytes;
    this.make = new RandomTensors(random, bytes);
    this.builder = make.builder;
  }

  /** A model of floats, with 2 to 8 ops. */
  static byte[] of(Random random) {
    return new RandomTflite(random, false).model(1, 2 + random.nextInt(7), 14);
  }

  /**
   * A model with ops of all types, bodies of control flow, variables, and up to two inputs.
   *
   * @param bytes whether it is quantised to signed bytes; else it is of floats
   */
  public static byte[] of(Random random, boolean bytes, int ops) {
    int batch = random.nextInt(6) == 0 ? 2 : 1;
    return new RandomTflite(random, bytes).model(batch, ops, 26);
  }

  private byte[] model(int batch, int ops, int kinds) {
    List<Integer> inputs = new ArrayList<>();
    int large = kinds > 14 ? 5 : 1;
    int rows = 6 + random.nextInt(large * 14);
    int columns = 5 + random.nextInt(large * 9);
    int[] image = {batch, rows, columns, 1 + random.nextInt(bytes ? 12 : 3)};
    inputs.add(add(image).tensor);
    if (kinds > 14 && random.nextInt(4) == 0) {
      inputs.add(add(random.nextBoolean() ? image : new int[] {batch, 7, 6, 2}).tensor);
    }
    int most = kinds > 14 && random.nextBoolean() ? 9 : kinds; // few barriers
    int left = ops;
    for (int turn = 0; turn < 20 * ops && left > 0; turn++) {
      left -= op(most) ? 1 : 0;
    }
    List<Integer> outputs = new ArrayList<>(List.of(values.get(values.size() - 1).tensor));
    int first = inputs.size();
    if (random.nextInt(3) == 0 && values.size() > 2 + first) {
      outputs.add(values.get(first + random.nextInt(values.size() - 1 - first)).tensor);
    }
    builder.subgraph("random", array(inputs), array(outputs));
    for (int k = 0; k < bodies.size(); k++) {
      bodies.get(k).run();
    }
    return builder.bytes();
  }

  private static int[] array(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  /** A new activation, whose scale is drawn. */
  private Value add(int... shape) {
    return add(0.02f + 0.1f * random.nextFloat(), random.nextInt(41) - 20, shape);
  }

  private Value like(Value value, int... shape) {
    return add(value.scale, value.zero, shape);
  }

  private Value add(float scale, int zero, int... shape) {
    Value value = new Value(make.activation(scale, zero, shape), shape, scale, zero);
    values.add(value);
    return value;
  }

  private static int same(int extent, int stride) {
    return (extent + stride - 1) / stride;
  }

  /** Adds an op; true, as it always goes. */
  private boolean op(String code, Value result, int options, int optionsType, int... read) {
    builder.op(code, read, new int[] {result.tensor}, options, optionsType);
    return true;
  }

  /** Adds an op of a drawn kind; false where it does not go with the value drawn. */
  private boolean op(int kinds) {
    int at = random.nextInt(3) > 0 ? values.size() - 1 : random.nextInt(values.size());
    Value x = values.get(at);
    int kind = random.nextInt(kinds > 14 && random.nextBoolean() ? 8 : kinds);
    if (x.shape.length != 4) {
      return matrix(x, kind);
    }
    return switch (kind) {
      case 0, 1, 2, 3, 4, 5 -> window(x, kind);
      case 6, 7 -> unary(x);
      case 8, 9 -> binary(x, kind == 8);
      case 10 -> margins(x);
      case 11, 12 -> reshuffled(x, kind == 11);
      case 13 -> transposed(x);
      case 14, 15 -> part(x);
      case 16 -> softmax(x);
      case 17 -> mean(x);
      case 18, 19 -> flat(x);
      case 20 -> turned(x);
      case 21 -> bytes && converted(x);
      case 22, 23 -> random.nextInt(3) == 0 && branch(x);
      case 24 -> random.nextInt(3) == 0 && loop(x);
      default -> random.nextInt(3) == 0 && variable(x);
    };
  }

  private boolean unary(Value x) {
    return switch (random.nextInt(6)) {
      case 0 -> op("LOGISTIC", add(1f / 256, -128, x.shape), 0, 0, x.tensor);
      case 1 -> op("TANH", add(1f / 128, 0, x.shape), 0, 0, x.tensor);
      case 2 ->
          op(
              "LEAKY_RELU",
              add(x.shape),
              builder.options(0.125f + random.nextFloat()),
              75,
              x.tensor);
      case 3 -> op("HARD_SWISH", add(x.shape), 0, 0, x.tensor);
      default -> op("RELU", add(x.shape), 0, 0, x.tensor);
    };
  }

  private boolean binary(Value x, boolean arithmetic) {
    int axis = arithmetic ? -1 : 1 + random.nextInt(3);
    for (int k = values.size() - 1; k >= 0; k--) {
      Value other = values.get(k);
      boolean fits = other != x && other.shape.length == 4;
      for (int d = 0; d < 4 && fits; d++) {
        fits = d == axis || x.shape[d] == other.shape[d];
      }
      if (!fits) {
        continue;
      }
      if (arithmetic) {
        String[] codes = {"ADD", "ADD", "MUL", "SUB", "MAXIMUM"};
        int[] options = {11, 11, 21, 28, 0};
        int c = random.nextInt(bytes ? 4 : 5);
        int fields = c == 4 ? 0 : builder.options(fused());
        return op(codes[c], add(x.shape), fields, options[c], x.tensor, other.tensor);
      }
      boolean alike = !bytes || x.scale == other.scale && x.zero == other.zero;
      if (alike && x.shape[axis] + other.shape[axis] < 24) {
        int[] shape = x.shape.clone();
        shape[axis] += other.shape[axis];
        return op(
            "CONCATENATION", like(x, shape), builder.options(axis), 10, x.tensor, other.tensor);
      }
    }
    return false;
  }

  /** None, RELU or RELU6. */
  private byte fused() {
    return (byte) (random.nextInt(3) > 0 ? 0 : random.nextBoolean() ? 1 : 3);
  }

  private boolean margins(Value x) {
    int[] p = {0, 0, random.nextInt(3), random.nextInt(3), random.nextInt(3), 0, 0, 0};
    int pads = make.integers(new int[] {4, 2}, p);
    int[] shape = {x.shape[0], x.shape[1] + p[2] + p[3], x.shape[2] + p[4], x.shape[3]};
    return op("PAD", like(x, shape), 0, 0, x.tensor, pads);
  }

  private boolean reshuffled(Value x, boolean resized) {
    int[] s = x.shape;
    if (resized) {
      if (s[1] > 20) {
        return false;
      }
      int f = 1 + random.nextInt(3);
      int size = make.vector(s[1] * f, s[2]);
      int options = builder.options(false, random.nextBoolean());
      Value large = like(x, s[0], s[1] * f, s[2], s[3]);
      return op("RESIZE_NEAREST_NEIGHBOR", large, options, 74, x.tensor, size);
    }
    boolean toSpace = s[3] % 4 == 0 && s[1] < 16;
    if (!toSpace && (s[1] % 2 != 0 || s[2] % 2 != 0 || s[3] > 2)) {
      return false;
    }
    int[] shape =
        toSpace
            ? new int[] {s[0], 2 * s[1], 2 * s[2], s[3] / 4}
            : new int[] {s[0], s[1] / 2, s[2] / 2, 4 * s[3]};
    String code = toSpace ? "DEPTH_TO_SPACE" : "SPACE_TO_DEPTH";
    return op(code, like(x, shape), builder.options(2), toSpace ? 94 : 19, x.tensor);
  }

  private boolean window(Value x, int kind) {
    int[] s = x.shape;
    int[] k = {1 + random.nextInt(5), 1 + random.nextInt(3)};
    int[] stride = {1 + random.nextInt(random.nextBoolean() ? 1 : 3), 1 + random.nextInt(2)};
    int dilation = kind < 4 && random.nextInt(3) == 0 ? 2 : 1;
    boolean valid = random.nextInt(3) == 0;
    int[] out = {s[0], 0, 0, s[3]};
    for (int d = 0; d < 2; d++) {
      int reach = (k[d] - 1) * dilation + 1;
      if (valid && s[1 + d] < reach) {
        return false;
      }
      out[1 + d] = valid ? (s[1 + d] - reach) / stride[d] + 1 : same(s[1 + d], stride[d]);
    }
    byte pad = (byte) (valid ? 1 : 0);
    if (kind >= 4) {
      int options = builder.options(pad, stride[1], stride[0], k[1], k[0], fused());
      op(kind == 4 ? "AVERAGE_POOL_2D" : "MAX_POOL_2D", like(x, out), options, 5, x.tensor);
    } else if (kind < 3) {
      out[3] = 1 + random.nextInt(bytes ? 24 : 5);
      int[] w = make.weights(x.scale, out[3], 0, out[3], k[0], k[1], s[3]);
      int options = builder.options(pad, stride[1], stride[0], fused(), dilation, dilation);
      op("CONV_2D", add(out), options, 1, x.tensor, w[0], w[1]);
    } else {
      int times = random.nextInt(3) == 0 && s[3] < 8 ? 2 : 1;
      out[3] *= times;
      int[] w = make.weights(x.scale, out[3], 3, 1, k[0], k[1], out[3]);
      int options = builder.options(pad, stride[1], stride[0], times, fused(), dilation, dilation);
      op("DEPTHWISE_CONV_2D", add(out), options, 2, x.tensor, w[0], w[1]);
    }
    return true;
  }

  private boolean transposed(Value x) {
    int[] s = x.shape;
    int k = 1 + random.nextInt(4);
    int stride = 1 + random.nextInt(2);
    boolean valid = random.nextBoolean();
    int rows = valid ? (s[1] - 1) * stride + k : s[1] * stride;
    int columns = valid ? (s[2] - 1) * stride + k : s[2] * stride;
    if (s[1] > 14 || s[2] > 14 || bytes) {
      return false; // on bytes the kernel asks for scratch memory, which no model names
    }
    int channels = 1 + random.nextInt(3);
    int shape = make.vector(s[0], rows, columns, channels);
    int[] w = make.weights(x.scale, channels, 0, channels, k, k, s[3]);
    int options = builder.options((byte) (valid ? 1 : 0), stride, stride);
    return op(
        "TRANSPOSE_CONV", add(s[0], rows, columns, channels), options, 49, shape, w[0], x.tensor);
  }

  /** Rows, columns or channels of a value, once or as halves. */
  private boolean part(Value x) {
    int axis = 1 + random.nextInt(3);
    int extent = x.shape[axis];
    int[] shape = x.shape.clone();
    int form = random.nextInt(3);
    if (form == 0) {
      if (extent % 2 != 0) {
        return false;
      }
      shape[axis] = extent / 2;
      int dim = make.integers(new int[0], axis);
      Value one = like(x, shape);
      Value two = like(x, shape);
      int[] halves = {one.tensor, two.tensor};
      builder.op("SPLIT", new int[] {dim, x.tensor}, halves, builder.options(2), 35);
      return true;
    }
    int[] begin = new int[4];
    begin[axis] = random.nextInt(extent);
    shape[axis] = 1 + random.nextInt(extent - begin[axis]);
    int[] last = x.shape.clone();
    last[axis] = begin[axis] + shape[axis];
    int from = make.vector(begin);
    if (form == 1) {
      op("SLICE", like(x, shape), 0, 0, x.tensor, from, make.vector(shape));
    } else {
      int to = make.vector(last);
      int steps = make.vector(1, 1, 1, 1);
      int options = builder.options(0, 0, 0, 0, 0);
      op("STRIDED_SLICE", like(x, shape), options, 32, x.tensor, from, to, steps);
    }
    return true;
  }

  private boolean softmax(Value x) {
    return op("SOFTMAX", add(1f / 256, -128, x.shape), builder.options(1f), 9, x.tensor);
  }

  private boolean mean(Value x) {
    if (bytes) {
      return false; // the kernel asks for scratch memory
    }
    boolean kept = random.nextBoolean();
    int[] s = x.shape;
    int axes = make.vector(1, 2);
    int[] shape = kept ? new int[] {s[0], 1, 1, s[3]} : new int[] {s[0], s[3]};
    return op("MEAN", add(shape), builder.options(kept), 27, x.tensor, axes);
  }

  /** An image as a matrix: each pixel a row, or each image. */
  private boolean flat(Value x) {
    int[] s = x.shape;
    int[] shape =
        random.nextInt(3) == 0
            ? new int[] {s[0], s[1] * s[2] * s[3]}
            : new int[] {s[0] * s[1] * s[2], s[3]};
    int wanted = make.vector(shape);
    return op("RESHAPE", like(x, shape), builder.options(shape), 17, x.tensor, wanted);
  }

  private boolean matrix(Value x, int kind) {
    int[] s = x.shape;
    if (kind < 14 && s[1] < 600) {
      int results = 1 + random.nextInt(24);
      int[] w = make.weights(x.scale, results, -1, results, s[1]);
      int options = builder.options(fused());
      return op("FULLY_CONNECTED", add(s[0], results), options, 8, x.tensor, w[0], w[1]);
    }
    return kind < 20 ? unary(x) : softmax(x);
  }

  private boolean turned(Value x) {
    int[] s = x.shape;
    int order = make.vector(0, 2, 1, 3);
    return op("TRANSPOSE", like(x, s[0], s[2], s[1], s[3]), 0, 0, x.tensor, order);
  }

  private boolean converted(Value x) {
    return op("QUANTIZE", add(x.shape), 0, 0, x.tensor);
  }

  /** Either of two bodies, by a constant condition. */
  private boolean branch(Value x) {
    int buffer = builder.buffer(new byte[] {(byte) random.nextInt(2)});
    int condition = builder.tensor(make.name("c"), BOOL, buffer, false, 1);
    int first = 1 + bodies.size();
    Value result = like(x, x.shape);
    op("IF", result, builder.options(first, first + 1), 92, condition, x.tensor);
    for (String code : List.of("RELU", "ADD")) {
      bodies.add(
          () -> {
            int read = make.activation(x.scale, x.zero, x.shape);
            int other = read;
            if (code.equals("ADD") && !bytes && random.nextBoolean()) {
              other = builder.tensor(make.name("s"), FLOAT32, 0, true, x.shape);
            }
            int made = make.activation(x.scale, x.zero, x.shape);
            int[] operands = code.equals("ADD") ? new int[] {read, other} : new int[] {read};
            int options = code.equals("ADD") ? builder.options((byte) 0) : 0;
            builder.op(code, operands, new int[] {made}, options, 11);
            builder.subgraph("body" + made, new int[] {read}, new int[] {made});
          });
    }
    return true;
  }

  /** Three rounds of a body. */
  private boolean loop(Value x) {
    int zero = make.vector(0);
    int first = 1 + bodies.size();
    int counter = builder.tensor(make.name("n"), INT32, 1);
    Value result = like(x, x.shape);
    int[] results = {counter, result.tensor};
    int options = builder.options(first, first + 1);
    builder.op("WHILE", new int[] {zero, x.tensor}, results, options, 93);
    bodies.add(
        () -> {
          int n = builder.tensor(make.name("n"), INT32, 1);
          int read = make.activation(x.scale, x.zero, x.shape);
          int three = make.vector(3);
          int less = builder.tensor(make.name("less"), BOOL, 1);
          builder.op("LESS", new int[] {n, three}, new int[] {less});
          builder.subgraph("condition", new int[] {n, read}, new int[] {less});
        });
    bodies.add(
        () -> {
          int n = builder.tensor(make.name("n"), INT32, 1);
          int read = make.activation(x.scale, x.zero, x.shape);
          int one = make.vector(1);
          int next = builder.tensor(make.name("n"), INT32, 1);
          int made = make.activation(x.scale, x.zero, x.shape);
          int plain = builder.options((byte) 0);
          builder.op("ADD", new int[] {n, one}, new int[] {next}, plain, 11);
          builder.op("ADD", new int[] {read, read}, new int[] {made}, plain, 11);
          builder.subgraph("body", new int[] {n, read}, new int[] {next, made});
        });
    return true;
  }

  /** A variable that one body fills once, added to a value. */
  private boolean variable(Value x) {
    String name = make.name("v");
    int[] none = {};
    int[] handle = {builder.tensor(name, RESOURCE, 1)};
    builder.op("CALL_ONCE", none, none, builder.options(1 + bodies.size()), 103);
    builder.op("VAR_HANDLE", none, handle, builder.options("", name), 111);
    int state = make.activation(x.scale, x.zero, x.shape);
    builder.op("READ_VARIABLE", handle, new int[] {state});
    op("ADD", add(x.shape), builder.options((byte) 0), 11, x.tensor, state);
    bodies.add(
        () -> {
          int inner = builder.tensor(name + "once", RESOURCE, 1);
          int count = Arrays.stream(x.shape).reduce(1, (a, b) -> a * b) * (bytes ? 1 : 4);
          byte[] data = new byte[count];
          if (bytes) {
            random.nextBytes(data);
          }
          int buffer = builder.buffer(data);
          float[] scale = {x.scale};
          int value =
              bytes
                  ? builder.quantised(make.name("k"), INT8, buffer, 0, x.zero, scale, x.shape)
                  : builder.tensor(make.name("k"), FLOAT32, buffer, false, x.shape);
          builder.op("VAR_HANDLE", none, new int[] {inner}, builder.options("", name), 111);
          builder.op("ASSIGN_VARIABLE", new int[] {inner, value}, none);
          builder.subgraph("once", none, none);
        });
    return true;
  }
}

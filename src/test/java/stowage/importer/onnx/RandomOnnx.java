package stowage.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import stowage.importer.onnx.proto.TensorProto;

/**
 * Random models of images and of tokens with weights of -1, 0 and 1, clipped after each product:
 * all sums are whole numbers that floats hold, so that results do not depend on the order of
 * additions.
 */
final class RandomOnnx {
  private final OnnxBuilder builder = new OnnxBuilder();
  private final Random random;
  private final List<String> names = new ArrayList<>();
  private final List<long[]> shapes = new ArrayList<>();
  private int made;

  private RandomOnnx(Random random) {
    this.random = random;
  }

  /** A model of images or of tokens. */
  static byte[] of(Random random) {
    RandomOnnx model = new RandomOnnx(random);
    boolean image = random.nextInt(4) > 0;
    if (image) {
      model.input(1 + random.nextInt(2), 2 * (1 + random.nextInt(2)), model.side(), model.side());
    } else {
      model.input(1 + random.nextInt(2), 3 + random.nextInt(9), 4);
    }
    int ops = 2 + random.nextInt(7);
    for (int k = 0; k < ops; k++) {
      boolean grown = image ? model.image() : model.tokens();
      k -= grown ? 0 : 1;
    }
    model.builder.and("-> " + model.names.get(model.names.size() - 1));
    if (random.nextInt(3) == 0 && model.names.size() > 3) {
      model.builder.and("-> " + model.names.get(1 + random.nextInt(model.names.size() - 2)));
    }
    return model.builder.bytes();
  }

  private int side() {
    return 6 + random.nextInt(12);
  }

  private void input(long... shape) {
    builder.and("x:float" + list(shape));
    add("x", shape);
  }

  private static String list(long... values) {
    return Arrays.toString(values).replace(" ", "");
  }

  private void add(String name, long... shape) {
    names.add(name);
    shapes.add(shape);
  }

  private String fresh() {
    return "t" + made++;
  }

  private int pick() {
    int last = names.size() - 1;
    return random.nextInt(3) > 0 ? last : random.nextInt(names.size());
  }

  /** Adds a node, as type, operands and attributes, whose result has a known shape. */
  private void node(String statement, long... shape) {
    String name = fresh();
    // Where the maxima are, which nothing reads.
    boolean positions = statement.startsWith("MaxPool") && random.nextInt(3) == 0;
    builder.and(name + (positions ? " " + fresh() : "") + " = " + statement);
    add(name, shape);
  }

  private String weights(long... dims) {
    return floats(() -> random.nextInt(3) - 1, dims);
  }

  /** Constant floats, drawn one after the other. */
  private String floats(DoubleSupplier drawn, long... dims) {
    TensorProto.Builder tensor = TensorProto.newBuilder().setName("f" + made++).setDataType(1);
    Arrays.stream(dims).forEach(tensor::addDims);
    for (long left = Arrays.stream(dims).reduce(1, (a, b) -> a * b); left > 0; left--) {
      tensor.addFloatData((float) drawn.getAsDouble());
    }
    builder.graph.addInitializer(tensor);
    return tensor.getName();
  }

  private String integers(long... values) {
    String name = "i" + made++;
    String all = list(values);
    String inner = all.substring(1, all.length() - 1);
    builder.and("weight " + name + ":int64[" + values.length + "]=" + inner);
    return name;
  }

  private void clip() {
    int last = names.size() - 1;
    node(
        "Clip " + names.get(last) + " " + floats(() -> -7) + " " + floats(() -> 7),
        shapes.get(last));
  }

  private void round() {
    int last = names.size() - 1;
    node("Floor " + names.get(last), shapes.get(last));
  }

  private long[] with(long[] shape, int axis, long extent) {
    long[] changed = shape.clone();
    changed[axis] = extent;
    return changed;
  }

  private boolean image() {
    int at = pick();
    String x = names.get(at);
    long[] s = shapes.get(at);
    int kind = random.nextInt(16);
    switch (kind) {
      case 0, 1, 2, 3, 4 -> {
        return window(x, s, kind < 3 ? "Conv" : kind == 3 ? "MaxPool" : "AveragePool");
      }
      case 5 -> node((random.nextBoolean() ? "Relu " : "Neg ") + x, s);
      case 6 -> {
        for (int k = names.size() - 1; k >= 0; k--) {
          if (k != at && Arrays.equals(shapes.get(k), s)) {
            node("Add " + x + " " + names.get(k), s);
            clip();
            return true;
          }
        }
        return false;
      }
      case 7 -> {
        for (int k = names.size() - 1; k >= 0; k--) {
          long[] other = shapes.get(k);
          if (k != at && Arrays.equals(with(other, 1, s[1]), s) && s[1] + other[1] < 12) {
            node("Concat " + x + " " + names.get(k) + " axis=1", with(s, 1, s[1] + other[1]));
            return true;
          }
        }
        return false;
      }
      case 8 -> {
        if (s[1] % 2 != 0) {
          return false;
        }
        String other = fresh();
        String name = fresh();
        builder.and(other + " " + name + " = Split " + x + " axis=1");
        add(other, with(s, 1, s[1] / 2));
        add(name, with(s, 1, s[1] / 2));
      }
      case 9 -> {
        long[] p = {0, 0, random.nextInt(3), random.nextInt(3), 0, 0, random.nextInt(3), 0};
        long[] shape = s.clone();
        shape[2] += p[2] + p[6];
        shape[3] += p[3];
        node("Pad " + x + " " + integers(p) + " " + floats(() -> random.nextInt(2)), shape);
      }
      case 10 -> {
        long f = 1 + random.nextInt(3);
        long g = 1 + random.nextInt(2);
        if (s[2] * f > 40 || s[3] * g > 40) {
          return false;
        }
        long[] shape = {s[0], s[1], s[2] * f, s[3] * g};
        boolean sizes = random.nextBoolean();
        boolean asymmetric = random.nextBoolean();
        String factors =
            sizes
                ? "_ " + integers(shape)
                : floats(DoubleStream.of(1, 1, f, g).iterator()::nextDouble, 4);
        String modes =
            asymmetric
                ? "'asymmetric' nearest_mode='floor'"
                : "'half_pixel' nearest_mode='round_prefer_floor'";
        String mode = " mode='nearest' coordinate_transformation_mode=" + modes;
        node("Resize " + x + " _ " + factors + mode, shape);
      }
      case 11 -> {
        if (s[1] % 4 != 0 || s[2] > 20) {
          return false;
        }
        node("DepthToSpace " + x + " blocksize=2", s[0], s[1] / 4, 2 * s[2], 2 * s[3]);
      }
      case 12 -> {
        if (s[2] % 2 != 0 || s[3] % 2 != 0 || s[1] > 3 || s[2] < 6) {
          return false;
        }
        node("SpaceToDepth " + x + " blocksize=2", s[0], 4 * s[1], s[2] / 2, s[3] / 2);
      }
      case 13 -> {
        return transposed(x, s);
      }
      case 14 -> {
        String c = weights(s[1]);
        String one = floats(() -> 1, s[1]);
        node(String.join(" ", "BatchNormalization", x, one, c, c, one), s);
        round();
      }
      default -> {
        int axis = 1 + random.nextInt(3);
        long start = random.nextInt((int) s[axis]);
        long end = start + 1 + random.nextInt((int) (s[axis] - start));
        String range = integers(start) + " " + integers(end) + " " + integers(axis);
        node("Slice " + x + " " + range, with(s, axis, end - start));
      }
    }
    return true;
  }

  private boolean window(String x, long[] s, String type) {
    boolean pool = !type.equals("Conv");
    long[] k = {1 + random.nextInt(5), 1 + random.nextInt(4)};
    long[] stride = {1 + random.nextInt(3), 1 + random.nextInt(2)};
    int automatic = random.nextInt(4);
    long[] dilation = {pool || automatic < 2 ? 1 : 1 + random.nextInt(2), 1};
    long[] pads = new long[4];
    for (int d = 0; d < 4; d++) {
      pads[d] = random.nextInt((int) k[d % 2]);
    }
    long[] out = {s[0], s[1], 0, 0};
    boolean ceiled = automatic == 3 && type.equals("MaxPool");
    for (int d = 0; d < 2; d++) {
      long reach = (k[d] - 1) * dilation[d] + 1;
      long all = automatic < 2 ? 0 : pads[d] + pads[d + 2];
      if (s[2 + d] + all < reach) {
        return false;
      }
      out[2 + d] =
          automatic < 2
              ? (s[2 + d] + stride[d] - 1) / stride[d]
              : (s[2 + d] + all - reach) / stride[d] + 1;
      if (ceiled && (s[2 + d] + all - reach) % stride[d] > 0) {
        if (out[2 + d] * stride[d] - pads[d] >= s[2 + d]) {
          return false; // versions of ONNX differ in windows that begin behind the image
        }
        out[2 + d]++;
      }
    }
    String attributes = " kernel_shape=" + list(k) + " strides=" + list(stride);
    attributes += ceiled ? " ceil_mode=1" : "";
    attributes += pool ? "" : " dilations=" + list(dilation);
    attributes +=
        switch (automatic) {
          case 0 -> " auto_pad='SAME_UPPER'";
          case 1 -> " auto_pad='SAME_LOWER'";
          default -> " pads=" + list(pads);
        };
    if (type.equals("AveragePool")) {
      attributes += " count_include_pad=" + random.nextInt(2);
    }
    String inputs = x;
    if (!pool) {
      boolean depthwise = random.nextBoolean();
      out[1] = depthwise ? s[1] : 1 + random.nextInt(4);
      attributes += " group=" + (depthwise ? s[1] : 1);
      inputs += " " + weights(out[1], depthwise ? 1 : s[1], k[0], k[1]) + " " + weights(out[1]);
    }
    node(type + " " + inputs + attributes, out);
    if (!pool) {
      clip();
    } else if (type.equals("AveragePool")) {
      round();
    }
    return true;
  }

  private boolean transposed(String x, long[] s) {
    if (s[2] > 14 || s[3] > 14) {
      return false;
    }
    long[] k = {1 + random.nextInt(4), 1 + random.nextInt(3)};
    long[] stride = {1 + random.nextInt(3), 1 + random.nextInt(2)};
    long[] more = {random.nextInt((int) stride[0]), 0};
    long[] pads = {random.nextInt((int) k[0]), 0, random.nextInt((int) k[0]), 0};
    long[] out = {s[0], 1 + random.nextInt(3), 0, 0};
    for (int d = 0; d < 2; d++) {
      out[2 + d] = (s[2 + d] - 1) * stride[d] + k[d] + more[d] - pads[d] - pads[d + 2];
      if (out[2 + d] < 1) {
        return false;
      }
    }
    String windows = " kernel_shape=" + list(k) + " strides=" + list(stride);
    String margins = " pads=" + list(pads) + " output_padding=" + list(more);
    node("ConvTranspose " + x + " " + weights(s[1], out[1], k[0], k[1]) + windows + margins, out);
    clip();
    return true;
  }

  private boolean tokens() {
    int at = pick();
    String x = names.get(at);
    long[] s = shapes.get(at);
    int last = s.length - 1;
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        long n = 2 + random.nextInt(6);
        node("MatMul " + x + " " + weights(s[last], n), with(s, last, n));
        clip();
      }
      case 2 -> node("Add " + x + " " + weights(s[last]), s);
      case 3 -> node("Relu " + x, s);
      case 4 -> {
        node("LayerNormalization " + x + " " + weights(s[last]), s);
        round();
      }
      case 5 -> {
        if (s.length != 3) {
          return false;
        }
        node("Transpose " + x + " perm=[1,0,2]", s[1], s[0], s[2]);
      }
      case 6 -> {
        if (s.length == 3) {
          long[] flat = {s[0] * s[1], s[2]};
          node("Reshape " + x + " " + integers(flat), flat);
        } else {
          String operands = x + " " + weights(3, s[1]) + " " + weights(3);
          node("Gemm " + operands + " transB=1", s[0], 3);
          clip();
        }
      }
      default -> {
        for (int k = names.size() - 1; k >= 0; k--) {
          if (k != at && Arrays.equals(shapes.get(k), s)) {
            node("Mul " + x + " " + names.get(k), s);
            clip();
            return true;
          }
        }
        return false;
      }
    }
    return true;
  }
}

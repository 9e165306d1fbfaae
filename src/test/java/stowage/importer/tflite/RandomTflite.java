package stowage.importer.tflite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random models of float images in the order batch, rows, columns, channels. The reference kernels
 * add up taps one after the other, whatever rows they compute, so results of pieces are equal to
 * the bit.
 */
final class RandomTflite {
  private static final int ADD = 0;
  private static final int AVERAGE_POOL = 1;
  private static final int CONCATENATION = 2;
  private static final int CONV = 3;
  private static final int DEPTHWISE_CONV = 4;
  private static final int LOGISTIC = 14;
  private static final int MAX_POOL = 17;
  private static final int RELU = 19;
  private static final int PAD = 34;
  private static final int TRANSPOSE_CONV = 67;
  private static final int RESIZE_NEAREST = 97;
  private static final int SPACE_TO_DEPTH = 26;
  private static final int DEPTH_TO_SPACE = 5;

  private final TfliteBuilder builder = new TfliteBuilder();
  private final Random random;
  private final List<Integer> tensors = new ArrayList<>();
  private final List<int[]> shapes = new ArrayList<>();
  private int made;

  private RandomTflite(Random random) {
    this.random = random;
  }

  /** A model of 2 to 8 ops. */
  static byte[] of(Random random) {
    RandomTflite model = new RandomTflite(random);
    int input = model.add(1, 6 + random.nextInt(14), 5 + random.nextInt(9), 1 + random.nextInt(3));
    int ops = 2 + random.nextInt(7);
    for (int turn = 0; turn < 60 && ops > 0; turn++) {
      ops -= model.op() ? 1 : 0;
    }
    List<Integer> outputs = new ArrayList<>();
    outputs.add(model.tensors.get(model.tensors.size() - 1));
    if (random.nextInt(3) == 0 && model.tensors.size() > 3) {
      outputs.add(model.tensors.get(1 + random.nextInt(model.tensors.size() - 2)));
    }
    model.builder.subgraph(
        "random", new int[] {input}, outputs.stream().mapToInt(Integer::intValue).toArray());
    return model.builder.bytes();
  }

  private int add(int... shape) {
    int tensor = builder.tensor("t" + made++, TfliteBuilder.FLOAT32, shape);
    tensors.add(tensor);
    shapes.add(shape);
    return tensor;
  }

  private int weights(int... shape) {
    int count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int k = 0; k < count; k++) {
      bytes.putFloat(random.nextFloat() - 0.5f);
    }
    int buffer = builder.buffer(bytes.array());
    return builder.tensor("w" + made++, TfliteBuilder.FLOAT32, buffer, false, shape);
  }

  private int integers(int[] shape, int... values) {
    int buffer = builder.buffer(TfliteBuilder.bytes(values));
    return builder.tensor("i" + made++, TfliteBuilder.INT32, buffer, false, shape);
  }

  private static int same(int extent, int stride) {
    return (extent + stride - 1) / stride;
  }

  private boolean op() {
    int at = random.nextInt(3) > 0 ? tensors.size() - 1 : random.nextInt(tensors.size());
    int x = tensors.get(at);
    int[] s = shapes.get(at);
    int kind = random.nextInt(14);
    switch (kind) {
      case 0, 1, 2, 3, 4, 5 -> {
        return window(x, s, kind);
      }
      case 6 -> builder.op(builder.code(LOGISTIC, null), new int[] {x}, new int[] {add(s)}, 0);
      case 7 -> builder.op(builder.code(RELU, null), new int[] {x}, new int[] {add(s)}, 0);
      case 8, 9 -> {
        for (int k = tensors.size() - 1; k >= 0; k--) {
          int[] other = shapes.get(k);
          boolean fits = s[1] == other[1] && s[2] == other[2];
          if (k != at && fits && kind == 8 && s[3] == other[3]) {
            int options = builder.options(0);
            int[] read = {x, tensors.get(k)};
            builder.op(builder.code(ADD, null), read, new int[] {add(s)}, options, 11);
            return true;
          }
          if (k != at && fits && kind == 9 && s[3] + other[3] < 10) {
            int[] read = {x, tensors.get(k)};
            int[] result = {add(s[0], s[1], s[2], s[3] + other[3])};
            builder.op(builder.code(CONCATENATION, null), read, result, builder.options(3), 10);
            return true;
          }
        }
        return false;
      }
      case 10 -> {
        int[] p = {0, 0, random.nextInt(3), random.nextInt(3), random.nextInt(3), 0, 0, 0};
        int pads = integers(new int[] {4, 2}, p);
        int[] result = {add(s[0], s[1] + p[2] + p[3], s[2] + p[4], s[3])};
        builder.op(builder.code(PAD, null), new int[] {x, pads}, result, 0);
      }
      case 11 -> {
        if (s[1] > 20) {
          return false;
        }
        int f = 1 + random.nextInt(3);
        int size = integers(new int[] {2}, s[1] * f, s[2]);
        int[] result = {add(s[0], s[1] * f, s[2], s[3])};
        builder.op(
            builder.code(RESIZE_NEAREST, null),
            new int[] {x, size},
            result,
            builder.fields(false, random.nextBoolean()),
            74);
      }
      case 12 -> {
        boolean toSpace = s[3] % 4 == 0 && s[1] < 16;
        if (!toSpace && (s[1] % 2 != 0 || s[2] % 2 != 0 || s[3] > 2)) {
          return false;
        }
        int[] result =
            toSpace
                ? new int[] {add(s[0], 2 * s[1], 2 * s[2], s[3] / 4)}
                : new int[] {add(s[0], s[1] / 2, s[2] / 2, 4 * s[3])};
        builder.op(
            builder.code(toSpace ? DEPTH_TO_SPACE : SPACE_TO_DEPTH, null),
            new int[] {x},
            result,
            builder.options(2),
            toSpace ? 94 : 19);
      }
      default -> {
        return transposed(x, s);
      }
    }
    return true;
  }

  private boolean window(int x, int[] s, int kind) {
    int[] k = {1 + random.nextInt(5), 1 + random.nextInt(3)};
    int[] stride = {1 + random.nextInt(3), 1 + random.nextInt(2)};
    int dilation = kind < 3 && random.nextInt(3) == 0 ? 2 : 1;
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
    byte none = 0;
    if (kind >= 4) {
      int options = builder.fields(pad, stride[1], stride[0], k[1], k[0]);
      int code = builder.code(kind == 4 ? AVERAGE_POOL : MAX_POOL, null);
      builder.op(code, new int[] {x}, new int[] {add(out)}, options, 5);
    } else if (kind < 3) {
      out[3] = 1 + random.nextInt(5);
      int w = weights(out[3], k[0], k[1], s[3]);
      int b = weights(out[3]);
      int options = builder.fields(pad, stride[1], stride[0], none, dilation, dilation);
      builder.op(builder.code(CONV, null), new int[] {x, w, b}, new int[] {add(out)}, options, 1);
    } else {
      int w = weights(1, k[0], k[1], s[3]);
      int b = weights(s[3]);
      int options = builder.fields(pad, stride[1], stride[0], 1);
      builder.op(
          builder.code(DEPTHWISE_CONV, null),
          new int[] {x, w, b},
          new int[] {add(out)},
          options,
          2);
    }
    return true;
  }

  private boolean transposed(int x, int[] s) {
    int k = 1 + random.nextInt(4);
    int stride = 1 + random.nextInt(2);
    boolean valid = random.nextBoolean();
    int rows = valid ? (s[1] - 1) * stride + k : s[1] * stride;
    int columns = valid ? (s[2] - 1) * stride + k : s[2] * stride;
    if (s[1] > 14 || s[2] > 14) {
      return false;
    }
    int channels = 1 + random.nextInt(3);
    int shape = integers(new int[] {4}, s[0], rows, columns, channels);
    int w = weights(channels, k, k, s[3]);
    int[] result = {add(s[0], rows, columns, channels)};
    int options = builder.fields((byte) (valid ? 1 : 0), stride, stride);
    builder.op(builder.code(TRANSPOSE_CONV, null), new int[] {shape, w, x}, result, options, 49);
    return true;
  }
}

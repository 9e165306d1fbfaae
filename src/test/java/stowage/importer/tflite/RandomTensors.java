package stowage.importer.tflite;

import static stowage.importer.tflite.TfliteBuilder.FLOAT32;
import static stowage.importer.tflite.TfliteBuilder.INT32;
import static stowage.importer.tflite.TfliteBuilder.INT8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** Tensors of a random model: of floats, or quantised to signed bytes. */
final class RandomTensors {
  final TfliteBuilder builder = new TfliteBuilder();
  private final Random random;
  private final boolean bytes;
  private int made;

  RandomTensors(Random random, boolean bytes) {
    this.random = random;
    this.bytes = bytes;
  }

  /** A name that begins so and was not given before. */
  String name(String begin) {
    return begin + made++;
  }

  /** An activation; scale and zero point say what its bytes mean. */
  int activation(float scale, int zero, int... shape) {
    return bytes
        ? builder.quantised("t" + made++, INT8, 0, 0, zero, new float[] {scale}, shape)
        : builder.tensor("t" + made++, FLOAT32, shape);
  }

  /**
   * Weights, quantised by themselves along a dimension, and what one of their sums means.
   *
   * @param dim the dimension of results; -1 for one scale
   * @return the tensors of weights and bias
   */
  int[] weights(float read, int results, int dim, int... shape) {
    int count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    if (!bytes) {
      int w = builder.buffer(floats(count));
      int b = builder.buffer(floats(results));
      return new int[] {
        builder.tensor("w" + made, FLOAT32, w, false, shape),
        builder.tensor("b" + made++, FLOAT32, b, false, results)
      };
    }
    byte[] small = new byte[count];
    for (int k = 0; k < count; k++) {
      small[k] = (byte) (random.nextInt(255) - 127);
    }
    float[] scales = new float[dim < 0 ? 1 : results];
    float[] sums = new float[scales.length];
    for (int k = 0; k < scales.length; k++) {
      int taps = Math.max(1, count / results);
      scales[k] = (0.5f + random.nextFloat()) / (64f * (float) Math.sqrt(taps));
      sums[k] = scales[k] * read;
    }
    int[] bias = IntStream.range(0, results).map(k -> random.nextInt(4001) - 2000).toArray();
    int w = builder.buffer(small);
    int b = builder.buffer(TfliteBuilder.bytes(bias));
    return new int[] {
      builder.quantised("w" + made, INT8, w, Math.max(0, dim), 0, scales, shape),
      builder.quantised("b" + made++, INT32, b, 0, 0, sums, results)
    };
  }

  private byte[] floats(int count) {
    ByteBuffer data = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int k = 0; k < count; k++) {
      data.putFloat(random.nextFloat() - 0.5f);
    }
    return data.array();
  }

  /** Constant integers. */
  int integers(int[] shape, int... values) {
    int buffer = builder.buffer(TfliteBuilder.bytes(values));
    return builder.tensor("i" + made++, INT32, buffer, false, shape);
  }

  /** Constant integers in a row. */
  int vector(int... values) {
    return integers(new int[] {values.length}, values);
  }
}

package stowage.importer.tflite;

import java.util.List;

/** Small TFLite files that use most of what is understood. */
public final class TfliteSamples {
  private static final int ADD = 0;
  private static final int AVERAGE_POOL = 1;
  private static final int CONV = 3;
  private static final int FULLY_CONNECTED = 9;
  private static final int SOFTMAX = 25;

  private TfliteSamples() {}

  /** All of them, as bytes. */
  public static List<byte[]> all() {
    TfliteBuilder planned = TfliteBuilder.small();
    planned.metadata(
        "OfflineMemoryAllocation",
        planned.buffer(TfliteBuilder.bytes(1, 0, 9, 0, -1, 16, -1, -1, 20, -1, 48, -1)));
    return List.of(TfliteBuilder.small().bytes(), planned.bytes());
  }

  /**
   * A quantised network that spots keywords in 49 x 40 spectrograms, of our own making: two wide
   * branches whose order in the file is not the best one. Its weights are zeros.
   */
  public static byte[] keywords() {
    TfliteBuilder net = new TfliteBuilder();
    int conv = net.code(CONV, null);
    int add = net.code(ADD, null);
    int pool = net.code(AVERAGE_POOL, null);
    int dense = net.code(FULLY_CONNECTED, null);
    int softmax = net.code(SOFTMAX, null);
    int input = net.tensor("spectrogram", TfliteBuilder.INT8, 1, 49, 40, 1);
    int stem = conv(net, conv, "stem", input, 1, 8, 3, 2, new int[] {1, 25, 20, 8});
    int wide1 = conv(net, conv, "left/expand", stem, 8, 24, 1, 1, new int[] {1, 25, 20, 24});
    int wide2 = conv(net, conv, "right/expand", stem, 8, 24, 1, 1, new int[] {1, 25, 20, 24});
    int left = conv(net, conv, "left/project", wide1, 24, 8, 3, 2, new int[] {1, 13, 10, 8});
    int right = conv(net, conv, "right/project", wide2, 24, 8, 3, 2, new int[] {1, 13, 10, 8});
    int sum = net.tensor("sum", TfliteBuilder.INT8, 1, 13, 10, 8);
    net.op(add, new int[] {left, right}, new int[] {sum}, net.options(0), 11);
    int mean = net.tensor("mean", TfliteBuilder.INT8, 1, 1, 1, 8);
    net.op(pool, new int[] {sum}, new int[] {mean}, net.options(1, 10, 13, 10, 13), 5);
    int weights = net.buffer(new byte[12 * 8]);
    int matrix = net.tensor("dense/weights", TfliteBuilder.INT8, weights, false, 12, 8);
    int logits = net.tensor("logits", TfliteBuilder.INT8, 1, 12);
    net.op(dense, new int[] {mean, matrix, -1}, new int[] {logits}, net.options(0), 8);
    int scores = net.tensor("scores", TfliteBuilder.INT8, 1, 12);
    net.op(softmax, new int[] {logits}, new int[] {scores}, 0);
    net.subgraph("keywords", new int[] {input}, new int[] {scores});
    return net.bytes();
  }

  private static int conv(
      TfliteBuilder net,
      int code,
      String name,
      int input,
      int from,
      int to,
      int kernel,
      int stride,
      int[] shape) {
    int data = net.buffer(new byte[to * kernel * kernel * from]);
    int weights =
        net.tensor(name + "/weights", TfliteBuilder.INT8, data, false, to, kernel, kernel, from);
    int output = net.tensor(name, TfliteBuilder.INT8, shape);
    int options = net.options(0, stride, stride, 0, 1, 1);
    net.op(code, new int[] {input, weights, -1}, new int[] {output}, options, 1);
    return output;
  }
}

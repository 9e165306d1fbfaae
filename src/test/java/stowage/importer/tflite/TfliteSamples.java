package stowage.importer.tflite;

import java.util.List;

/** Small TFLite files that use most of what is understood. */
public final class TfliteSamples {
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
    List.of("CONV_2D", "ADD", "AVERAGE_POOL_2D", "FULLY_CONNECTED", "SOFTMAX").forEach(net::code);
    int input = net.tensor("spectrogram", TfliteBuilder.INT8, 1, 49, 40, 1);
    int stem = conv(net, "stem", input, 1, 3, 2, 1, 25, 20, 8);
    int wide1 = conv(net, "left/expand", stem, 8, 1, 1, 1, 25, 20, 24);
    int wide2 = conv(net, "right/expand", stem, 8, 1, 1, 1, 25, 20, 24);
    int left = conv(net, "left/project", wide1, 24, 3, 2, 1, 13, 10, 8);
    int right = conv(net, "right/project", wide2, 24, 3, 2, 1, 13, 10, 8);
    int sum = net.tensor("sum", TfliteBuilder.INT8, 1, 13, 10, 8);
    net.op("ADD", new int[] {left, right}, new int[] {sum}, net.options(0), 11);
    int mean = net.tensor("mean", TfliteBuilder.INT8, 1, 1, 1, 8);
    net.op("AVERAGE_POOL_2D", new int[] {sum}, new int[] {mean}, net.options(1, 10, 13, 10, 13), 5);
    int weights = net.buffer(new byte[12 * 8]);
    int matrix = net.tensor("dense/weights", TfliteBuilder.INT8, weights, false, 12, 8);
    int logits = net.tensor("logits", TfliteBuilder.INT8, 1, 12);
    net.op("FULLY_CONNECTED", new int[] {mean, matrix, -1}, new int[] {logits}, net.options(0), 8);
    int scores = net.tensor("scores", TfliteBuilder.INT8, 1, 12);
    net.op("SOFTMAX", new int[] {logits}, new int[] {scores});
    net.subgraph("keywords", new int[] {input}, new int[] {scores});
    return net.bytes();
  }

  private static int conv(
      TfliteBuilder net, String name, int input, int from, int kernel, int stride, int... shape) {
    int to = shape[3];
    int data = net.buffer(new byte[to * kernel * kernel * from]);
    int weights =
        net.tensor(name + "/weights", TfliteBuilder.INT8, data, false, to, kernel, kernel, from);
    int output = net.tensor(name, TfliteBuilder.INT8, shape);
    int options = net.options(0, stride, stride, 0, 1, 1);
    net.op("CONV_2D", new int[] {input, weights, -1}, new int[] {output}, options, 1);
    return output;
  }
}

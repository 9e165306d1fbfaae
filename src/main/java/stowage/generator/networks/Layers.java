package stowage.generator.networks;

import static stowage.generator.networks.NetworkBuilder.Fused.NONE;
import static stowage.generator.networks.NetworkBuilder.Fused.RELU;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import stowage.generator.ParameterValues;
import stowage.generator.networks.NetworkBuilder.Window;

/**
 * Groups of ops that networks are built of, as they are at inference or in training: at inference
 * BatchNorm is folded into the convolution before it; in training it is an op of its own with
 * statistics of the batch.
 */
record Layers(NetworkBuilder net, boolean trained) {
  /** The network's input: a batch of images of three channels, as wide as high. */
  String image(ParameterValues values) {
    return image(values, "1", 1, 1);
  }

  /** The same with sides that are a multiple of a number, called {@code what}. */
  String image(ParameterValues values, String what, long number, long least) {
    long side = values.multiple("image", what, number, least, 1 << 14);
    return net.input("image", values.whole("batch", 1, 1 << 20), 3, side, side);
  }

  /** A convolution, BatchNorm, and ReLU if wanted. */
  String conv(String at, String x, long channels, Window window, boolean relu) {
    return conv(at, x, channels, window, 1, relu);
  }

  /** A convolution in groups, BatchNorm, and ReLU if wanted. */
  String conv(String at, String x, long channels, Window window, long groups, boolean relu) {
    if (!trained) {
      return net.conv(at, x, channels, window, groups, true, relu ? RELU : NONE);
    }
    return net.batchNorm(
        at + ".norm", net.conv(at, x, channels, window, groups, false, NONE), relu);
  }

  /** A depthwise convolution without BatchNorm. */
  String depthwise(String at, String x, Window window) {
    long channels = net.shape(x)[1];
    return net.conv(at, x, channels, window, channels, false, NONE);
  }

  String relu(String at, String x) {
    return net.unary(at, "Relu", x);
  }

  /** The sum of tensors of one shape; the tensor itself if there is but one. */
  String sum(String at, List<String> parts) {
    return parts.size() == 1
        ? parts.get(0)
        : net.op(at, "Sum", Map.of(), parts, net.shape(parts.get(0)));
  }

  /** Tensors one after the other along the channels; the tensor itself if there is but one. */
  String concat(String at, List<String> parts) {
    return parts.size() == 1 ? parts.get(0) : net.concat(at, 1, parts.toArray(new String[0]));
  }

  /** The mean of each channel, and a matrix that makes classes of them; the network's output. */
  void classify(String x, long classes) {
    net.output(net.gemm("classes", net.flatten("flat", net.globalAveragePool("mean", x)), classes));
  }

  /**
   * The results of ResNet's four stages of depth 18, 34, 50 or 101, finest first, with the stride
   * on the 3×3 convolution.
   */
  List<String> resnet(String image, int depth) {
    int[] blocks =
        switch (depth) {
          case 18 -> new int[] {2, 2, 2, 2};
          case 34, 50 -> new int[] {3, 4, 6, 3};
          default -> new int[] {3, 4, 23, 3};
        };
    String x = conv("conv1", image, 64, Window.same(7, 2), true);
    x = net.maxPool("pool1", x, Window.same(3, 2));
    List<String> stages = new ArrayList<>();
    for (int stage = 0; stage < blocks.length; stage++) {
      for (int block = 0; block < blocks[stage]; block++) {
        String at = "layer" + (stage + 1) + "." + block;
        int stride = stage > 0 && block == 0 ? 2 : 1;
        x =
            depth < 50
                ? basicBlock(at, x, 64L << stage, stride)
                : bottleneck(at, x, 64L << stage, stride);
      }
      stages.add(x);
    }
    return stages;
  }

  /** Two 3×3 convolutions and the sum with what went in. */
  String basicBlock(String at, String x, long channels, int stride) {
    String y = conv(at + ".conv1", x, channels, Window.same(3, stride), true);
    y = conv(at + ".conv2", y, channels, Window.same(3, 1), false);
    return net.addRelu(at + ".add", y, shortcut(at, x, channels, stride));
  }

  /** A 3×3 convolution between two 1×1, and the sum with what went in. */
  String bottleneck(String at, String x, long width, int stride) {
    String y = conv(at + ".conv1", x, width, Window.same(1, 1), true);
    y = conv(at + ".conv2", y, width, Window.same(3, stride), true);
    y = conv(at + ".conv3", y, 4 * width, Window.same(1, 1), false);
    return net.addRelu(at + ".add", y, shortcut(at, x, 4 * width, stride));
  }

  private String shortcut(String at, String x, long channels, int stride) {
    return stride == 1 && net.shape(x)[1] == channels
        ? x
        : conv(at + ".downsample", x, channels, Window.same(1, stride), false);
  }
}

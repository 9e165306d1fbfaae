package stowage.generator.networks;

import static stowage.generator.networks.NetworkBuilder.Fused.NONE;
import static stowage.generator.networks.NetworkBuilder.Fused.RELU;
import static stowage.generator.networks.NetworkBuilder.Fused.RELU6;

import java.util.List;
import java.util.Map;
import stowage.generator.networks.NetworkBuilder.Window;

/** Networks that say what is on an image. Each method names its paper. */
final class ImageNetworks {
  private ImageNetworks() {}

  /** A network that is read at a glance: one of each thing that planning meets. */
  static void tiny(NetworkBuilder net) {
    net.note("Small enough to follow by hand: a fork, a residual sum, a concat and a view.");
    String image = net.input("image", 1, 3, 32, 32);
    String stem = net.conv("stem", image, 16, Window.same(3, 1), RELU);
    String pool = net.maxPool("pool", stem, Window.valid(2, 2));
    String left = net.conv("left", pool, 16, Window.same(3, 1), RELU);
    String right = net.conv("right", pool, 16, Window.same(1, 1), RELU);
    String both = net.concat("both", 1, left, right);
    String mixed = net.conv("mixed", both, 16, Window.same(1, 1), NONE);
    String sum = net.addRelu("sum", mixed, pool);
    String mean = net.globalAveragePool("mean", sum);
    String flat = net.flatten("flat", mean);
    net.output(net.softmax("scores", net.gemm("logits", flat, 10), 1));
  }

  /**
   * ResNet-50, with the stride on the 3×3 convolution as most have it today: He, Zhang, Ren, Sun,
   * Deep Residual Learning for Image Recognition, CVPR 2016, doi:10.1109/CVPR.2016.90.
   */
  static void resnet50(NetworkBuilder net) {
    String x = net.input("image", 1, 3, 224, 224);
    x = net.conv("conv1", x, 64, Window.same(7, 2), RELU);
    x = net.maxPool("pool1", x, Window.same(3, 2));
    int[] blocks = {3, 4, 6, 3};
    for (int stage = 0; stage < blocks.length; stage++) {
      long width = 64L << stage;
      for (int block = 0; block < blocks[stage]; block++) {
        String at = "layer" + (stage + 1) + "." + block;
        int stride = stage > 0 && block == 0 ? 2 : 1;
        x = bottleneck(net, at, x, width, stride, block == 0);
      }
    }
    x = net.flatten("flatten", net.globalAveragePool("avgpool", x));
    net.output(net.gemm("fc", x, 1000));
  }

  private static String bottleneck(
      NetworkBuilder net, String at, String x, long width, int stride, boolean project) {
    String y = net.conv(at + ".conv1", x, width, Window.same(1, 1), RELU);
    y = net.conv(at + ".conv2", y, width, Window.same(3, stride), RELU);
    y = net.conv(at + ".conv3", y, 4 * width, Window.same(1, 1), NONE);
    String shortcut =
        project ? net.conv(at + ".downsample", x, 4 * width, Window.same(1, stride), NONE) : x;
    return net.addRelu(at + ".add", y, shortcut);
  }

  /**
   * MobileNetV2 of width 1: Sandler, Howard, Zhu, Zhmoginov, Chen, MobileNetV2: Inverted Residuals
   * and Linear Bottlenecks, CVPR 2018, doi:10.1109/CVPR.2018.00474, table 2.
   */
  static void mobilenetV2(NetworkBuilder net) {
    String x = net.input("image", 1, 3, 224, 224);
    x = net.conv("conv1", x, 32, Window.same(3, 2), RELU6);
    int[][] stages = {
      {1, 16, 1, 1},
      {6, 24, 2, 2},
      {6, 32, 3, 2},
      {6, 64, 4, 2},
      {6, 96, 3, 1},
      {6, 160, 3, 2},
      {6, 320, 1, 1}
    };
    int index = 0;
    for (int[] stage : stages) {
      for (int block = 0; block < stage[2]; block++) {
        String at = "block" + ++index;
        x = invertedResidual(net, at, x, stage[0], stage[1], block == 0 ? stage[3] : 1);
      }
    }
    x = net.conv("conv2", x, 1280, Window.same(1, 1), RELU6);
    x = net.flatten("flatten", net.globalAveragePool("avgpool", x));
    net.output(net.gemm("classifier", x, 1000));
  }

  private static String invertedResidual(
      NetworkBuilder net, String at, String x, int expansion, long channels, int stride) {
    long inner = net.shape(x)[1] * expansion;
    String y = expansion == 1 ? x : net.conv(at + ".expand", x, inner, Window.same(1, 1), RELU6);
    y = net.conv(at + ".depthwise", y, inner, Window.same(3, stride), inner, true, RELU6);
    y = net.conv(at + ".project", y, channels, Window.same(1, 1), NONE);
    boolean residual = stride == 1 && net.shape(x)[1] == channels;
    return residual ? net.add(at + ".add", y, x) : y;
  }

  /** A factor and a summand a channel, and ReLU. */
  private static String scaleRelu(NetworkBuilder net, String op, String x) {
    String factor = net.weight(op + ".weight", net.shape(x)[1]);
    String summand = net.weight(op + ".bias", net.shape(x)[1]);
    List<String> operands = List.of(x, factor, summand);
    return net.op(op, "Scale", Map.of("relu", true), operands, net.shape(x));
  }

  /**
   * DenseNet-121: Huang, Liu, van der Maaten, Weinberger, Densely Connected Convolutional Networks,
   * CVPR 2017, doi:10.1109/CVPR.2017.243. A BatchNorm that follows a concat has no convolution to
   * fold into and stays, as a factor and a summand a channel.
   */
  static void densenet121(NetworkBuilder net) {
    String x = net.input("image", 1, 3, 224, 224);
    x = net.conv("conv0", x, 64, Window.same(7, 2), RELU);
    x = net.maxPool("pool0", x, Window.same(3, 2));
    int[] blocks = {6, 12, 24, 16};
    for (int block = 0; block < blocks.length; block++) {
      for (int layer = 0; layer < blocks[block]; layer++) {
        String at = "block" + (block + 1) + "." + (layer + 1);
        String y = scaleRelu(net, at + ".norm1", x);
        y = net.conv(at + ".conv1", y, 128, Window.same(1, 1), RELU);
        y = net.conv(at + ".conv2", y, 32, Window.same(3, 1), 1, false, NONE);
        x = net.concat(at + ".concat", 1, x, y);
      }
      if (block < blocks.length - 1) {
        String at = "transition" + (block + 1);
        String y = scaleRelu(net, at + ".norm", x);
        y = net.conv(at + ".conv", y, net.shape(x)[1] / 2, Window.same(1, 1), 1, false, NONE);
        x = net.averagePool(at + ".pool", y, Window.valid(2, 2));
      }
    }
    x = net.globalAveragePool("avgpool", scaleRelu(net, "norm5", x));
    net.output(net.gemm("classifier", net.flatten("flatten", x), 1000));
  }
}

package stowage.generator.networks;

import static stowage.generator.networks.NetworkBuilder.Fused.RELU;

import stowage.generator.networks.NetworkBuilder.Window;

/**
 * Inception v3 without its auxiliary classifier: Szegedy, Vanhoucke, Ioffe, Shlens, Wojna,
 * Rethinking the Inception Architecture for Computer Vision, CVPR 2016, doi:10.1109/CVPR.2016.308;
 * widths as in the published weights. Blocks of up to four branches, some of which fork again.
 */
final class InceptionV3 {
  private static final Window ONE = Window.same(1, 1);
  private static final Window THREE = Window.same(3, 1);
  private static final Window HALVING = Window.valid(3, 2);
  private static final Window ROW7 = new Window(1, 7, 1, 0, 3);
  private static final Window COLUMN7 = new Window(7, 1, 1, 3, 0);
  private static final Window ROW3 = new Window(1, 3, 1, 0, 1);
  private static final Window COLUMN3 = new Window(3, 1, 1, 1, 0);

  private final NetworkBuilder net;
  private String at = "";

  private InceptionV3(NetworkBuilder net) {
    this.net = net;
  }

  static void network(NetworkBuilder net) {
    new InceptionV3(net).build();
  }

  private void build() {
    String x = net.input("image", 1, 3, 299, 299);
    at = "stem";
    x = conv("conv1", x, 32, HALVING);
    x = conv("conv2", x, 32, Window.valid(3, 1));
    x = conv("conv3", x, 64, THREE);
    x = net.maxPool("stem.pool1", x, HALVING);
    x = conv("conv4", x, 80, ONE);
    x = conv("conv5", x, 192, Window.valid(3, 1));
    x = net.maxPool("stem.pool2", x, HALVING);
    x = blockA("mixed5b", x, 32);
    x = blockA("mixed5c", x, 64);
    x = blockA("mixed5d", x, 64);
    x = blockB("mixed6a", x);
    x = blockC("mixed6b", x, 128);
    x = blockC("mixed6c", x, 160);
    x = blockC("mixed6d", x, 160);
    x = blockC("mixed6e", x, 192);
    x = blockD("mixed7a", x);
    x = blockE("mixed7b", x);
    x = blockE("mixed7c", x);
    x = net.flatten("flatten", net.globalAveragePool("avgpool", x));
    net.output(net.gemm("fc", x, 1000));
  }

  private String conv(String name, String x, long channels, Window window) {
    return net.conv(at + "." + name, x, channels, window, RELU);
  }

  private String concat(String... branches) {
    return net.concat(at + ".concat", 1, branches);
  }

  private String pooled(String x, long channels) {
    return conv("pool.conv", net.averagePool(at + ".pool", x, THREE), channels, ONE);
  }

  private String blockA(String name, String x, long poolChannels) {
    at = name;
    String single = conv("1x1", x, 64, ONE);
    String five = conv("5x5.2", conv("5x5.1", x, 48, ONE), 64, Window.same(5, 1));
    String twice = conv("3x3.2", conv("3x3.1", x, 64, ONE), 96, THREE);
    return concat(single, five, conv("3x3.3", twice, 96, THREE), pooled(x, poolChannels));
  }

  private String blockB(String name, String x) {
    at = name;
    String three = conv("3x3", x, 384, HALVING);
    String twice = conv("double.2", conv("double.1", x, 64, ONE), 96, THREE);
    twice = conv("double.3", twice, 96, HALVING);
    return concat(three, twice, net.maxPool(at + ".pool", x, HALVING));
  }

  private String blockC(String name, String x, long width) {
    at = name;
    String single = conv("1x1", x, 192, ONE);
    String seven = conv("7x7.2", conv("7x7.1", x, width, ONE), width, ROW7);
    seven = conv("7x7.3", seven, 192, COLUMN7);
    String twice = conv("double.2", conv("double.1", x, width, ONE), width, COLUMN7);
    twice = conv("double.4", conv("double.3", twice, width, ROW7), width, COLUMN7);
    twice = conv("double.5", twice, 192, ROW7);
    return concat(single, seven, twice, pooled(x, 192));
  }

  private String blockD(String name, String x) {
    at = name;
    String three = conv("3x3.2", conv("3x3.1", x, 192, ONE), 320, HALVING);
    String seven = conv("7x7.2", conv("7x7.1", x, 192, ONE), 192, ROW7);
    seven = conv("7x7.4", conv("7x7.3", seven, 192, COLUMN7), 192, HALVING);
    return concat(three, seven, net.maxPool(at + ".pool", x, HALVING));
  }

  private String blockE(String name, String x) {
    at = name;
    String single = conv("1x1", x, 320, ONE);
    String three = conv("3x3.1", x, 384, ONE);
    three =
        net.concat(
            at + ".3x3.concat",
            1,
            conv("3x3.2a", three, 384, ROW3),
            conv("3x3.2b", three, 384, COLUMN3));
    String twice = conv("double.2", conv("double.1", x, 448, ONE), 384, THREE);
    twice =
        net.concat(
            at + ".double.concat",
            1,
            conv("double.3a", twice, 384, ROW3),
            conv("double.3b", twice, 384, COLUMN3));
    return concat(single, three, twice, pooled(x, 192));
  }
}

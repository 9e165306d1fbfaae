package stowage.generator.networks;

import static stowage.generator.networks.NetworkBuilder.Fused.NONE;

import java.util.ArrayList;
import java.util.List;
import stowage.generator.ParameterValues;
import stowage.generator.networks.NetworkBuilder.Window;
import stowage.network.ElementType;
import stowage.network.Network;

/** The kinds of networks that are trained most, of any size. */
final class TrainedNetworks {
  private TrainedNetworks() {}

  static Network resnet(Layers layers, ParameterValues values) {
    String last = layers.resnet(layers.image(values), PyramidNetworks.depth(values)).get(3);
    layers.classify(last, values.whole("classes", 1, 1 << 20));
    return layers.net().build();
  }

  static Network unet(Layers layers, ParameterValues values) {
    NetworkBuilder net = layers.net();
    int levels = values.count("levels", 1, 12);
    long channels = values.whole("channels", 1, 1 << 12);
    String x = layers.image(values, "2^levels", 1L << levels, 1);
    List<String> kept = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      x = twice(layers, "down" + level, x, channels << level);
      kept.add(x);
      x = net.maxPool("down" + level + ".pool", x, Window.valid(2, 2));
    }
    x = twice(layers, "bottom", x, channels << levels);
    for (int level = levels - 1; level >= 0; level--) {
      String up = net.convTranspose("up" + level + ".up", x, channels << level, 2, 2);
      String both = net.concat("up" + level + ".concat", 1, kept.get(level), up);
      x = twice(layers, "up" + level, both, channels << level);
    }
    long classes = values.whole("classes", 1, 1 << 16);
    net.output(net.conv("classes", x, classes, Window.same(1, 1), NONE));
    return net.build();
  }

  private static String twice(Layers layers, String at, String x, long channels) {
    String y = layers.conv(at + ".conv1", x, channels, Window.same(3, 1), true);
    return layers.conv(at + ".conv2", y, channels, Window.same(3, 1), true);
  }

  static Network transformer(Layers layers, ParameterValues values) {
    NetworkBuilder net = layers.net();
    long width = values.whole("width", 1, 1 << 16);
    long heads = values.whole("heads", 1, 1 << 12);
    if (width % heads != 0) {
      throw values.contradiction("heads", "a divisor of the width");
    }
    long tokens = values.whole("tokens", 1, 1 << 20);
    String ids = net.input("tokens", ElementType.I32, values.whole("batch", 1, 1 << 20), tokens);
    long vocabulary = values.whole("vocabulary", 1, 1 << 24);
    String word = net.gather("word", net.weight("word.weight", vocabulary, width), ids);
    String x = net.add("embedding", word, net.weight("position.weight", 1, tokens, width));
    for (int layer = 0; layer < values.count("layers", 1, 10_000); layer++) {
      x = layer(net, "layer" + layer, x, heads);
    }
    net.output(net.linear("logits", net.layerNorm("norm", x, 1e-5), vocabulary));
    return net.build();
  }

  private static String layer(NetworkBuilder net, String at, String x, long heads) {
    long[] shape = net.shape(x);
    long width = shape[2];
    String norm = net.layerNorm(at + ".norm1", x, 1e-5);
    String query = heads(net, at + ".query", net.linear(at + ".query", norm, width), heads);
    String key = heads(net, at + ".key", net.linear(at + ".key", norm, width), heads);
    String value = heads(net, at + ".value", net.linear(at + ".value", norm, width), heads);
    String shares = net.softmax(at + ".shares", net.matMul(at + ".scores", query, key, true), 3);
    String context = net.matMul(at + ".context", shares, value, false);
    String back = net.transpose(at + ".tokens", context, 0, 2, 1, 3);
    String joined = net.reshape(at + ".joined", back, shape);
    String sum = net.add(at + ".add1", net.linear(at + ".output", joined, width), x);
    String wide = net.linear(at + ".wide", net.layerNorm(at + ".norm2", sum, 1e-5), 4 * width);
    String narrow = net.linear(at + ".narrow", net.unary(at + ".gelu", "Gelu", wide), width);
    return net.add(at + ".add2", narrow, sum);
  }

  private static String heads(NetworkBuilder net, String at, String x, long heads) {
    long[] shape = net.shape(x);
    String apart = net.reshape(at + ".apart", x, shape[0], shape[1], heads, shape[2] / heads);
    return net.transpose(at + ".heads", apart, 0, 2, 1, 3);
  }

  static Network mlp(Layers layers, ParameterValues values) {
    NetworkBuilder net = layers.net();
    long width = values.whole("width", 1, 1 << 20);
    String x = net.input("data", values.whole("batch", 1, 1 << 20), width);
    for (int layer = 0; layer < values.count("layers", 1, 100_000); layer++) {
      x = net.gemm("layer" + layer, x, width);
      x = net.unary("relu" + layer, "Relu", x);
    }
    net.output(net.gemm("classes", x, values.whole("classes", 1, 1 << 20)));
    return net.build();
  }
}

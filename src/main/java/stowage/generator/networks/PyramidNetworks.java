package stowage.generator.networks;

import static stowage.generator.networks.NetworkBuilder.Fused.NONE;
import static stowage.generator.networks.NetworkBuilder.Fused.RELU;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import stowage.generator.ParameterValues;
import stowage.generator.networks.NetworkBuilder.Window;
import stowage.network.Network;

/** Networks that keep images of several sizes side by side. */
final class PyramidNetworks {
  private PyramidNetworks() {}

  /**
   * HRNet for segmentation: up to four branches, each of half the rows and columns and twice the
   * channels of the one before; at the end of each module every branch gets the sum of all.
   */
  static Network hrnet(Layers layers, ParameterValues values) {
    NetworkBuilder net = layers.net();
    long width = values.whole("width", 1, 1 << 12);
    int modules = values.count("modules", 2, 100);
    int blocks = values.count("blocks", 1, 100);
    String x = layers.image(values, "32", 32, 32);
    x = layers.conv("stem1", x, 64, Window.same(3, 2), true);
    x = layers.conv("stem2", x, 64, Window.same(3, 2), true);
    for (int block = 0; block < blocks; block++) {
      x = layers.bottleneck("stage1." + block, x, 64, 1);
    }
    List<String> branches = new ArrayList<>(List.of(x));
    int[] repeated = {1, modules, modules - 1};
    for (int stage = 0; stage < repeated.length; stage++) {
      String at = "stage" + (stage + 2);
      if (stage == 0) {
        branches.set(0, layers.conv(at + ".first", x, width, Window.same(3, 1), true));
      }
      String coarsest = stage == 0 ? x : branches.get(stage);
      long half = width << (stage + 1);
      branches.add(layers.conv(at + ".new", coarsest, half, Window.same(3, 2), true));
      for (int module = 0; module < repeated[stage]; module++) {
        branches = module(layers, at + "." + module, branches, width, blocks);
      }
    }
    List<String> all = new ArrayList<>(List.of(branches.get(0)));
    for (int k = 1; k < branches.size(); k++) {
      all.add(net.upsample("up" + k, branches.get(k), 1L << k));
    }
    x = layers.concat("all", all);
    x = layers.conv("head", x, 15 * width, Window.same(1, 1), true);
    long classes = values.whole("classes", 1, 1 << 16);
    net.output(net.conv("classes", x, classes, Window.same(1, 1), NONE));
    return net.build();
  }

  private static List<String> module(
      Layers layers, String at, List<String> branches, long width, int blocks) {
    List<String> deep = new ArrayList<>();
    for (int k = 0; k < branches.size(); k++) {
      String x = branches.get(k);
      for (int block = 0; block < blocks; block++) {
        x = layers.basicBlock(at + ".branch" + k + "." + block, x, width << k, 1);
      }
      deep.add(x);
    }
    List<String> fused = new ArrayList<>();
    for (int to = 0; to < deep.size(); to++) {
      List<String> parts = new ArrayList<>();
      for (int from = 0; from < deep.size(); from++) {
        parts.add(part(layers, at + ".from" + from + "to" + to, deep.get(from), from, to, width));
      }
      fused.add(layers.relu(at + ".relu" + to, layers.sum(at + ".sum" + to, parts)));
    }
    return fused;
  }

  private static String part(Layers layers, String at, String x, int from, int to, long width) {
    if (from > to) {
      String y = layers.conv(at + ".conv", x, width << to, Window.same(1, 1), false);
      return layers.net().upsample(at + ".up", y, 1L << (from - to));
    }
    String y = x;
    for (int k = from; k < to; k++) {
      boolean last = k == to - 1;
      long channels = width << (last ? to : from);
      y = layers.conv(at + ".conv" + k, y, channels, Window.same(3, 2), !last);
    }
    return y;
  }

  /**
   * A detector: ResNet, a pyramid of five levels of 256 channels, and heads on each level whose
   * weights all levels share. The results of a head on all levels are put in rows, one an anchor,
   * and joined.
   */
  static Network detector(Layers layers, ParameterValues values) {
    NetworkBuilder net = layers.net();
    int depth = depth(values);
    int heads = values.count("heads", 1, 16);
    int tower = values.count("tower", 0, 100);
    long batch = values.whole("batch", 1, 1 << 20);
    List<String> stages = layers.resnet(layers.image(values, "128", 128, 128), depth);
    List<String> levels = new ArrayList<>();
    String above = null;
    for (int k = 3; k >= 1; k--) {
      String x = net.conv("lateral" + k, stages.get(k), 256, Window.same(1, 1), NONE);
      if (above != null) {
        x = net.add("merge" + k, x, net.upsample("up" + k, above, 2));
      }
      above = x;
      levels.add(0, net.conv("level" + k, x, 256, Window.same(3, 1), NONE));
    }
    String x = net.conv("level4", stages.get(3), 256, Window.same(3, 2), NONE);
    levels.add(x);
    levels.add(net.conv("level5", net.unary("relu4", "Relu", x), 256, Window.same(3, 2), NONE));
    long[] wide = new long[heads];
    for (int head = 0; head < heads; head++) {
      // The first head tells classes, the second corners, the others one number an anchor.
      wide[head] = head == 0 ? values.whole("classes", 1, 1 << 16) : head == 1 ? 4 : 1;
    }
    Window three = Window.same(3, 1);
    List<List<String>> rows = Stream.<List<String>>generate(ArrayList::new).limit(heads).toList();
    for (int level = 0; level < levels.size(); level++) {
      for (int head = 0; head < heads; head++) {
        String at = "level" + level + ".head" + head;
        String y = levels.get(level);
        for (int k = 0; k < tower; k++) {
          String own = "head" + head + "." + k;
          y = net.convShared(at + "." + k, own, y, 256, three, RELU);
        }
        y = net.convShared(at + ".out", "head" + head + ".out", y, 9 * wide[head], three, NONE);
        long[] shape = net.shape(y);
        String last = net.transpose(at + ".last", y, 0, 2, 3, 1);
        rows.get(head)
            .add(net.reshape(at + ".rows", last, batch, 9 * shape[2] * shape[3], wide[head]));
      }
    }
    for (int head = 0; head < heads; head++) {
      net.output(net.concat("head" + head, 1, rows.get(head).toArray(new String[0])));
    }
    return net.build();
  }

  /** The layers of a ResNet. */
  static int depth(ParameterValues values) {
    int depth = values.count("depth", 18, 101);
    if (depth != 18 && depth != 34 && depth != 50 && depth != 101) {
      throw values.contradiction("depth", "18, 34, 50 or 101");
    }
    return depth;
  }
}

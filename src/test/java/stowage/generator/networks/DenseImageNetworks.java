package stowage.generator.networks;

import static stowage.generator.networks.NetworkBuilder.Fused.NONE;
import static stowage.generator.networks.NetworkBuilder.Fused.RELU;

import java.util.ArrayList;
import java.util.List;
import stowage.generator.networks.NetworkBuilder.Window;

/**
 * Networks that say something of every place of an image, and so come down to few pixels and go up
 * again; what is kept on the way down is needed late. Each method names its source.
 */
final class DenseImageNetworks {
  private DenseImageNetworks() {}

  /**
   * U-Net with convolutions that are not padded, so that what is kept is cropped: Ronneberger,
   * Fischer, Brox, U-Net: Convolutional Networks for Biomedical Image Segmentation, MICCAI 2015,
   * doi:10.1007/978-3-319-24574-4_28, figure 1.
   */
  static void unet(NetworkBuilder net) {
    String x = net.input("image", 1, 1, 572, 572);
    List<String> kept = new ArrayList<>();
    for (int level = 0; level < 4; level++) {
      x = twice(net, "down" + (level + 1), x, 64L << level);
      kept.add(x);
      x = net.maxPool("down" + (level + 1) + ".pool", x, Window.valid(2, 2));
    }
    x = twice(net, "bottom", x, 1024);
    for (int level = 3; level >= 0; level--) {
      String at = "up" + (level + 1);
      String up = net.convTranspose(at + ".up", x, 64L << level, 2, 2);
      String crop = crop(net, at + ".crop", kept.get(level), net.shape(up)[2]);
      x = twice(net, at, net.concat(at + ".concat", 1, crop, up), 64L << level);
    }
    net.output(net.conv("classes", x, 2, Window.same(1, 1), NONE));
  }

  private static String twice(NetworkBuilder net, String at, String x, long channels) {
    String y = net.conv(at + ".conv1", x, channels, Window.valid(3, 1), RELU);
    return net.conv(at + ".conv2", y, channels, Window.valid(3, 1), RELU);
  }

  /** The middle of an image, square. */
  private static String crop(NetworkBuilder net, String op, String x, long side) {
    long start = (net.shape(x)[2] - side) / 2;
    long[] starts = {start, start};
    long[] ends = {start + side, start + side};
    return net.slice(op, x, new int[] {2, 3}, starts, ends);
  }

  /**
   * YOLOv5s, release 6.0, with a path-aggregation (PAN) neck, up to its three heads: Jocher et al.,
   * ultralytics/yolov5, models/yolov5s.yaml, doi:10.5281/zenodo.3908559; the neck after Liu, Qi,
   * Qin, Shi, Jia, Path Aggregation Network for Instance Segmentation, CVPR 2018,
   * doi:10.1109/CVPR.2018.00913. SiLU is an op of its own, as it cannot be fused like ReLU.
   */
  static void yolo(NetworkBuilder net) {
    String x = net.input("image", 1, 3, 640, 640);
    x = silu(net, "b0", x, 32, new Window(6, 6, 2, 2, 2));
    x = silu(net, "b1", x, 64, Window.same(3, 2));
    x = crossStage(net, "b2", x, 64, 1, true);
    x = silu(net, "b3", x, 128, Window.same(3, 2));
    String fine = crossStage(net, "b4", x, 128, 2, true);
    x = silu(net, "b5", fine, 256, Window.same(3, 2));
    String middle = crossStage(net, "b6", x, 256, 3, true);
    x = silu(net, "b7", middle, 512, Window.same(3, 2));
    x = crossStage(net, "b8", x, 512, 1, true);
    String coarse = silu(net, "n10", pyramidPool(net, "b9", x, 512), 256, Window.same(1, 1));
    x = net.concat("n12", 1, net.upsample("n11", coarse, 2), middle);
    x = crossStage(net, "n13", x, 256, 1, false);
    String between = silu(net, "n14", x, 128, Window.same(1, 1));
    x = net.concat("n16", 1, net.upsample("n15", between, 2), fine);
    String small = crossStage(net, "n17", x, 128, 1, false);
    x = net.concat("n19", 1, silu(net, "n18", small, 128, Window.same(3, 2)), between);
    String medium = crossStage(net, "n20", x, 256, 1, false);
    x = net.concat("n22", 1, silu(net, "n21", medium, 256, Window.same(3, 2)), coarse);
    String large = crossStage(net, "n23", x, 512, 1, false);
    // 3 anchors, each with 4 corners, 1 confidence and 80 classes.
    net.output(net.conv("small", small, 255, Window.same(1, 1), NONE));
    net.output(net.conv("medium", medium, 255, Window.same(1, 1), NONE));
    net.output(net.conv("large", large, 255, Window.same(1, 1), NONE));
  }

  private static String silu(
      NetworkBuilder net, String at, String x, long channels, Window window) {
    return net.unary(at + ".silu", "Silu", net.conv(at + ".conv", x, channels, window, NONE));
  }

  private static String crossStage(
      NetworkBuilder net, String at, String x, long channels, int depth, boolean shortcut) {
    long half = channels / 2;
    String y = silu(net, at + ".1", x, half, Window.same(1, 1));
    for (int k = 0; k < depth; k++) {
      String inner = at + ".m" + k;
      String z = silu(net, inner + ".1", y, half, Window.same(1, 1));
      z = silu(net, inner + ".2", z, half, Window.same(3, 1));
      y = shortcut ? net.add(inner + ".add", y, z) : z;
    }
    String past = silu(net, at + ".2", x, half, Window.same(1, 1));
    String both = net.concat(at + ".concat", 1, y, past);
    return silu(net, at + ".3", both, channels, Window.same(1, 1));
  }

  private static String pyramidPool(NetworkBuilder net, String at, String x, long channels) {
    String once = silu(net, at + ".1", x, net.shape(x)[1] / 2, Window.same(1, 1));
    String[] levels = {once, "", "", ""};
    for (int k = 1; k < levels.length; k++) {
      levels[k] = net.maxPool(at + ".pool" + k, levels[k - 1], Window.same(5, 1));
    }
    return silu(net, at + ".2", net.concat(at + ".concat", 1, levels), channels, Window.same(1, 1));
  }
}

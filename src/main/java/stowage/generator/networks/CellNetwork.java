package stowage.generator.networks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.generator.ParameterValues;
import stowage.generator.networks.NetworkBuilder.Window;
import stowage.network.Network;

/**
 * Networks of cells that a search of architectures has found. A cell reads the results of the two
 * cells before it. Each of its blocks applies an op to each of two earlier results and adds both; a
 * concat of some results ends the cell. Halving cells read their two inputs with stride 2.
 *
 * <p>The genotypes and the way cells are stacked are those of the papers as wzh99/HMCOS
 * (script/nas.py) lists them; dilated convolutions are written without their dilation, which takes
 * the same memory.
 */
record CellNetwork(Layers layers, NetworkBuilder net, Cells cells) {
  private static final long STEM = 32;

  /**
   * A cell: its blocks of two (op, operand) pairs each, operands 0 and 1 being the inputs, and the
   * results that its concat reads.
   */
  private record Cell(String blocks, String ends) {}

  /** The normal and the halving cell of a network. */
  enum Cells {
    NASNET_A(
        "sep5 1 sep3 0, sep5 0 sep3 0, avg3 1 id 0, avg3 0 avg3 0, sep3 1 id 1", "0 2 3 4 5 6",
        "sep5 1 sep7 0, max3 1 sep5 0, avg3 1 sep5 0, id 3 avg3 2, sep3 2 max3 1", "3 4 5 6"),
    AMOEBANET_A(
        "avg3 0 max3 0, id 0 avg3 1, sep5 2 sep3 1, sep3 2 id 1, avg3 4 sep3 0", "3 5 6",
        "avg3 0 sep3 1, max3 1 max3 0, max3 0 sep7 2, sep7 0 avg3 1, sep3 3 row7 0", "4 5 6"),
    /** The cells of DARTS's second-order search. */
    DARTS(
        "sep3 0 sep3 1, sep3 0 sep3 1, sep3 1 id 0, id 0 dil3 2", "2 3 4 5",
        "max3 0 max3 1, id 2 max3 1, max3 0 id 2, id 2 max3 1", "2 3 4 5"),
    /** PNASNet-5, one kind of cell. */
    PNASNET(
        "sep5 0 max3 0, sep7 1 max3 1, sep5 1 sep3 1, sep3 4 max3 1, sep3 0 avg1 1", "2 3 4 5 6",
        "sep5 0 max3 0, sep7 1 max3 1, sep5 1 sep3 1, sep3 4 max3 1, sep3 0 avg1 1", "2 3 4 5 6");

    private final Cell normal;
    private final Cell halving;

    Cells(String normal, String normalEnds, String halving, String halvingEnds) {
      this.normal = new Cell(normal, normalEnds);
      this.halving = new Cell(halving, halvingEnds);
    }
  }

  static Network build(Layers layers, Cells cells, ParameterValues values) {
    return new CellNetwork(layers, layers.net(), cells).build(values);
  }

  /** What a network begins with. */
  enum Stem {
    /** Stride 2 and two halving cells. */
    IMAGENET,
    /** Stride 1. */
    CIFAR
  }

  private Network build(ParameterValues values) {
    Stem stem = values.oneOf("stem", Stem.class);
    int stacked = values.count("cells", 1, 1000);
    long channels = values.whole("channels", 2, 1 << 16);
    boolean large = stem == Stem.IMAGENET;
    String x =
        layers.conv("stem", layers.image(values), STEM, Window.same(3, large ? 2 : 1), false);
    String before = null;
    StringBuilder plan = new StringBuilder(large ? "hh" : "");
    String normal = "n".repeat(stacked);
    plan.append(normal).append('h').append(normal).append('h').append(normal);
    for (int k = 0; k < plan.length(); k++) {
      boolean halving = plan.charAt(k) == 'h';
      channels = halving ? 2 * channels : channels;
      String next = cell("cell" + k, before, x, channels, halving);
      before = x;
      x = next;
    }
    layers.classify(layers.relu("relu", x), values.whole("classes", 1, 1 << 20));
    return net.build();
  }

  private String cell(String at, String before, String x, long channels, boolean halving) {
    String now = squeeze(at + ".now", x, channels);
    String past = before == null ? now : fit(at + ".past", before, now, channels);
    List<String> results = new ArrayList<>(List.of(past, now));
    Cell cell = halving ? cells.halving : cells.normal;
    String[] blocks = cell.blocks.split(", ");
    for (int k = 0; k < blocks.length; k++) {
      String[] words = blocks[k].split(" ");
      String name = at + ".b" + k;
      String left = apply(name + ".left", words[0], words[1], results, channels, halving);
      String right = apply(name + ".right", words[2], words[3], results, channels, halving);
      results.add(net.add(name + ".add", left, right));
    }
    List<String> ends =
        Arrays.stream(cell.ends.split(" ")).map(Integer::parseInt).map(results::get).toList();
    return layers.concat(at + ".concat", ends);
  }

  private String apply(
      String at, String op, String operand, List<String> results, long channels, boolean halving) {
    int from = Integer.parseInt(operand);
    String x = results.get(from);
    int stride = halving && from < 2 ? 2 : 1;
    int size = op.equals("id") ? 0 : op.charAt(op.length() - 1) - '0';
    return switch (op.substring(0, Math.min(3, op.length())).toLowerCase(Locale.ROOT)) {
      case "id" -> x;
      case "max" -> net.maxPool(at, x, Window.same(size, stride));
      case "avg" -> net.averagePool(at, x, Window.same(size, stride));
      case "row" -> {
        String y =
            layers.conv(at + ".row", x, channels, new Window(1, size, stride, 0, size / 2), false);
        yield layers.conv(at + ".column", y, channels, new Window(size, 1, 1, size / 2, 0), false);
      }
      case "dil" -> {
        String y = layers.relu(at + ".relu", x);
        y = layers.depthwise(at + ".depthwise", y, Window.same(size, stride));
        yield layers.conv(at + ".pointwise", y, channels, Window.same(1, 1), false);
      }
      default -> {
        String y = layers.relu(at + ".relu", x);
        y = layers.depthwise(at + ".depthwise1", y, Window.same(size, stride));
        y = layers.conv(at + ".pointwise1", y, channels, Window.same(1, 1), true);
        y = layers.depthwise(at + ".depthwise2", y, Window.same(size, 1));
        yield layers.conv(at + ".pointwise2", y, channels, Window.same(1, 1), false);
      }
    };
  }

  private String squeeze(String at, String x, long channels) {
    return layers.conv(at, layers.relu(at + ".relu", x), channels, Window.same(1, 1), false);
  }

  /** A tensor brought to another's rows and columns, where it has twice as many. */
  private String fit(String at, String x, String like, long channels) {
    if (net.shape(x)[2] == net.shape(like)[2]) {
      return squeeze(at, x, channels);
    }
    String y = layers.relu(at + ".relu", x);
    String even = net.averagePool(at + ".even", y, Window.same(1, 2));
    even = layers.conv(at + ".even.conv", even, channels / 2, Window.same(1, 1), false);
    long[] shape = net.shape(y);
    Map<String, Object> pads = Map.of("pads", List.of(0L, 0L, 0L, 0L, 0L, 0L, 1L, 1L));
    long[] larger = {shape[0], shape[1], shape[2] + 1, shape[3] + 1};
    String padded = net.op(at + ".pad", "Pad", pads, List.of(y), larger);
    long[] starts = {1, 1};
    long[] ends = {shape[2] + 1, shape[3] + 1};
    String odd = net.slice(at + ".shift", padded, new int[] {2, 3}, starts, ends);
    odd = net.averagePool(at + ".odd", odd, Window.same(1, 2));
    odd = layers.conv(at + ".odd.conv", odd, channels - channels / 2, Window.same(1, 1), false);
    return layers.concat(at + ".concat", List.of(even, odd));
  }
}

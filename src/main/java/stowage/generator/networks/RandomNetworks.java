package stowage.generator.networks;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import stowage.generator.Draws;
import stowage.generator.ParameterValues;
import stowage.generator.networks.NetworkBuilder.Window;
import stowage.network.Network;

/** Networks whose wiring is drawn at random. */
final class RandomNetworks {
  /** What makes up a node of a randomly wired stage. */
  enum Node {
    /** One op that reads all operands. */
    ONE_OP,
    /** A sum and a convolution. */
    SUM_APART,
    /** A sum, a depthwise and a pointwise convolution. */
    SEPARABLE
  }

  private static final long UNIT = 4096;

  private RandomNetworks() {}

  /**
   * Stages of nodes wired as a graph of Watts and Strogatz (1998, doi 10.1038/30918): a ring in
   * which each node has an edge to its nearest neighbours, edges rewired at random, each directed
   * from the lower number to the higher one. Nodes without predecessors read the stage's input with
   * stride 2; the mean of the nodes without successors is its result.
   */
  static Network wired(Layers layers, ParameterValues values) {
    NetworkBuilder net = layers.net();
    Draws draws = values.draws();
    int nodes = values.count("nodes", 4, 10_000);
    int near = values.count("neighbours", 2, nodes - 2);
    if (near % 2 != 0) {
      throw values.contradiction("neighbours", "even");
    }
    double rewiring = values.real("rewiring", 0, 1);
    long channels = values.whole("channels", 2, 1 << 16);
    boolean spread = values.flag("spread");
    Node node = values.oneOf("node", Node.class);
    String x = layers.image(values);
    x = layers.conv("stem1", x, channels / 2, Window.same(3, 2), true);
    x = layers.conv("stem2", x, channels, Window.same(3, 2), false);
    for (int stage = 0; stage < values.count("stages", 1, 20); stage++) {
      boolean[][] edge = wiring(draws, nodes, near, rewiring);
      long width = channels << stage;
      List<String> results = new ArrayList<>();
      List<String> ends = new ArrayList<>();
      for (int v = 0; v < nodes; v++) {
        List<String> operands = new ArrayList<>();
        boolean last = true;
        for (int u = 0; u < nodes; u++) {
          if (edge[u][v] && u < v) {
            operands.add(results.get(u));
          }
          last &= !edge[v][u] || u < v;
        }
        int stride = operands.isEmpty() ? 2 : 1;
        String at = "stage" + stage + ".node" + v;
        long wide = spread ? width / 2 + draws.uniform(0, width / 2) : width;
        results.add(
            node(layers, at, node, stride == 2 ? List.of(x) : operands, wide, stride, spread));
        if (last) {
          ends.add(results.get(v));
        }
      }
      String mean = "stage" + stage + ".mean";
      x =
          spread
              ? layers.conv(
                  mean + ".conv", layers.concat(mean, ends), width, Window.same(1, 1), false)
              : layers.sum(mean, ends);
    }
    x = layers.conv("last", x, 1280, Window.same(1, 1), true);
    layers.classify(x, values.whole("classes", 1, 1 << 20));
    return net.build();
  }

  private static boolean[][] wiring(Draws draws, int nodes, int near, double rewiring) {
    boolean[][] edge = new boolean[nodes][nodes];
    for (int v = 0; v < nodes; v++) {
      for (int k = 1; k <= near / 2; k++) {
        edge[v][(v + k) % nodes] = true;
        edge[(v + k) % nodes][v] = true;
      }
    }
    for (int v = 0; v < nodes; v++) {
      for (int k = 1; k <= near / 2; k++) {
        int neighbour = (v + k) % nodes;
        if (!edge[v][neighbour] || !draws.happens(rewiring)) {
          continue;
        }
        List<Integer> free = new ArrayList<>();
        for (int u = 0; u < nodes; u++) {
          if (u != v && !edge[v][u]) {
            free.add(u);
          }
        }
        if (!free.isEmpty()) {
          int other = draws.oneOf(free);
          edge[v][neighbour] = false;
          edge[neighbour][v] = false;
          edge[v][other] = true;
          edge[other][v] = true;
        }
      }
    }
    return edge;
  }

  private static String node(
      Layers layers,
      String at,
      Node node,
      List<String> operands,
      long channels,
      int stride,
      boolean spread) {
    NetworkBuilder net = layers.net();
    if (node == Node.ONE_OP) {
      long[] shape = net.shape(operands.get(0));
      long rows = (shape[2] + stride - 1) / stride;
      long[] result = {shape[0], channels, rows, rows};
      return net.mix(at, operands, new long[] {channels, shape[1], 3, 3}, result);
    }
    String x = spread ? layers.concat(at + ".sum", operands) : layers.sum(at + ".sum", operands);
    if (node == Node.SUM_APART) {
      return layers.conv(at + ".conv", x, channels, Window.same(3, stride), true);
    }
    String y = layers.depthwise(at + ".depthwise", x, Window.same(3, stride));
    return layers.conv(at + ".pointwise", y, channels, Window.same(1, 1), true);
  }

  /**
   * Cells of few channels: each convolution reads the concat of some results of its cell, near ones
   * more often; the concat of all results that nothing reads ends the cell, and a convolution with
   * stride 2 leads to the next.
   */
  static Network swift(Layers layers, ParameterValues values) {
    NetworkBuilder net = layers.net();
    Draws draws = values.draws();
    int nodes = values.count("nodes", 1, 10_000);
    int cells = values.count("cells", 1, 20);
    long channels = values.whole("channels", 1, 1 << 16);
    String x = layers.conv("stem", layers.image(values), channels, Window.same(3, 2), true);
    for (int cell = 0; cell < cells; cell++) {
      List<String> results = new ArrayList<>(List.of(x));
      TreeSet<Integer> unread = new TreeSet<>(List.of(0));
      for (int v = 1; v <= nodes; v++) {
        TreeSet<Integer> read = new TreeSet<>(List.of(v - 1 - Math.min(v - 1, draws.below(3))));
        for (int u = 0; u < v; u++) {
          if (draws.happens(0.7 / (v - u))) {
            read.add(u);
          }
        }
        String at = "cell" + cell + ".node" + v;
        String operand = layers.concat(at + ".concat", read.stream().map(results::get).toList());
        long wide = (channels << cell) * (1 + draws.below(3)) / 2 + 1;
        results.add(layers.conv(at, operand, wide, Window.same(draws.below(2) * 2 + 1, 1), true));
        unread.removeAll(read);
        unread.add(v);
      }
      String all =
          layers.concat("cell" + cell + ".concat", unread.stream().map(results::get).toList());
      x = layers.conv("cell" + cell + ".down", all, channels << cell, Window.same(3, 2), true);
    }
    layers.classify(x, values.whole("classes", 1, 1 << 20));
    return net.build();
  }

  /** Ops with weights, each reading one or two recent results; all that nothing reads is output. */
  static Network graph(Layers layers, ParameterValues values) {
    NetworkBuilder net = layers.net();
    Draws draws = values.draws();
    int nodes = values.count("nodes", 1, 100_000);
    int reach = values.count("reach", 1, 100_000);
    long batch = values.whole("batch", 1, 1 << 20);
    List<String> results = new ArrayList<>(List.of(net.input("data", batch, 4, UNIT)));
    TreeSet<Integer> unread = new TreeSet<>();
    for (int v = 1; v <= nodes; v++) {
      TreeSet<Integer> read = new TreeSet<>();
      for (int k = draws.below(2); k >= 0; k--) {
        read.add(Math.max(0, v - 1 - (int) draws.exponential(0, 4L * reach, reach / 2.0)));
      }
      long[] result = {batch, 1L << draws.below(4), UNIT};
      long[] weight = {1L << 2 * draws.below(3), UNIT / 4};
      results.add(net.mix("op" + v, read.stream().map(results::get).toList(), weight, result));
      unread.removeAll(read);
      unread.add(v);
    }
    unread.forEach(v -> net.output(results.get(v)));
    return net.build();
  }
}

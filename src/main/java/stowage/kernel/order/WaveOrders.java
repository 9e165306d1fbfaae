package stowage.kernel.order;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.packing.DisjointSets;

/**
 * Constructions of orders by waves, the tiling of a loop nest without its loops. Anchors that
 * precede one another are a chain, for instance all work on one block of the result; chains share
 * only what feeders bring in. A wave takes some chains, those that share most, through so many
 * steps of depth at a time, one chain after another, until they have ended; then the next wave
 * begins. One chain a wave runs results one by one; all chains in one wave, a step at a time, run
 * them side by side. Feeders run right before the first anchor that needs them. Not thread-safe.
 */
final class WaveOrders {
  private final KernelOps graph;
  private final boolean[] feeder;
  private final int[][] chains;
  private final int[][] depths;
  private final int[] deepest;
  private final int[][] shared;
  private final boolean[] done;
  private final boolean[] touched;
  private int count;

  WaveOrders(KernelOps graph, boolean[] feeder) {
    this.graph = graph;
    this.feeder = feeder;
    DisjointSets sets = new DisjointSets(graph.ops);
    for (int v = 0; v < graph.ops; v++) {
      for (int k = graph.predAt[v]; k < graph.predAt[v + 1] && !feeder[v]; k++) {
        if (!feeder[graph.pred[k]]) {
          sets.join(v, graph.pred[k]);
        }
      }
    }
    chains = sets.sets().stream().filter(set -> !feeder[set[0]]).toArray(int[][]::new);
    depths = new int[][] {earliest(), latest(), places()};
    deepest = Arrays.stream(depths).mapToInt(d -> Arrays.stream(d).max().orElse(0)).toArray();
    done = new boolean[graph.ops];
    touched = new boolean[graph.buffers];
    shared = sharedBuffers();
  }

  /** For each anchor, how many anchors follow one another before it. */
  private int[] earliest() {
    int[] depth = new int[graph.ops];
    for (int v = 0; v < graph.ops; v++) {
      for (int k = graph.predAt[v]; k < graph.predAt[v + 1] && !feeder[v]; k++) {
        depth[v] = feeder[graph.pred[k]] ? depth[v] : Math.max(depth[v], depth[graph.pred[k]] + 1);
      }
    }
    return depth;
  }

  /** The latest depth that makes no chain longer; for ops that nothing follows the earliest. */
  private int[] latest() {
    int[] tail = new int[graph.ops];
    int most = 0;
    for (int v = graph.ops - 1; v >= 0; v--) {
      for (int k = graph.succAt[v]; k < graph.succAt[v + 1]; k++) {
        tail[v] = Math.max(tail[v], tail[graph.succ[k]] + 1);
      }
      most = Math.max(most, feeder[v] ? 0 : tail[v]);
    }
    int[] depth = new int[graph.ops];
    for (int v = 0; v < graph.ops; v++) {
      depth[v] = feeder[v] ? 0 : most - tail[v];
      boolean last = graph.succAt[v] == graph.succAt[v + 1];
      for (int k = graph.predAt[v]; last && k < graph.predAt[v + 1]; k++) {
        depth[v] = k == graph.predAt[v] ? 0 : depth[v];
        depth[v] = Math.max(depth[v], depth[graph.pred[k]] + 1);
      }
    }
    return depth;
  }

  /** The place of each anchor in its chain, in the order of the file. */
  private int[] places() {
    int[] place = new int[graph.ops];
    for (int[] chain : chains) {
      for (int k = 0; k < chain.length; k++) {
        place[chain[k]] = k;
      }
    }
    return place;
  }

  /** The buffers of each chain that other chains use too. */
  private int[][] sharedBuffers() {
    int[] chainsOf = new int[graph.buffers];
    int[][] used = new int[chains.length][];
    int[] last = new int[graph.buffers];
    Arrays.fill(last, -1);
    for (int c = 0; c < chains.length; c++) {
      IntStream.Builder own = IntStream.builder();
      for (int v : chains[c]) {
        collect(v, c, last, own);
      }
      used[c] = own.build().toArray();
      for (int b : used[c]) {
        chainsOf[b]++;
      }
    }
    for (int c = 0; c < chains.length; c++) {
      used[c] = Arrays.stream(used[c]).filter(b -> chainsOf[b] > 1).toArray();
    }
    return used;
  }

  private void collect(int v, int c, int[] last, IntStream.Builder own) {
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      if (last[graph.use[k]] != c) {
        last[graph.use[k]] = c;
        own.add(graph.use[k]);
      }
    }
    for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) {
      if (feeder[graph.pred[k]]) {
        collect(graph.pred[k], c, last, own);
      }
    }
  }

  /** Whether waves can differ: there are several chains, and some have several steps. */
  boolean isUseful() {
    return chains.length > 1;
  }

  /**
   * What a construction is made by.
   *
   * @param width chains in a wave
   * @param stride steps of depth at a time
   * @param kind which depth: earliest, latest, or the place in the file
   * @param turning whether every second step takes the chains backwards
   * @param nearest whether a wave begins with the chain that shares most with the last wave
   * @param noise how much sharing is weighed at random
   */
  record Shape(int width, int stride, int kind, boolean turning, boolean nearest, double noise) {}

  Shape random(SplittableRandom random) {
    int kind = random.nextInt(depths.length);
    return new Shape(
        Math.max(1, (int) Math.round(Math.pow(chains.length, random.nextDouble()))),
        Math.max(1, (int) Math.round(Math.pow(deepest[kind] + 1, random.nextDouble(0, 1.1)))),
        kind,
        random.nextBoolean(),
        random.nextInt(4) > 0,
        random.nextInt(2) == 0 ? 0 : Math.pow(10, random.nextDouble(-2, 0)));
  }

  Shape varied(Shape shape, SplittableRandom random) {
    int width = shape.width();
    int stride = shape.stride();
    if (random.nextBoolean()) {
      int step = Math.max(1, width / 4);
      width = Math.max(1, Math.min(chains.length, width + random.nextInt(-step, step + 1)));
    }
    if (random.nextBoolean()) {
      stride = Math.max(1, (int) Math.round(stride * Math.exp(random.nextDouble(-0.7, 0.7))));
    }
    return new Shape(
        width,
        stride,
        random.nextInt(6) == 0 ? random.nextInt(depths.length) : shape.kind(),
        (random.nextInt(4) == 0) != shape.turning(),
        (random.nextInt(6) == 0) != shape.nearest(),
        random.nextInt(3) == 0 ? 0 : shape.noise());
  }

  void build(int[] order, Shape shape, SplittableRandom random) {
    Arrays.fill(done, false);
    Arrays.fill(touched, false);
    count = 0;
    int[] open = IntStream.range(0, chains.length).toArray();
    int left = open.length;
    while (left > 0) {
      int size = Math.min(shape.width(), left);
      int[] wave = new int[size];
      if (!shape.nearest()) {
        Arrays.fill(touched, false);
      }
      for (int k = 0; k < size; k++) {
        int at = 0;
        double most = -1;
        for (int j = 0; j < left; j++) {
          double value = sharing(open[j]) * (1 + shape.noise() * random.nextDouble());
          if (value > most) {
            most = value;
            at = j;
          }
        }
        wave[k] = open[at];
        System.arraycopy(open, at + 1, open, at, --left - at);
        if (k == 0) {
          Arrays.fill(touched, false);
        }
        for (int b : shared[wave[k]]) {
          touched[b] = true;
        }
      }
      run(wave, shape, order);
    }
    for (int v = 0; v < graph.ops; v++) {
      visit(v, order);
    }
  }

  private double sharing(int c) {
    double bytes = 0;
    for (int b : shared[c]) {
      bytes += touched[b] ? graph.size[b] : 0;
    }
    return bytes;
  }

  private void run(int[] wave, Shape shape, int[] order) {
    record At(int v, int slice, int place) {}
    int size = wave.length;
    int[] depth = depths[shape.kind()];
    IntStream.range(0, size)
        .boxed()
        .flatMap(
            k ->
                Arrays.stream(chains[wave[k]])
                    .mapToObj(
                        v -> {
                          int slice = depth[v] / shape.stride();
                          boolean back = shape.turning() && slice % 2 == 1;
                          return new At(v, slice, back ? size - k : k);
                        }))
        .sorted(
            Comparator.comparingInt(At::slice)
                .thenComparingInt(At::place)
                .thenComparingInt(at -> depth[at.v()])
                .thenComparingInt(At::v))
        .forEach(at -> visit(at.v(), order));
  }

  private void visit(int v, int[] order) {
    if (done[v]) {
      return;
    }
    done[v] = true;
    for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) {
      visit(graph.pred[k], order);
    }
    order[count++] = v;
  }
}

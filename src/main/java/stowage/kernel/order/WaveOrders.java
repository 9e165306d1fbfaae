package stowage.kernel.order;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.packing.DisjointSets;

/**
 * Constructions of orders by waves, the tiling of a loop nest without its loops. Anchors that
 * precede one another are a chain, for instance all work on one block of the result; chains share
 * only what feeders bring in. A wave takes some chains, those that share most, through so many
 * steps of depth at a time, one chain after another, until they have ended; then the next wave
 * begins. Widths and steps are mostly equal parts of what there is. One chain a wave runs results
 * one by one; all chains in one wave, a step at a time, run them side by side. Feeders run right
 * before the first anchor that needs them. Not thread-safe.
 */
final class WaveOrders {
  /** Where rows and columns of blocks are shared, one of both is then nearly all that counts. */
  private static final double STEEP = 4;

  private final KernelOps graph;
  private final boolean[] feeder;
  private final int[][] chains;
  private final int[] depth;
  private final int deepest;
  private final int[][] shared;

  /** By buffer, how many chains use it. */
  private final int[] sharers;

  /** By buffer, how far apart in the file the chains are that use it: 1 for neighbours. */
  private final double[] spread;

  private final boolean[] touched;

  WaveOrders(KernelOps graph, boolean[] feeder) {
    this.graph = graph;
    this.feeder = feeder;
    DisjointSets sets = new DisjointSets(graph.ops);
    for (int v = 0; v < graph.ops; v++) {
      for (int u : graph.preds[v]) {
        if (!feeder[v] && !feeder[u]) {
          sets.join(v, u);
        }
      }
    }
    chains = sets.sets().stream().filter(set -> !feeder[set[0]]).toArray(int[][]::new);
    sharers = new int[graph.buffers];
    spread = new double[graph.buffers];
    shared = sharedBuffers();
    depth = places();
    deepest = Arrays.stream(depth).max().orElse(0);
    touched = new boolean[graph.buffers];
  }

  /**
   * The place of each anchor in its chain, in the order of the file: only anchors that use what
   * other chains use too count, so that the others run with the one before them, and as a share of
   * the most in any chain. So chains that are shorter at a border, as those of a convolution, are
   * at the same blocks of channels at the same depth.
   */
  private int[] places() {
    int[] place = new int[graph.ops];
    int[][] before = new int[chains.length][];
    int most = 0;
    for (int c = 0; c < chains.length; c++) {
      before[c] = new int[chains[c].length + 1];
      for (int k = 0; k < chains[c].length; k++) {
        before[c][k + 1] = before[c][k] + (shares(chains[c][k]) ? 1 : 0);
      }
      most = Math.max(most, before[c][chains[c].length]);
    }
    for (int c = 0; c < chains.length; c++) {
      int all = Math.max(1, before[c][chains[c].length]);
      for (int k = 0; k < chains[c].length; k++) {
        place[chains[c][k]] = (int) ((Math.max(1, before[c][k + 1]) - 1L) * most / all);
      }
    }
    return place;
  }

  private boolean shares(int v) {
    return Arrays.stream(graph.uses[v]).anyMatch(b -> sharers[b] > 1)
        || Arrays.stream(graph.preds[v]).anyMatch(u -> feeder[u] && shares(u));
  }

  /** The buffers of each chain that other chains use too. */
  private int[][] sharedBuffers() {
    int[][] used = new int[chains.length][];
    int[] last = new int[graph.buffers];
    int[] first = new int[graph.buffers];
    Arrays.fill(last, -1);
    for (int c = 0; c < chains.length; c++) {
      IntStream.Builder own = IntStream.builder();
      for (int v : chains[c]) {
        collect(v, c, last, own);
      }
      used[c] = own.build().toArray();
      for (int b : used[c]) {
        first[b] = sharers[b]++ == 0 ? c : first[b];
      }
    }
    Arrays.setAll(spread, b -> (last[b] - first[b] + 1.0) / Math.max(1, sharers[b]));
    for (int c = 0; c < chains.length; c++) {
      used[c] = Arrays.stream(used[c]).filter(b -> sharers[b] > 1).toArray();
    }
    return used;
  }

  private void collect(int v, int c, int[] last, IntStream.Builder own) {
    for (int b : graph.uses[v]) {
      if (last[b] != c) {
        last[b] = c;
        own.add(b);
      }
    }
    for (int u : graph.preds[v]) {
      if (feeder[u]) {
        collect(u, c, last, own);
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
   * @param turning whether every second step takes the chains backwards
   * @param nearest whether a wave begins with the chain that shares most with the last wave
   * @param noise how much sharing is weighed at random
   * @param pick the power of a buffer's spread by which it counts where the chains of a wave are
   *     chosen: the blocks of a row with one sign, those of a column with the other
   * @param lead the same where they are put in order
   */
  record Shape(
      int width,
      int stride,
      boolean turning,
      boolean nearest,
      double noise,
      double pick,
      double lead) {}

  Shape random(SplittableRandom random) {
    return new Shape(
        part(chains.length, random),
        part(deepest + 1, random),
        random.nextBoolean(),
        random.nextInt(4) > 0,
        random.nextInt(2) == 0 ? 0 : Math.pow(10, random.nextDouble(-2, 0)),
        power(random),
        power(random));
  }

  /** One of some equal parts of a number, rounded up. */
  private static int part(int all, SplittableRandom random) {
    int parts = (int) Math.round(Math.pow(all, random.nextDouble()));
    return (all + parts - 1) / parts;
  }

  private static double power(SplittableRandom random) {
    return random.nextBoolean() ? 0 : random.nextBoolean() ? STEEP : -STEEP;
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
        (random.nextInt(4) == 0) != shape.turning(),
        (random.nextInt(6) == 0) != shape.nearest(),
        random.nextInt(3) == 0 ? 0 : shape.noise(),
        random.nextInt(6) == 0 ? power(random) : shape.pick(),
        random.nextInt(6) == 0 ? power(random) : shape.lead());
  }

  void build(int[] order, Shape shape, SplittableRandom random) {
    Arrays.fill(touched, false);
    IntStream.Builder wanted = IntStream.builder();
    double[] pick = values(shape.pick());
    double[] lead = values(shape.lead());
    int[] open = IntStream.range(0, chains.length).toArray();
    int left = open.length;
    while (left > 0) {
      if (!shape.nearest()) {
        Arrays.fill(touched, false);
      }
      int[] wave = new int[Math.min(shape.width(), left)];
      take(open, left, wave, pick, shape.noise(), random);
      left -= wave.length;
      if (shape.lead() != shape.pick()) {
        Arrays.fill(touched, false);
        take(wave.clone(), wave.length, wave, lead, shape.noise(), random);
      }
      run(wave, shape, wanted);
    }
    System.arraycopy(graph.completed(wanted.build()), 0, order, 0, order.length);
  }

  private double[] values(double power) {
    double[] values = new double[graph.buffers];
    Arrays.setAll(values, b -> graph.size[b] * Math.pow(spread[b], power));
    return values;
  }

  /** Takes chains out of some, one after another that which shares most with those before it. */
  private void take(
      int[] open, int count, int[] wave, double[] value, double noise, SplittableRandom random) {
    int left = count;
    for (int k = 0; k < wave.length; k++) {
      int at = 0;
      double most = -1;
      for (int j = 0; j < left; j++) {
        double sharing = sharing(open[j], value);
        if (noise > 0) {
          sharing *= 1 + noise * random.nextDouble();
        }
        if (sharing > most) {
          most = sharing;
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
  }

  private double sharing(int c, double[] value) {
    double sum = 0;
    for (int b : shared[c]) {
      sum += touched[b] ? value[b] : 0;
    }
    return sum;
  }

  private void run(int[] wave, Shape shape, IntStream.Builder wanted) {
    int size = wave.length;
    long deep = deepest + 1L;
    IntStream.range(0, size)
        .boxed()
        .flatMapToLong(
            k ->
                Arrays.stream(chains[wave[k]])
                    .mapToLong(
                        v -> { // by slice, place, depth and number
                          int slice = depth[v] / shape.stride();
                          boolean back = shape.turning() && slice % 2 == 1;
                          long place = (size + 1L) * slice + (back ? size - k : k);
                          return (place * deep + depth[v]) * graph.ops + v;
                        }))
        .sorted()
        .forEach(key -> wanted.add((int) (key % graph.ops)));
  }
}

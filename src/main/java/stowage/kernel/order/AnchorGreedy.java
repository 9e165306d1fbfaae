package stowage.kernel.order;

import java.util.Arrays;
import java.util.SplittableRandom;
import stowage.kernel.model.KernelOps;

/**
 * Construction of an order of ops by anchors. Ops with at most one op before them, such as copies
 * into a cache and moves between caches, are feeders: they only take memory, so each runs right
 * before the first other op, an anchor, that needs it. At each step, of all anchors whose preceding
 * anchors have run, the one with the lowest score runs together with its feeders.
 *
 * <p>A score weighs what running the anchor would reload, how much it would grow each cache, its
 * momentary need, by how much caches would overflow, the buffers it brings nearer to their end, how
 * recently its operands were used, and its position in the file. The weights are drawn at random,
 * so that repeated constructions give different orders. Not thread-safe.
 */
final class AnchorGreedy {
  /** Longest chain of feeders before an anchor. */
  private static final int FEEDERS = 3;

  private static final int MOST_CANDIDATES = 96;

  record Weights(
      double reload,
      double growth,
      double need,
      double finish,
      double recent,
      double position,
      double noise,
      double overflow,
      boolean byCapacity) {

    static Weights random(SplittableRandom random) {
      return new Weights(
          Math.pow(10, random.nextDouble(-1, 1.5)),
          random.nextInt(4) == 0 ? 0 : Math.pow(10, random.nextDouble(-1.5, 1)),
          random.nextInt(2) == 0 ? 0 : Math.pow(10, random.nextDouble(-2, 0.5)),
          random.nextInt(3) == 0
              ? 0
              : (random.nextInt(4) == 0 ? -1 : 1) * Math.pow(10, random.nextDouble(-1.5, 1)),
          random.nextInt(3) == 0 ? 0 : Math.pow(10, random.nextDouble(-2, 1)),
          random.nextInt(2) == 0 ? 0 : Math.pow(10, random.nextDouble(-3, 1)),
          random.nextInt(2) == 0 ? 0 : Math.pow(10, random.nextDouble(-4, -0.5)),
          random.nextInt(3) == 0 ? 0 : Math.pow(10, random.nextDouble(-1, 1.5)),
          random.nextBoolean());
    }

    /** The same weights, each changed a little at random. */
    Weights varied(SplittableRandom random) {
      return new Weights(
          reload * factor(random),
          growth * factor(random),
          need * factor(random),
          finish * factor(random),
          recent * factor(random),
          position * factor(random),
          Math.max(noise, 1e-4) * factor(random),
          overflow * factor(random),
          byCapacity);
    }

    private static double factor(SplittableRandom random) {
      return Math.exp(random.nextDouble(-0.7, 0.7));
    }
  }

  private final KernelOps graph;
  private final boolean[] feeder;
  private final boolean[] done;
  private final int[] waiting;
  private final int[] left;
  private final int[] touched;
  private final boolean[] in;
  private final long[] used;
  private final int[] mark;
  private final int[] counted;
  private final double[] scale;
  private final long[] incoming;
  private final int[] closure;
  private final int[] candidates;
  private int candidateCount;
  private int stamp;
  private int closureCount;

  AnchorGreedy(KernelOps graph) {
    this.graph = graph;
    feeder = new boolean[graph.ops];
    int[] depth = new int[graph.ops];
    for (int v = 0; v < graph.ops; v++) {
      int before = graph.preds[v].length;
      int above = before == 0 ? 0 : graph.preds[v][0];
      depth[v] = before == 0 ? 1 : depth[above] + 1;
      feeder[v] =
          graph.succs[v].length > 0
              && (before == 0 || before == 1 && feeder[above] && depth[v] <= FEEDERS);
    }
    done = new boolean[graph.ops];
    waiting = new int[graph.ops];
    left = new int[graph.buffers];
    touched = new int[graph.buffers];
    in = new boolean[graph.buffers];
    used = new long[graph.caches];
    mark = new int[graph.ops];
    counted = new int[graph.buffers];
    scale = new double[graph.caches];
    incoming = new long[graph.caches];
    closure = new int[graph.ops];
    candidates = new int[graph.ops];
  }

  boolean[] feeders() {
    return feeder;
  }

  void build(int[] order, Weights weights, SplittableRandom random) {
    Arrays.fill(done, false);
    Arrays.fill(touched, -1);
    Arrays.fill(in, false);
    Arrays.fill(used, 0);
    Arrays.fill(mark, 0);
    Arrays.fill(counted, 0);
    stamp = 0;
    candidateCount = 0;
    Arrays.setAll(left, b -> graph.users[b].length);
    for (int c = 0; c < graph.caches; c++) {
      scale[c] = weights.byCapacity ? 1.0 / Math.max(1, graph.capacity[c] * graph.unit[c]) : 1e-3;
    }
    for (int v = 0; v < graph.ops; v++) {
      waiting[v] = 0;
      for (int u : graph.preds[v]) {
        waiting[v] += feeder[u] ? 0 : 1;
      }
      if (waiting[v] == 0 && !feeder[v]) {
        candidates[candidateCount++] = v;
      }
    }
    int at = 0;
    while (at < graph.ops) {
      int v = choose(weights, random);
      gather(v);
      for (int k = 0; k < closureCount; k++) {
        at = run(closure[k], order, at);
      }
    }
  }

  private int run(int v, int[] order, int at) {
    order[at] = v;
    done[v] = true;
    for (int b : graph.uses[v]) {
      touched[b] = at;
      if (!in[b]) {
        in[b] = true;
        used[graph.cache[b]] += graph.cells[b];
      }
      makeRoom(graph.cache[b], at);
    }
    for (int b : graph.uses[v]) {
      if (--left[b] == 0) {
        in[b] = false;
        used[graph.cache[b]] -= graph.cells[b];
      }
    }
    if (!feeder[v]) {
      for (int k = 0; k < candidateCount; k++) {
        if (candidates[k] == v) {
          candidates[k] = candidates[--candidateCount];
          break;
        }
      }
      for (int w : graph.succs[v]) {
        if (--waiting[w] == 0) {
          candidates[candidateCount++] = w;
        }
      }
    }
    return at + 1;
  }

  /** Drops what was used longest ago while a cache overflows. */
  private void makeRoom(int c, int now) {
    while (used[c] > graph.capacity[c]) {
      int victim = -1;
      for (int b = 0; b < graph.buffers; b++) {
        if (in[b]
            && graph.cache[b] == c
            && graph.cells[b] > 0
            && touched[b] < now
            && (victim < 0 || touched[b] < touched[victim])) {
          victim = b;
        }
      }
      if (victim < 0) {
        return;
      }
      in[victim] = false;
      used[c] -= graph.cells[victim];
    }
  }

  private void gather(int v) {
    closureCount = 0;
    stamp++;
    visit(v);
  }

  private void visit(int v) {
    if (done[v] || mark[v] == stamp) {
      return;
    }
    mark[v] = stamp;
    for (int u : graph.preds[v]) {
      visit(u);
    }
    closure[closureCount++] = v;
  }

  private int choose(Weights weights, SplittableRandom random) {
    int best = -1;
    double bestScore = Double.MAX_VALUE;
    int count = candidateCount;
    boolean sampled = count > MOST_CANDIDATES;
    for (int k = 0; k < (sampled ? MOST_CANDIDATES : count); k++) {
      // the newest candidates first: they follow what has just run
      int v =
          candidates[!sampled || k < MOST_CANDIDATES / 2 ? count - 1 - k : random.nextInt(count)];
      double score = score(v, weights);
      if (weights.noise > 0) {
        score += weights.noise * random.nextDouble();
      }
      if (score < bestScore) {
        bestScore = score;
        best = v;
      }
    }
    return best;
  }

  private double score(int v, Weights weights) {
    gather(v);
    double score = weights.position * graph.node[v] / (graph.ops + graph.buffers);
    Arrays.fill(incoming, 0);
    for (int j = 0; j < closureCount; j++) {
      int u = closure[j];
      for (int b : graph.uses[u]) {
        int key = 2 * stamp + 1; // counted once for each closure
        if (counted[b] != key) {
          counted[b] = key;
          score += operand(b, weights);
          incoming[graph.cache[b]] += in[b] ? 0 : graph.cells[b];
        }
      }
    }
    for (int c = 0; weights.overflow > 0 && c < graph.caches; c++) {
      double over = used[c] + incoming[c] - graph.capacity[c];
      score += over > 0 ? weights.overflow * over * graph.unit[c] * scale[c] : 0;
    }
    return score;
  }

  private double operand(int b, Weights weights) {
    int c = graph.cache[b];
    double size = graph.size[b] * scale[c];
    int uses = 0;
    for (int j = 0; j < closureCount; j++) {
      int u = closure[j];
      for (int used : graph.uses[u]) {
        uses += used == b ? 1 : 0;
      }
    }
    double score = 0;
    boolean ends = left[b] == uses;
    if (touched[b] < 0) {
      score += weights.need * size + (ends ? 0 : weights.growth * size);
    } else {
      if (!in[b]) {
        score += weights.reload * graph.price[b] * scale[c] + weights.need * size;
      } else {
        score -= weights.recent * size;
      }
      score -= ends ? weights.growth * size : 0;
      score -= weights.finish * size / Math.max(1, left[b] - uses + 1);
    }
    return score;
  }
}

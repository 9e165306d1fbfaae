package stowage.schedule.search;

import java.util.Arrays;
import java.util.HashSet;
import java.util.function.BooleanSupplier;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Goes through the downsets by number of ops and keeps, of each number, those with the least peak
 * on the way, then the fewest live bytes. Finds good orders quickly and proves nothing.
 *
 * <p>What {@link RunAtOnce} allows within the peak so far is run without branching, so a step may
 * pass several numbers. A downset is put together again from the one before when its turn comes, so
 * only those that are kept take memory. O(ops · width · ready ops · touches).
 */
final class BeamSearch {
  private static final int SLACK = 8;

  private final OrderProblem problem;
  private final RunAtOnce atOnce;
  private final Downset downset;
  private final int[] log;
  private final int[] ready;

  /** Candidates of one number of ops. */
  private static final class Layer {
    private long[] peak = new long[16];
    private long[] live = new long[16];
    private long[] hash = new long[16];
    private int[] parent = new int[16];
    private int[] op = new int[16];
    private int count;

    void add(long ofPeak, long ofLive, long key, int from, int by) {
      if (count == peak.length) {
        peak = Arrays.copyOf(peak, 2 * count);
        live = Arrays.copyOf(live, 2 * count);
        hash = Arrays.copyOf(hash, 2 * count);
        parent = Arrays.copyOf(parent, 2 * count);
        op = Arrays.copyOf(op, 2 * count);
      }
      peak[count] = ofPeak;
      live[count] = ofLive;
      hash[count] = key;
      parent[count] = from;
      op[count++] = by;
    }

    /** Keeps the best ones, each downset once, in their order. */
    void cull(int width) {
      Integer[] ranks = new Integer[count];
      Arrays.setAll(ranks, k -> k);
      Arrays.sort(ranks, this::compare);
      Layer kept = new Layer();
      HashSet<Long> seen = new HashSet<>();
      for (int k : ranks) {
        if (kept.count < width && seen.add(hash[k])) {
          kept.add(peak[k], live[k], hash[k], parent[k], op[k]);
        }
      }
      peak = kept.peak;
      live = kept.live;
      hash = kept.hash;
      parent = kept.parent;
      op = kept.op;
      count = kept.count;
    }

    private int compare(int a, int b) {
      int byPeak = Long.compare(peak[a], peak[b]);
      int byLive = byPeak != 0 ? byPeak : Long.compare(live[a], live[b]);
      return byLive != 0 ? byLive : Integer.compare(a, b);
    }
  }

  BeamSearch(OrderProblem problem, RunAtOnceRules rules) {
    this.problem = problem;
    this.atOnce = new RunAtOnce(problem, rules);
    this.downset = new Downset(problem);
    this.log = new int[problem.ops()];
    this.ready = new int[problem.ops()];
  }

  /**
   * The best order found, or null when the bar left none.
   *
   * @param width downsets kept of each number of ops
   * @param least peaks up to it count as equal, in bytes: a proven bound
   * @param bar only orders with a peak below it are of use
   * @param stopped when true, the search ends without an order
   */
  int[] run(int width, long least, long bar, BooleanSupplier stopped) {
    int ops = problem.ops();
    Layer[] layers = new Layer[ops + 1];
    StateStore store = new StateStore(Math.max(1, problem.words()));
    downset.moveTo(new long[problem.words()], 0);
    int length = atOnce.close(downset, least, log, 0);
    int root = store.add(downset.bits(), downset.hash(), least, downset.live(), downset.size());
    store.reach(root, -1, log, length, least);
    if (downset.size() == ops) {
      return store.way(root);
    }
    expand(store, root, layers, width, bar);
    for (int depth = 1; depth <= ops; depth++) {
      Layer layer = layers[depth];
      layers[depth] = null;
      if (layer == null) {
        continue;
      }
      layer.cull(width);
      for (int k = 0; k < layer.count; k++) {
        if (stopped.getAsBoolean()) {
          return null;
        }
        downset.moveTo(store.bits(), store.bitsFrom(layer.parent[k]));
        downset.run(layer.op[k]);
        log[0] = layer.op[k];
        int noted = atOnce.close(downset, layer.peak[k], log, 1);
        int state =
            store.add(
                downset.bits(), downset.hash(), layer.peak[k], downset.live(), downset.size());
        store.reach(state, layer.parent[k], log, noted, layer.peak[k]);
        if (downset.size() == ops) {
          return store.way(state);
        }
        expand(store, state, layers, width, bar);
      }
    }
    return null;
  }

  private void expand(StateStore store, int state, Layer[] layers, int width, long bar) {
    int candidates = downset.sortedReady(ready);
    for (int k = 0; k < candidates; k++) {
      int op = ready[k];
      long load = downset.load(op);
      if (load >= bar) {
        continue;
      }
      long peak = Math.max(store.peak(state), load);
      downset.run(op);
      log[0] = op;
      int length =
          peak > store.peak(state)
              ? atOnce.close(downset, peak, log, 1)
              : atOnce.closeNear(downset, peak, log, 1);
      Layer layer = layers[downset.size()];
      if (layer == null) {
        layer = new Layer();
        layers[downset.size()] = layer;
      }
      layer.add(peak, downset.live(), downset.hash(), state, op);
      if (layer.count > SLACK * width + 64) {
        layer.cull(width);
      }
      while (length > 0) {
        downset.undo(log[--length]);
      }
    }
  }
}

package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import stowage.kernel.model.KernelOps;
import stowage.schedule.bound.MinimumCut;

/**
 * Least spill traffic of one moment, over all downsets of ops that may have run by then, with every
 * cache's capacity counted: a branch and bound over pins.
 *
 * <p><b>Price of a downset.</b> With U(c) units live in cache c of capacity K(c), U(c) - K(c) units
 * at least were spilled, and each cost the cache's rate m(c) at least: 2, or 1 where a copy in
 * fills some buffer of the cache. So the moment costs the sum over caches of m(c) x max(0, U(c) -
 * K(c)).
 *
 * <p><b>Bound at a node.</b> For any rates 0 <= a(c) <= m(c), the sum of a(c) x (U(c) - K(c)) is at
 * most that price, and its least value over all downsets with the pins is a least cut less a
 * constant ({@link LiveCut}). Rates are found by cuts and a linear program in turn ({@link
 * RateProgram}); each value is computed from the rates in whole numbers. With rates up to 2 for
 * caches of both prices a buffer counts no more than its own price: what stays has at most K units
 * and so counts at most a x K.
 *
 * <p><b>Why branch.</b> The best rates bound the best <em>mixture</em> of downsets, and a mixture
 * may fit where no downset does. A worked example: two loops share blocks of 8 units in L1, which
 * has 4; each loop keeps a sum of 3 in UB, which has 5. Only one loop begun: L1 has 8 live, excess
 * 4, and UB room of 2. Both begun: L1 nothing, UB excess 1. The mixture of 1/3 and 2/3 has 8/3 in
 * L1 and 5 in UB: no excess, so all rates give 0. Yet either the second loop has begun (1 unit of
 * UB was spilled, for 2) or not (4 of L1 were). One branch on its first op proves 2.
 *
 * <p><b>Branching.</b> An op that is in some downsets of the mixture and not in others is pinned as
 * run, or as not run; each downset is on one of the two sides. The least bound of the open nodes is
 * a bound of the moment. A single cut by the parent's rates says nothing of the sides, because each
 * contains a downset of the mixture; so each side gets some rounds of cuts before it waits for its
 * turn, the least full first. Not thread-safe.
 */
final class MomentTraffic {
  private static final int SCALE = 1 << 14;
  private static final int MOST_CUTS = 24;
  private static final int FIRST_CUTS = 3;
  private static final int MOST_POOL = 400;
  private static final double SURE = 1e-6;

  /** What a search came to: a bound, and whether a downset is known that costs no more. */
  record Answer(long bound, boolean reached) {}

  /** A downset, and the part of each cache that is live in it. */
  private record Cut(BitSet ran, double[] load) {}

  private record Node(int[] pins, long value, double load) {}

  private final KernelOps graph;
  private final BooleanSupplier stopped;
  private final LiveCut cut;
  private final int[] most;
  private final int[] dearest;
  private final double[] room;
  private final RateProgram master;
  private final List<Cut> pool = new ArrayList<>();
  private final List<Cut> seen = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);
  private double[] rates;

  // of the node evaluated last: its bound, the least price of a downset, its mixture's load
  private long value;
  private long price;
  private double load;

  MomentTraffic(KernelOps graph, BooleanSupplier stopped) {
    this.graph = graph;
    this.stopped = stopped;
    most = rates(graph);
    dearest = most.clone();
    for (int b = 0; b < graph.buffers; b++) {
      dearest[graph.cache[b]] = graph.price[b] > graph.size[b] ? 2 : dearest[graph.cache[b]];
    }
    room = new double[graph.caches];
    for (int c = 0; c < graph.caches; c++) {
      room[c] = Math.max(0.5, (double) graph.capacity[c] * graph.unit[c]);
    }
    master = new RateProgram(graph.caches);
    cut = new LiveCut(graph, new long[graph.buffers]);
    rates = new double[graph.caches];
    Arrays.fill(rates, 1.0 / graph.caches);
  }

  /** For each cache the least a unit spilled may cost: 2, or 1 where a copy in fills a buffer. */
  static int[] rates(KernelOps graph) {
    int[] rates = new int[graph.caches];
    Arrays.fill(rates, 2);
    for (int b = 0; b < graph.buffers; b++) {
      if (graph.size[b] > 0 && graph.price[b] <= graph.size[b]) {
        rates[graph.cache[b]] = 1;
      }
    }
    return rates;
  }

  /** The cut on which the caller pins the moment. */
  LiveCut cut() {
    return cut;
  }

  /**
   * Bounds the moment that is pinned by the best rates alone, without branches.
   *
   * @param worth where a downset costs no more, the bound may be any
   * @param enough a bound of as much is not raised
   */
  long byRates(long worth, long enough) {
    pool.clear();
    evaluate(new int[0], worth, enough, MOST_CUTS);
    if (value > 0 && value < enough && price > worth && !Arrays.equals(most, dearest)) {
      rates = overflowing(dearest);
      run(enough, dearest);
    }
    return Math.min(enough, value);
  }

  /**
   * Bounds the moment that is pinned.
   *
   * @param worth the search ends once a downset costs no more
   * @param enough the search ends once the bound is as much
   * @param mostNodes the search ends after so many nodes
   */
  Answer least(long worth, long enough, int mostNodes) {
    pool.clear();
    PriorityQueue<Node> open =
        new PriorityQueue<>(
            Comparator.comparingLong(Node::value)
                .thenComparingInt(node -> -node.pins.length)
                .thenComparingDouble(Node::load));
    open.add(new Node(new int[0], 0, 0));
    for (int nodes = 0; nodes < mostNodes && open.peek().value < enough; nodes++) {
      Node node = open.remove();
      pin(node.pins, true);
      evaluate(node.pins, worth, enough, MOST_CUTS);
      long bound = Math.min(enough, Math.max(node.value, value));
      boolean reached = price <= worth;
      if (stopped.getAsBoolean() || reached) {
        pin(node.pins, false);
        return new Answer(node.value, reached);
      }
      if (bound >= enough) {
        open.add(new Node(node.pins, bound, load));
      } else if (!branch(node, bound, enough, open)) {
        pin(node.pins, false);
        return new Answer(bound, false); // the least of all open nodes, and it stays
      }
      pin(node.pins, false);
    }
    return new Answer(Math.min(enough, open.peek().value), false);
  }

  private void pin(int[] pins, boolean on) {
    for (int p : pins) {
      pin(p, on);
    }
  }

  private void pin(int p, boolean on) {
    if (p >= 0) {
      cut.pinDone(p, on);
    } else {
      cut.pinOpen(~p, on);
    }
  }

  private static boolean agrees(Cut known, int p) {
    return p >= 0 ? known.ran.get(p) : !known.ran.get(~p);
  }

  /**
   * Finds the best rates under some pins, with the cuts known that agree with them to begin with.
   */
  private void evaluate(int[] pins, long worth, long enough, int mostCuts) {
    seen.clear();
    master.clear();
    for (Cut known : pool) {
      if (Arrays.stream(pins).allMatch(p -> agrees(known, p))) {
        seen.add(known);
        master.add(known.load);
      }
    }
    value = 0;
    price = Long.MAX_VALUE;
    load = Double.MAX_VALUE;
    for (int k = 0; k < mostCuts && !stopped.getAsBoolean(); k++) {
      if (!seen.isEmpty()) {
        master.solve();
        rates = master.rates;
        load = master.value;
      }
      double least = run(enough, most);
      if (value >= enough || price <= worth) {
        return;
      }
      if (least >= load - SURE) {
        break;
      }
    }
    if (value > 0 && mostCuts > FIRST_CUTS) {
      double[] balanced = rates;
      rates = overflowing(most);
      run(enough, most);
      rates = balanced;
    }
    if (!seen.isEmpty()) {
      master.solve();
      load = master.value;
    }
  }

  /** The most rates for the caches that the cheapest cut seen overflows, none for the others. */
  private double[] overflowing(int[] most) {
    Cut cheapest = seen.stream().min(Comparator.comparingDouble(this::price)).orElseThrow();
    double[] full = new double[graph.caches];
    for (int c = 0; c < graph.caches; c++) {
      full[c] = cheapest.load[c] > 1 ? most[c] * room[c] : 0;
    }
    return full;
  }

  private double price(Cut known) {
    double price = 0;
    for (int c = 0; c < graph.caches; c++) {
      price += most[c] * Math.max(0, known.load[c] - 1) * room[c];
    }
    return price;
  }

  /**
   * Computes the least cut by the current rates, rounded to parts of {@link #SCALE}, and from it a
   * bound: the rates are raised as far as they go below the most. Returns the least load by the
   * rates; pins that no downset meets give {@code enough}.
   */
  private double run(long enough, int[] most) {
    long[] whole = new long[graph.caches];
    double raise = Double.MAX_VALUE;
    for (int c = 0; c < graph.caches; c++) {
      if (rates[c] > 0) {
        raise = Math.min(raise, most[c] * room[c] / rates[c]);
      }
    }
    for (int c = 0; c < graph.caches; c++) {
      // 1 at least: else the cut counts ended buffers as live
      whole[c] = Math.max(1, (long) (rates[c] / room[c] * raise * SCALE));
    }
    for (int b = 0; b < graph.buffers; b++) {
      cut.weigh(b, Math.min(whole[graph.cache[b]] * graph.size[b], SCALE * graph.price[b]));
    }
    long least = cut.run();
    if (least >= MinimumCut.UNLIMITED) {
      value = enough;
      return Double.MAX_VALUE;
    }
    double[] loads = new double[graph.caches];
    for (int b = 0; b < graph.buffers; b++) {
      if (cut.isLive(b)) {
        loads[graph.cache[b]] += graph.size[b];
      }
    }
    long constant = 0;
    long cost = 0;
    double sum = 0;
    for (int c = 0; c < graph.caches; c++) {
      long capacity = graph.capacity[c] * graph.unit[c];
      constant += whole[c] * capacity;
      cost += this.most[c] * Math.max(0, (long) loads[c] - capacity);
      loads[c] /= room[c];
      sum += rates[c] * loads[c];
    }
    value = Math.max(value, Math.floorDiv(least - constant + SCALE - 1, SCALE));
    price = Math.min(price, cost);
    BitSet ran = new BitSet(graph.ops);
    for (int v = 0; v < graph.ops; v++) {
      if (cut.hasRun(v)) {
        ran.set(v);
      }
    }
    Cut found = new Cut(ran, loads);
    if (pool.size() < MOST_POOL) {
      pool.add(found);
    }
    seen.add(found);
    master.add(loads);
    return sum;
  }

  /** Adds both sides of a node; false where the mixture is one downset. */
  private boolean branch(Node node, long bound, long enough, PriorityQueue<Node> open) {
    int v = candidate();
    if (v < 0) {
      return false;
    }
    for (int p : new int[] {v, ~v}) {
      int[] pins = Arrays.copyOf(node.pins, node.pins.length + 1);
      pins[node.pins.length] = p;
      pin(p, true);
      evaluate(pins, -1, enough, FIRST_CUTS);
      pin(p, false);
      open.add(new Node(pins, Math.min(enough, Math.max(bound, value)), load));
    }
    return true;
  }

  /**
   * An op on which the cuts of the mixture differ, drawn at random from the largest group that no
   * known cut separates; -1 where there is none.
   */
  private int candidate() {
    double[] mixture = master.mixture;
    BitSet any = new BitSet(graph.ops);
    BitSet all = new BitSet(graph.ops);
    all.set(0, graph.ops);
    for (int j = 0; j < mixture.length; j++) {
      if (mixture[j] > SURE) {
        any.or(seen.get(j).ran);
        all.and(seen.get(j).ran);
      }
    }
    any.andNot(all);
    Map<Long, List<Integer>> groups = new HashMap<>();
    List<Integer> largest = List.of();
    for (int v = any.nextSetBit(0); v >= 0; v = any.nextSetBit(v + 1)) {
      long key = 0;
      for (int j = 0; j < seen.size(); j++) {
        key = key * 0x9E3779B97F4A7C15L + (seen.get(j).ran.get(v) ? 1 : 0);
      }
      List<Integer> group = groups.computeIfAbsent(key, k -> new ArrayList<>());
      group.add(v);
      largest = group.size() > largest.size() ? group : largest;
    }
    return largest.isEmpty() ? -1 : largest.get(random.nextInt(largest.size()));
  }
}

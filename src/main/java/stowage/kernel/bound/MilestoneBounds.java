package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import stowage.kernel.model.KernelOps;

/**
 * Bounds over all orders by {@link MilestoneSearch}, tried with many sets of milestones: the ops of
 * one kind ({@link MilestoneSets}), and the kinds of the best bounds together. The searches take
 * turns, each turn twice as long as the one before; in a turn the search of the best bound gets the
 * most, the second half as much, the third a third. Where one ends with a path, the order along
 * that path is offered as well.
 */
public final class MilestoneBounds {
  private static final int FIRST_TURN = 40;
  private static final int LAST_TURN = 100_000;
  private static final int MEMORY_SHARE = 6;

  private final KernelOps graph;
  private final LongSupplier known;
  private final BooleanSupplier stopped;
  private final Consumer<int[]> orders;
  private KernelSymmetry symmetry;
  private CutPrice price;
  private final Map<List<Integer>, MilestoneSearch> searches = new LinkedHashMap<>();
  private final Set<List<Integer>> refined = new HashSet<>();
  private MilestoneSets kinds;
  private long best;

  /**
   * @param floor a bound that is known already
   * @param known a value that is known to be reached
   * @param stopped ends the work
   * @param orders takes orders that the searches suggest
   */
  public MilestoneBounds(
      KernelOps graph,
      long floor,
      LongSupplier known,
      BooleanSupplier stopped,
      Consumer<int[]> orders) {
    this.graph = graph;
    this.best = floor;
    this.known = known;
    this.stopped = stopped;
    this.orders = orders;
  }

  /** Bounds the peak of residency until stopped or exhausted; offers each better bound. */
  public long residency(Consumer<Long> bounds) {
    return run(List.of(new CutPrice.Measure(graph.size, 0)), bounds);
  }

  /**
   * Bounds the spill traffic: what is live in some caches beyond their capacities was spilled.
   * Looked at are over all caches; each that spills together with those that its data moves on to,
   * because an order may keep data there instead; and what is left of them one by one.
   *
   * <p>A cache has rate 2 where all its buffers cost twice their size, else 1; what stays counts at
   * most rate * capacity, so the sum over live buffers of min(rate * size, price), less that, is
   * spilled at this price at least.
   *
   * @param caches the caches that spill in good plans
   */
  public long traffic(boolean[] caches, Consumer<Long> bounds) {
    BitSet all = new BitSet();
    all.set(0, graph.caches);
    List<CutPrice.Measure> measures = new ArrayList<>();
    int[] ones = new int[graph.caches];
    Arrays.fill(ones, 1);
    measures.add(beyond(all, ones));
    int[] rates = rates(graph);
    BitSet[] follow = following();
    BitSet seen = new BitSet();
    for (int c = 0; c < graph.caches; c++) {
      if (caches[c]) {
        measures.add(beyond(follow[c], rates));
        seen.or(follow[c]);
      }
    }
    for (int c = 0; c < graph.caches; c++) {
      if (!seen.get(c)) {
        measures.add(beyond(follow[c], rates));
        seen.or(follow[c]);
      }
    }
    return run(measures, bounds);
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

  private CutPrice.Measure beyond(BitSet caches, int[] rates) {
    long[] weight = new long[graph.buffers];
    for (int b = 0; b < graph.buffers; b++) {
      int c = graph.cache[b];
      weight[b] = caches.get(c) ? Math.min(rates[c] * graph.size[b], graph.price[b]) : 0;
    }
    long room = caches.stream().mapToLong(c -> rates[c] * graph.capacity[c] * graph.unit[c]).sum();
    return new CutPrice.Measure(weight, room);
  }

  /** For each cache, itself and those to which an op with one operand in each may move data. */
  private BitSet[] following() {
    BitSet[] follow = new BitSet[graph.caches];
    for (int c = 0; c < graph.caches; c++) {
      follow[c] = new BitSet();
      follow[c].set(c);
    }
    for (int v = 0; v < graph.ops; v++) {
      if (graph.useAt[v + 1] - graph.useAt[v] == 2) {
        int one = graph.cache[graph.use[graph.useAt[v]]];
        int other = graph.cache[graph.use[graph.useAt[v] + 1]];
        follow[one].set(other);
        follow[other].set(one);
      }
    }
    return follow;
  }

  private long run(List<CutPrice.Measure> measures, Consumer<Long> bounds) {
    symmetry = new KernelSymmetry(graph);
    price = new CutPrice(graph, measures);
    kinds = MilestoneSets.of(graph, symmetry, true);
    kinds.sets().forEach(this::add);
    boolean large = true; // small sets are settled soon, large ones are sharp: in turn
    for (long turn = FIRST_TURN; !isOver(); turn = Math.min(LAST_TURN, 2 * turn), large = !large) {
      int sign = large ? -1 : 1;
      List<MilestoneSearch> open =
          searches.values().stream()
              .filter(search -> !search.isDone())
              .sorted(
                  Comparator.comparingLong((MilestoneSearch search) -> -search.bound())
                      .thenComparingInt(search -> sign * search.milestones()))
              .toList();
      for (int k = 0; k < open.size(); k++) {
        advance(open.get(k), turn == FIRST_TURN ? turn : turn / (k + 1), bounds);
      }
      if (!refine(measures) && open.isEmpty()) {
        break;
      }
    }
    return best;
  }

  private boolean isOver() {
    return stopped.getAsBoolean() || best >= known.getAsLong();
  }

  private void advance(MilestoneSearch search, long turn, Consumer<Long> bounds) {
    if (isOver()) {
      return;
    }
    search.advance(turn);
    makeRoom();
    if (search.bound() > best) {
      best = search.bound();
      bounds.accept(best);
    }
    if (search.isDone() && !isOver()) {
      int[] order = search.order();
      if (order != null) {
        orders.accept(order);
      }
    }
  }

  /** Gives up the searches of the lowest bounds where their sets take too much memory. */
  private void makeRoom() {
    long bytes = searches.values().stream().mapToLong(MilestoneSearch::bytes).sum();
    if (bytes < Runtime.getRuntime().maxMemory() / MEMORY_SHARE) {
      return;
    }
    List<MilestoneSearch> open =
        searches.values().stream()
            .filter(search -> !search.isDone())
            .sorted(Comparator.comparingLong(MilestoneSearch::bound))
            .toList();
    long left = bytes / 2;
    for (MilestoneSearch search : open) {
      if (left > 0) {
        left -= search.bytes();
        search.close();
      }
    }
  }

  private void add(List<Integer> ops) {
    searches.computeIfAbsent(
        ops,
        key ->
            new MilestoneSearch(
                graph,
                price,
                symmetry,
                key.stream().mapToInt(v -> v).toArray(),
                best,
                known,
                stopped));
  }

  /**
   * Refines the sets of the best bound that are settled: where the order along the path passes the
   * bound, the ops of the same kind become milestones too. Returns whether any set is new.
   */
  private boolean refine(List<CutPrice.Measure> measures) {
    int before = searches.size();
    for (List<Integer> set : List.copyOf(searches.keySet())) {
      MilestoneSearch search = searches.get(set);
      if (!isOver() && search.isDone() && search.bound() >= best && refined.add(set)) {
        int[] order = search.order();
        for (int v :
            order == null ? new int[0] : OverloadedOps.above(graph, order, measures, best)) {
          for (List<Integer> kind : kinds.of().get(v)) {
            TreeSet<Integer> both = new TreeSet<>(set);
            if (both.addAll(kind) && both.size() <= MilestoneSets.MOST_MILESTONES) {
              add(List.copyOf(both));
            }
          }
        }
      }
    }
    return searches.size() > before;
  }
}

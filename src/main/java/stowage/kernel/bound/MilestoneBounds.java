package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;

/**
 * Bounds of residency over all orders by {@link MilestoneSearch}, tried with many sets of
 * milestones: the ops of one kind ({@link MilestoneSets}), and the kinds of the best bounds
 * together. The searches take turns, each turn twice as long as the one before; in a turn the
 * search of the best bound gets the most, the second half as much, the third a third. Where one
 * ends with a path, the order along that path is offered as well.
 */
public final class MilestoneBounds {
  private static final int FIRST_TURN = 40;
  private static final int LAST_TURN = 100_000;
  private static final int MEMORY_SHARE = 6;
  private static final int MOST_OVERLOADED = 3;

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
    symmetry = new KernelSymmetry(graph);
    price = new CutPrice(graph);
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
      if (!refine() && open.isEmpty()) {
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
  private boolean refine() {
    int before = searches.size();
    for (List<Integer> set : List.copyOf(searches.keySet())) {
      MilestoneSearch search = searches.get(set);
      if (!isOver() && search.isDone() && search.bound() >= best && refined.add(set)) {
        int[] order = search.order();
        for (int v : order == null ? new int[0] : overloaded(order)) {
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

  /**
   * The ops of an order at the largest loads above the bound, at most three of different kinds of
   * operands; empty where the order keeps the bound. O(uses).
   */
  private int[] overloaded(int[] order) {
    long[] worst = new long[graph.ops];
    int[] left = new int[graph.buffers];
    Arrays.setAll(left, b -> graph.userAt[b + 1] - graph.userAt[b]);
    boolean[] begun = new boolean[graph.buffers];
    long live = 0;
    for (int v : order) {
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        live += begun[b] ? 0 : graph.size[b];
        begun[b] = true;
      }
      worst[v] = live;
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        live -= --left[b] == 0 ? graph.size[b] : 0;
      }
    }
    Map<Long, Integer> found = new LinkedHashMap<>();
    Arrays.stream(order)
        .filter(v -> worst[v] > best)
        .boxed()
        .sorted(Comparator.comparingLong(v -> -worst[v]))
        .forEach(v -> found.putIfAbsent(operands(v), v));
    return found.values().stream().limit(MOST_OVERLOADED).mapToInt(v -> v).toArray();
  }

  private long operands(int v) {
    long sum = graph.graph().nodes().get(graph.node[v]).op().hashCode();
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      sum += (graph.cache[b] + 1) * 1_000_003L * (graph.size[b] + 7);
    }
    return sum;
  }

  /**
   * Sets of ops to take as milestones: ops of the same name and operands; of these, ops whose
   * neighbours have the same names, such as the first or the last of each chain; and ops that no
   * symmetry distinguishes.
   *
   * @param sets of two ops at least, the largest first
   * @param of for each op the sets that contain it, and its own where it is alone of its kind
   */
  record MilestoneSets(List<List<Integer>> sets, Map<Integer, List<List<Integer>>> of) {
    /** The most ops of a set. */
    static final int MOST_MILESTONES = 2_000;

    private static final int MOST_CELL_OPS = 1_000_000;

    /**
     * The sets of a kernel.
     *
     * @param cells whether to add what symmetry distinguishes; there may be many such sets
     */
    static MilestoneSets of(KernelOps graph, KernelSymmetry symmetry, boolean cells) {
      Map<String, List<Integer>> kinds = new LinkedHashMap<>();
      int[] cell = symmetry.cellsOfOps();
      for (int v = 0; v < graph.ops; v++) {
        int[] operands =
            IntStream.range(graph.useAt[v], graph.useAt[v + 1]).map(k -> graph.use[k]).toArray();
        String fields =
            Arrays.stream(operands)
                .mapToObj(b -> graph.cacheName(graph.cache[b]) + graph.size[b])
                .sorted()
                .toList()
                .toString();
        String name = graph.graph().nodes().get(graph.node[v]).op() + fields;
        kinds.computeIfAbsent(name, key -> new ArrayList<>()).add(v);
        String role =
            name
                + names(graph, graph.pred, graph.predAt[v], graph.predAt[v + 1])
                + names(graph, graph.succ, graph.succAt[v], graph.succAt[v + 1]);
        kinds.computeIfAbsent(role, key -> new ArrayList<>()).add(v);
      }
      if (cells && Arrays.stream(cell).distinct().count() * graph.ops <= MOST_CELL_OPS) {
        for (int v = 0; v < graph.ops; v++) {
          kinds.computeIfAbsent("cell " + cell[v], key -> new ArrayList<>()).add(v);
        }
      }
      List<List<Integer>> sets =
          kinds.values().stream()
              .filter(kind -> kind.size() <= MOST_MILESTONES)
              .distinct()
              .sorted(Comparator.comparingInt((List<Integer> kind) -> -kind.size()))
              .toList();
      Map<Integer, List<List<Integer>>> of = new HashMap<>();
      for (List<Integer> kind : sets) {
        kind.forEach(v -> of.computeIfAbsent(v, key -> new ArrayList<>()).add(kind));
      }
      return new MilestoneSets(sets.stream().filter(kind -> kind.size() > 1).toList(), of);
    }

    private static List<String> names(KernelOps graph, int[] ops, int from, int to) {
      return Arrays.stream(ops, from, to)
          .mapToObj(v -> graph.graph().nodes().get(graph.node[v]).op())
          .sorted()
          .toList();
    }
  }
}

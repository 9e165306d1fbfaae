package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import stowage.kernel.model.KernelOps;

/**
 * Bounds of residency over all orders by {@link MilestoneSearch}, tried with many sets of
 * milestones: the ops of one kind. The searches take turns, each turn twice as long as the one
 * before; in a turn the search of the best bound gets the most, the second half as much, the third
 * a third.
 */
public final class ResidencyMilestones {
  private static final int FIRST_TURN = 40;
  private static final int LAST_TURN = 100_000;
  private static final int MEMORY_SHARE = 6;
  private static final int MOST_MILESTONES = 2_000;
  private static final int MOST_CELL_OPS = 1_000_000;

  private final KernelOps graph;
  private final LongSupplier known;
  private final BooleanSupplier stopped;
  private List<MilestoneSearch> open = List.of();
  private long best;

  /**
   * @param floor a bound that is known already
   * @param stopped ends the work
   */
  public ResidencyMilestones(
      KernelOps graph, long floor, LongSupplier known, BooleanSupplier stopped) {
    this.graph = graph;
    this.best = floor;
    this.known = known;
    this.stopped = stopped;
  }

  /** Bounds the peak of residency until stopped or exhausted; offers each better bound. */
  public long residency(Consumer<Long> bounds) {
    KernelSymmetry symmetry = new KernelSymmetry(graph);
    CutPrice price = new CutPrice(graph);
    open =
        kinds(graph, symmetry, true).stream()
            .map(kind -> kind.stream().mapToInt(v -> v).toArray())
            .map(kind -> new MilestoneSearch(graph, price, symmetry, kind, best, known, stopped))
            .toList();
    boolean large = true; // small sets are settled soon, large ones are sharp: in turn
    for (long turn = FIRST_TURN;
        !isOver() && !open.isEmpty();
        turn = Math.min(LAST_TURN, 2 * turn), large = !large) {
      int sign = large ? -1 : 1;
      open =
          open.stream()
              .sorted(
                  Comparator.comparingLong((MilestoneSearch search) -> -search.bound())
                      .thenComparingInt(search -> sign * search.milestones()))
              .toList();
      for (int k = 0; k < open.size(); k++) {
        advance(open.get(k), turn == FIRST_TURN ? turn : turn / (k + 1), bounds);
      }
      open = open.stream().filter(search -> !search.isDone()).toList();
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
  }

  /** Gives up the searches of the lowest bounds where their sets take too much memory. */
  private void makeRoom() {
    long bytes = open.stream().mapToLong(MilestoneSearch::bytes).sum();
    if (bytes < Runtime.getRuntime().maxMemory() / MEMORY_SHARE) {
      return;
    }
    List<MilestoneSearch> lowest =
        open.stream()
            .filter(search -> !search.isDone())
            .sorted(Comparator.comparingLong(MilestoneSearch::bound))
            .toList();
    long left = bytes / 2;
    for (MilestoneSearch search : lowest) {
      if (left > 0) {
        left -= search.bytes();
        search.close();
      }
    }
  }

  /**
   * Sets of two ops at least to take as milestones, the largest first: ops of the same name and
   * operands; of these, ops whose neighbours have the same names, such as the first or the last of
   * each chain; and ops that no symmetry distinguishes.
   *
   * @param cells whether to add what symmetry distinguishes; there may be many such sets
   */
  static List<List<Integer>> kinds(KernelOps graph, KernelSymmetry symmetry, boolean cells) {
    Map<String, List<Integer>> kinds = new LinkedHashMap<>();
    int[] cell = symmetry.cellsOfOps();
    for (int v = 0; v < graph.ops; v++) {
      String fields =
          Arrays.stream(graph.uses[v])
              .mapToObj(b -> graph.cacheName(graph.cache[b]) + graph.size[b])
              .sorted()
              .toList()
              .toString();
      String name = graph.graph().nodes().get(graph.node[v]).op() + fields;
      kinds.computeIfAbsent(name, key -> new ArrayList<>()).add(v);
      String role = name + names(graph, graph.preds[v]) + names(graph, graph.succs[v]);
      kinds.computeIfAbsent(role, key -> new ArrayList<>()).add(v);
    }
    if (cells && Arrays.stream(cell).distinct().count() * graph.ops <= MOST_CELL_OPS) {
      for (int v = 0; v < graph.ops; v++) {
        kinds.computeIfAbsent("cell " + cell[v], key -> new ArrayList<>()).add(v);
      }
    }
    return kinds.values().stream()
        .filter(kind -> kind.size() > 1 && kind.size() <= MOST_MILESTONES)
        .distinct()
        .sorted(Comparator.comparingInt((List<Integer> kind) -> -kind.size()))
        .toList();
  }

  private static List<String> names(KernelOps graph, int[] ops) {
    return Arrays.stream(ops)
        .mapToObj(v -> graph.graph().nodes().get(graph.node[v]).op())
        .sorted()
        .toList();
  }
}

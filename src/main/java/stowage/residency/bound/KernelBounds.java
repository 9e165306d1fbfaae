package stowage.residency.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.residency.kernel.OpGraph;

/**
 * Lower bounds of a kernel's residency, traffic and makespan over all orders, spills and addresses.
 */
public final class KernelBounds {
  /** Ops whose cuts are computed, beginning with those of the largest operands. */
  private static final int MOST_OPS = 400;

  private final OpGraph graph;
  private final BooleanSupplier stopped;

  /**
   * @param stopped ends the work early; the bounds are then weaker
   */
  public KernelBounds(OpGraph graph, BooleanSupplier stopped) {
    this.graph = graph;
    this.stopped = stopped;
  }

  /**
   * A bound of the peak of residency: the largest least cut of {@link LiveCut}'s moments.
   *
   * @param known a value that is known to be reached; the work ends there
   */
  public long residency(long known) {
    long best = 0;
    for (long size : graph.size) {
      best = Math.max(best, size);
    }
    return cuts(graph.size, best, known);
  }

  /**
   * A bound of the spill traffic.
   *
   * <p>At each moment, the buffers of a cache that are live beyond its capacity are off chip, and
   * each of them was spilled. A spill costs at least its size (rate 1); where it costs twice its
   * size, all live buffers at their price less twice the capacity bound the cost (rate 2). With one
   * rate r for each cache, 0 where it is left out, the least of sum(min(r * size, price)) over what
   * is live, minus sum(r * capacity), bounds the traffic. Several choices of rates are tried.
   */
  public long traffic(long known) {
    long best = 0;
    TreeSet<List<Integer>> rates =
        new TreeSet<>(
            Comparator.comparing((List<Integer> list) -> list.stream().mapToInt(x -> x).sum())
                .reversed()
                .thenComparing(List::toString));
    for (int rate = 1; rate <= 2; rate++) {
      List<Integer> all = new ArrayList<>();
      for (int c = 0; c < graph.caches; c++) {
        all.add(Math.min(rate, rate(c)));
        List<Integer> alone = new ArrayList<>(Collections.nCopies(graph.caches, 0));
        alone.set(c, Math.min(rate, rate(c)));
        rates.add(alone);
      }
      rates.add(all);
      for (int c = 0; c < graph.caches; c++) {
        for (int d = 0; d < c; d++) {
          List<Integer> pair = new ArrayList<>(Collections.nCopies(graph.caches, 0));
          pair.set(c, Math.min(rate, rate(c)));
          pair.set(d, Math.min(rate, rate(d)));
          rates.add(pair);
        }
      }
    }
    for (List<Integer> choice : rates) {
      if (best < known && !stopped.getAsBoolean()) {
        best = Math.max(best, overflow(choice, best, known));
      }
    }
    return best;
  }

  private int rate(int c) {
    for (int b = 0; b < graph.buffers; b++) {
      if (graph.cache[b] == c && graph.price[b] > graph.size[b]) {
        return 2;
      }
    }
    return 1;
  }

  private long overflow(List<Integer> rates, long best, long known) {
    long room = 0;
    long total = 0;
    long[] weight = new long[graph.buffers];
    for (int c = 0; c < graph.caches; c++) {
      room += rates.get(c) * graph.capacity[c] * graph.unit[c];
    }
    for (int b = 0; b < graph.buffers; b++) {
      weight[b] = Math.min(rates.get(graph.cache[b]) * graph.size[b], graph.price[b]);
      total += weight[b];
    }
    return total - room <= best ? 0 : cuts(weight, best + room, known + room) - room;
  }

  /** The largest least cut of the moments, where it exceeds {@code best}. */
  private long cuts(long[] weight, long best, long known) {
    LiveCut cut = new LiveCut(graph, weight);
    long bound = best;
    List<Integer> ops = new ArrayList<>();
    long[] operands = new long[graph.ops];
    for (int v = 0; v < graph.ops; v++) {
      ops.add(v);
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        operands[v] += weight[graph.use[k]];
      }
      bound = Math.max(bound, operands[v]);
    }
    for (int[] family : families(weight)) {
      if (bound < known && !stopped.getAsBoolean()) {
        bound = Math.max(bound, cut.firstEnd(family, bound, stopped));
        bound = Math.max(bound, cut.lastBegin(family, bound, stopped));
      }
    }
    ops.sort(Comparator.comparingLong((Integer v) -> -operands[v]));
    int step = Math.max(1, graph.ops / MOST_OPS);
    for (int k = 0; k < graph.ops && bound < known && !stopped.getAsBoolean(); k++) {
      // the largest first, and a sample of all
      if (k < MOST_OPS || k % step == 0) {
        bound = Math.max(bound, cut.whileRunning(ops.get(k)));
      }
    }
    return bound;
  }

  /** Families of buffers for the second kind of moments: by cache and by number of users. */
  private List<int[]> families(long[] weight) {
    List<int[]> families = new ArrayList<>();
    for (int c = 0; c < graph.caches; c++) {
      TreeSet<Integer> counts = new TreeSet<>();
      for (int b = 0; b < graph.buffers; b++) {
        int users = graph.userAt[b + 1] - graph.userAt[b];
        if (graph.cache[b] == c && weight[b] > 0 && users > 1) {
          counts.add(users);
        }
      }
      List<Integer> least = new ArrayList<>(counts.descendingSet());
      for (int k = 0; k < Math.min(3, least.size()); k++) {
        int cache = c;
        int fewest = least.get(k);
        families.add(
            IntStream.range(0, graph.buffers)
                .filter(
                    b ->
                        graph.cache[b] == cache
                            && weight[b] > 0
                            && graph.userAt[b + 1] - graph.userAt[b] >= fewest)
                .toArray());
      }
    }
    return families;
  }

  /**
   * A bound of the makespan: the longest path, and for each pipe the ops that cannot begin before a
   * time, one after another, and then the shortest rest after any of them.
   */
  public long cycles() {
    long[] head = new long[graph.ops];
    long[] tail = new long[graph.ops];
    long best = 0;
    for (int v = 0; v < graph.ops; v++) {
      for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) {
        int u = graph.pred[k];
        head[v] = Math.max(head[v], head[u] + graph.cycles[u]);
      }
    }
    for (int v = graph.ops - 1; v >= 0; v--) {
      for (int k = graph.succAt[v]; k < graph.succAt[v + 1]; k++) {
        int w = graph.succ[k];
        tail[v] = Math.max(tail[v], tail[w] + graph.cycles[w]);
      }
      best = Math.max(best, head[v] + graph.cycles[v] + tail[v]);
    }
    for (int p = 0; p < graph.pipes; p++) {
      int pipe = p;
      Integer[] ops =
          IntStream.range(0, graph.ops)
              .filter(v -> graph.pipe[v] == pipe)
              .boxed()
              .sorted(Comparator.comparingLong((Integer v) -> -head[v]))
              .toArray(Integer[]::new);
      long sum = 0;
      long rest = Long.MAX_VALUE;
      for (int v : ops) {
        sum += graph.cycles[v];
        rest = Math.min(rest, tail[v]);
        best = Math.max(best, head[v] + sum + rest);
      }
      Arrays.sort(ops, Comparator.comparingLong((Integer v) -> -tail[v]));
      sum = 0;
      long first = Long.MAX_VALUE;
      for (int v : ops) {
        sum += graph.cycles[v];
        first = Math.min(first, head[v]);
        best = Math.max(best, first + sum + tail[v]);
      }
    }
    return best;
  }
}

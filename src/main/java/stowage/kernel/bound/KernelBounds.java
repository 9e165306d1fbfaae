package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;

/**
 * Lower bounds of a kernel's residency, traffic and makespan over all orders, spills and addresses.
 */
public final class KernelBounds {
  /** Ops whose cuts are computed, beginning with those of the largest operands. */
  private static final int MOST_OPS = 400;

  private final KernelOps graph;
  private final BooleanSupplier stopped;

  /**
   * @param stopped ends the work early; the bounds are then weaker
   */
  public KernelBounds(KernelOps graph, BooleanSupplier stopped) {
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
   * A bound of the spill traffic: see {@link OverflowBound}.
   *
   * @param known a value that is known to be reached; the work ends there
   */
  public long traffic(long known) {
    long[] operands = new long[graph.ops];
    for (int v = 0; v < graph.ops; v++) {
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        operands[v] += graph.size[graph.use[k]];
      }
    }
    return new OverflowBound(graph, stopped)
        .traffic(known, families(graph.size), byOperands(operands));
  }

  /**
   * A bound of the spill traffic, rounded up: traffic is a sum of prices, so the least multiple of
   * their greatest common divisor that is no less.
   */
  public static long whole(KernelOps graph, long bound) {
    long divisor = Arrays.stream(graph.price).reduce(0, KernelBounds::gcd);
    return divisor == 0 ? 0 : (bound + divisor - 1) / divisor * divisor;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** The largest least cut of the moments, where it exceeds {@code best}. */
  private long cuts(long[] weight, long best, long known) {
    LiveCut cut = new LiveCut(graph, weight);
    long bound = best;
    long[] operands = new long[graph.ops];
    for (int v = 0; v < graph.ops; v++) {
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
    for (int v : byOperands(operands)) {
      if (bound < known && !stopped.getAsBoolean()) {
        bound = Math.max(bound, cut.whileRunning(v));
      }
    }
    return bound;
  }

  /** Ops with the largest operands first, then a sample of all. */
  private int[] byOperands(long[] operands) {
    List<Integer> ops = new ArrayList<>();
    for (int v = 0; v < graph.ops; v++) {
      ops.add(v);
    }
    ops.sort(Comparator.comparingLong((Integer v) -> -operands[v]));
    int step = Math.max(1, graph.ops / MOST_OPS);
    return IntStream.range(0, graph.ops)
        .filter(k -> k < MOST_OPS || k % step == 0)
        .map(ops::get)
        .toArray();
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

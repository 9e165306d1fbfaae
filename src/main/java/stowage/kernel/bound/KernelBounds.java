package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.packing.IndexOrder;
import stowage.packing.Rounding;
import stowage.schedule.bound.MinimumCut;

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

  /** What is asked of a moment that is pinned on a cut. */
  private interface Moment {
    /**
     * A lower bound of the least value that the moment may have.
     *
     * @param worth no more is of any use
     * @param enough as much need not be exceeded
     */
    long least(long worth, long enough);
  }

  /**
   * A bound of the peak of residency: the largest least cut of {@link LiveCut}'s moments.
   *
   * @param known a value that is known to be reached; the work ends there
   */
  public long residency(long known) {
    LiveCut cut = new LiveCut(graph, graph.size);
    long alone = Math.max(0, Arrays.stream(graph.size).max().orElse(0));
    for (int v = 0; v < graph.ops; v++) {
      alone = Math.max(alone, operands(v));
    }
    return largest(cut, (worth, enough) -> cut.run(enough), alone, known);
  }

  /**
   * A bound of the spill traffic: the largest of {@link LiveCut}'s moments by the best rates of
   * {@link MomentTraffic}.
   *
   * @param known a value that is known to be reached; the work ends there
   */
  public long traffic(long known) {
    MomentTraffic moments = new MomentTraffic(graph, stopped);
    return largest(moments.cut(), moments::byRates, 0, known);
  }

  /**
   * A bound of the spill traffic, rounded up: traffic is a sum of prices, so the least multiple of
   * their greatest common divisor that is no less.
   */
  public static long whole(KernelOps graph, long bound) {
    long divisor = Arrays.stream(graph.price).reduce(0, Rounding::gcd);
    return divisor == 0 ? 0 : (bound + divisor - 1) / divisor * divisor;
  }

  /** The largest bound of the moments that every order passes. */
  private long largest(LiveCut cut, Moment moment, long floor, long known) {
    long bound = floor;
    for (int[] family : families()) {
      if (bound < known && !stopped.getAsBoolean()) {
        cut.pinNotEnded(family, true);
        bound = Math.max(bound, least(family, bound, moment, cut::pinUsersDone));
        cut.pinNotEnded(family, false);
        cut.pinBegun(family, true);
        bound = Math.max(bound, least(family, bound, moment, cut::pinUsersOpen));
        cut.pinBegun(family, false);
      }
    }
    for (int v : byOperands()) {
      if (bound < known && !stopped.getAsBoolean()) {
        cut.pinRunning(v, true);
        bound = Math.max(bound, moment.least(bound, MinimumCut.UNLIMITED));
        cut.pinRunning(v, false);
      }
    }
    return bound;
  }

  private interface Pin {
    void set(int buffer, boolean on);
  }

  /** The least over a family, one of whose moments each order passes; 0 for none of use. */
  private long least(int[] family, long worth, Moment moment, Pin pin) {
    long least = MinimumCut.UNLIMITED;
    for (int k = 0; k < family.length && least > worth; k++) {
      pin.set(family[k], true);
      least = stopped.getAsBoolean() ? 0 : Math.min(least, moment.least(worth, least));
      pin.set(family[k], false);
    }
    return family.length == 0 || least <= worth ? 0 : least;
  }

  private long operands(int v) {
    return Arrays.stream(graph.uses[v]).mapToLong(b -> graph.size[b]).sum();
  }

  /** Ops with the largest operands first, then a sample of all. */
  private int[] byOperands() {
    int[] ops =
        IndexOrder.of(IntStream.range(0, graph.ops), Comparator.comparingLong(v -> -operands(v)));
    int step = Math.max(1, graph.ops / MOST_OPS);
    return IntStream.range(0, graph.ops)
        .filter(k -> k < MOST_OPS || k % step == 0)
        .map(k -> ops[k])
        .toArray();
  }

  /** Families of buffers for the second kind of moments: by cache and by number of users. */
  private List<int[]> families() {
    List<int[]> families = new ArrayList<>();
    for (int c = 0; c < graph.caches; c++) {
      int cache = c;
      int[] members =
          IntStream.range(0, graph.buffers)
              .filter(b -> graph.cache[b] == cache && graph.size[b] > 0)
              .toArray();
      Arrays.stream(members)
          .mapToObj(b -> graph.users[b].length)
          .filter(users -> users > 1)
          .distinct()
          .sorted(Comparator.reverseOrder())
          .limit(3)
          .map(n -> Arrays.stream(members).filter(b -> graph.users[b].length >= n).toArray())
          .forEach(families::add);
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
      for (int u : graph.preds[v]) {
        head[v] = Math.max(head[v], head[u] + graph.cycles[u]);
      }
    }
    for (int v = graph.ops - 1; v >= 0; v--) {
      for (int w : graph.succs[v]) {
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
              .toArray(Integer[]::new);
      best = Math.max(best, Math.max(onePipe(ops, head, tail), onePipe(ops, tail, head)));
    }
    return best;
  }

  /** The most that ops of a pipe, the last to begin first, take with what is on both sides. */
  private long onePipe(Integer[] ops, long[] before, long[] behind) {
    Arrays.sort(ops, Comparator.comparingLong((Integer v) -> -before[v]));
    long most = 0;
    long sum = 0;
    long rest = Long.MAX_VALUE;
    for (int v : ops) {
      sum += graph.cycles[v];
      rest = Math.min(rest, behind[v]);
      most = Math.max(most, before[v] + sum + rest);
    }
    return most;
  }
}

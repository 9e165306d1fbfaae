package stowage.kernel.spill;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.packing.IndexOrder;

/**
 * The spills of one cache at a fixed order of ops. A <i>gap</i> is the time between two uses of a
 * buffer that follow each other with other ops of the cache between them: the buffer is kept, or
 * spilled at its price. A <i>row</i> is an op that uses the cache: its operands are resident, so
 * the gaps kept across it fit into what they leave. Between rows nothing more is asked, because
 * what is resident there is resident at the row before.
 *
 * <p>Any plan at this order keeps a set of gaps that meets all rows, wherever buffers are, so the
 * least price of gaps spilled under the rows bounds the cache's traffic.
 *
 * <p><b>Certificate.</b> For prices lambda of the rows, at least 0, the prices of all gaps, less
 * the sum over rows of lambda times room, less the sum over gaps of max(0, price - cells * sum of
 * lambda over the rows it covers), bounds the traffic: weak duality of the relaxation in which gaps
 * are kept in part. {@link #bound} computes just that.
 *
 * @param room cells that each row leaves to gaps
 * @param slot the slot of {@link KernelOps#use} at which each gap begins
 * @param from the row after which each gap begins
 * @param to the row before which it ends: it covers rows from + 1 to to - 1
 */
public record SpillProblem(
    KernelOps graph, int cache, int[] room, int[] slot, int[] from, int[] to) {

  public static List<SpillProblem> of(KernelOps graph, int[] order) {
    return IntStream.range(0, graph.caches).mapToObj(c -> of(graph, order, c)).toList();
  }

  private static SpillProblem of(KernelOps graph, int[] order, int c) {
    int[] room = new int[graph.ops];
    int rows = 0;
    int[] lastRow = new int[graph.buffers];
    int[] lastSlot = new int[graph.buffers];
    Arrays.fill(lastRow, -1);
    int[] slot = new int[graph.use.length];
    int[] from = new int[graph.use.length];
    int[] to = new int[graph.use.length];
    int gaps = 0;
    for (int t = 0; t < graph.ops; t++) {
      int v = order[t];
      boolean uses = false;
      int cells = graph.capacity[c];
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        if (graph.cache[b] == c) {
          uses = true;
          cells -= graph.cells[b];
          if (lastRow[b] >= 0 && lastRow[b] < rows - 1 && graph.cells[b] > 0) {
            slot[gaps] = lastSlot[b];
            from[gaps] = lastRow[b];
            to[gaps++] = rows;
          }
          lastRow[b] = rows;
          lastSlot[b] = k;
        }
      }
      if (uses) {
        room[rows++] = cells;
      }
    }
    return new SpillProblem(
        graph,
        c,
        Arrays.copyOf(room, rows),
        Arrays.copyOf(slot, gaps),
        Arrays.copyOf(from, gaps),
        Arrays.copyOf(to, gaps));
  }

  public int rows() {
    return room.length;
  }

  public int gaps() {
    return slot.length;
  }

  /** The cells of a gap's buffer. */
  public int cells(int gap) {
    return graph.cells[graph.use[slot[gap]]];
  }

  /** What spilling in a gap costs, in units. */
  public long price(int gap) {
    return graph.price[graph.use[slot[gap]]];
  }

  /** What a gap costs for each cell, in units of a cell: 1 or 2. */
  public int rate(int gap) {
    int b = graph.use[slot[gap]];
    return graph.price[b] > graph.size[b] ? 2 : 1;
  }

  /**
   * The bound that prices of rows prove, in units; 0 at least.
   *
   * @param lambda the price of a cell at each row, in units of a cell, 0 or more
   */
  public long bound(int[] lambda) {
    long[] sum = new long[rows() + 1];
    long proven = 0;
    for (int r = 0; r < rows(); r++) {
      if (lambda[r] < 0) {
        throw new IllegalArgumentException("lambda[" + r + "] = " + lambda[r] + " is below 0");
      }
      sum[r + 1] = sum[r] + lambda[r];
      proven -= (long) lambda[r] * room[r];
    }
    for (int g = 0; g < gaps(); g++) {
      long covered = sum[to[g]] - sum[from[g] + 1];
      proven += cells(g) * Math.min(rate(g), covered);
    }
    return Math.max(0, proven * graph.unit[cache]);
  }

  /** Whether gaps kept meet all rows. */
  public boolean fits(boolean[] kept) {
    int[] change = new int[rows() + 1];
    for (int g = 0; g < gaps(); g++) {
      if (kept[g]) {
        change[from[g] + 1] += cells(g);
        change[to[g]] -= cells(g);
      }
    }
    int sum = 0;
    for (int r = 0; r < rows(); r++) {
      sum += change[r];
      if (sum > room[r]) {
        return false;
      }
    }
    return true;
  }

  /** Keeps further gaps where they fit, those that save most a cell and row first. */
  public void fill(boolean[] kept) {
    int[] load = new int[rows() + 1];
    for (int g = 0; g < gaps(); g++) {
      if (kept[g]) {
        for (int r = from[g] + 1; r < to[g]; r++) {
          load[r] += cells(g);
        }
      }
    }
    int[] open =
        IndexOrder.of(
            IntStream.range(0, gaps()).filter(g -> !kept[g]),
            Comparator.comparingDouble(g -> -(double) rate(g) / (to[g] - from[g])));
    for (int g : open) {
      boolean fits = true;
      for (int r = from[g] + 1; r < to[g] && fits; r++) {
        fits = load[r] + cells(g) <= room[r];
      }
      if (fits) {
        kept[g] = true;
        for (int r = from[g] + 1; r < to[g]; r++) {
          load[r] += cells(g);
        }
      }
    }
  }

  /** The price of the gaps that are not kept, in units. */
  public long traffic(boolean[] kept) {
    return IntStream.range(0, gaps()).mapToLong(g -> kept[g] ? 0 : price(g)).sum();
  }

  /**
   * Spills of one cache at a fixed order.
   *
   * @param kept whether each gap of the {@link SpillProblem} is kept
   * @param traffic the price of the others, in units
   * @param bound a proven lower bound of the traffic at this order
   */
  public record GapAnswer(boolean[] kept, long traffic, long bound) {
    /** Whether no plan at this order has less. */
    public boolean isOptimal() {
      return traffic == bound;
    }
  }
}

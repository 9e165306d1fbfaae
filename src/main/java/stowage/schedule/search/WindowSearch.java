package stowage.schedule.search;

import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;
import stowage.packing.IndexOrder;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Improvement of an order piece by piece: a window of neighbouring steps around a highest load is
 * ordered again by the exact search, with a peak below that load asked for.
 *
 * <p>What runs before and after a window stays, so its ops are an order problem of their own:
 * buffers begun before are given, those touched later are kept. Before a window is chosen, ops are
 * moved at random to other steps while no load exceeds the peak, so that other ops become
 * neighbours. Windows grow while they do not help.
 */
final class WindowSearch {
  private static final int LEAST = 16;
  private static final int STATES = 6_000;

  private final OrderProblem problem;
  private final Random random;
  private int[] order;
  private int width = LEAST;

  WindowSearch(OrderProblem problem, long seed) {
    this.problem = problem;
    this.random = new Random(seed);
  }

  /**
   * Tries some windows.
   *
   * @param best the order to improve; kept from call to call while its peak is the same
   * @param stopped when true, the search ends
   * @return an order with a lower peak, or null
   */
  int[] improve(int[] best, int tries, BooleanSupplier stopped) {
    long peak = problem.peak(best);
    if (order == null || problem.peak(order) > peak) {
      order = best.clone();
      width = LEAST;
    }
    for (int k = 0; k < tries && !stopped.getAsBoolean(); k++) {
      shake(peak);
      long[] loads = problem.loads(order);
      int top = 0;
      int tops = 0;
      for (int step = 0; step < loads.length; step++) {
        if (loads[step] == peak && random.nextInt(++tops) == 0) {
          top = step;
        }
      }
      if (tops == 0) {
        return order.clone();
      }
      int from = Math.max(0, top - random.nextInt(width));
      int to = Math.min(order.length, from + width);
      int[] part = orderPart(from, to, peak, stopped);
      if (part != null) {
        System.arraycopy(part, 0, order, from, part.length);
        width = Math.max(LEAST, width - 8);
        if (problem.peak(order) < peak) {
          return order.clone();
        }
      } else {
        width = Math.min(order.length, width + 1 + width / 16);
      }
    }
    return null;
  }

  /** An order of the window's ops with a peak below the one given, or null. */
  private int[] orderPart(int from, int to, long peak, BooleanSupplier stopped) {
    int[] ops = Arrays.copyOfRange(order, from, to);
    Arrays.sort(ops); // numbers respect precedences
    OrderProblem part = problem.part(Arrays.copyOf(order, from), ops);
    int[][] found = new int[1][];
    DownsetSearch.Board board = DownsetSearch.Board.below(peak, way -> found[0] = way);
    new DownsetSearch(part, RunAtOnceRules.DEFAULT).run(board, peak - 1, STATES, stopped);
    return found[0] == null ? null : Arrays.stream(found[0]).map(k -> ops[k]).toArray();
  }

  /** Moves ops to other steps at random, as far as loads stay within the peak. */
  private void shake(long peak) {
    int moves = 4 + order.length / 16;
    for (int k = 0; k < moves; k++) {
      int from = random.nextInt(order.length);
      int to =
          Math.max(0, Math.min(order.length - 1, from + random.nextInt(2 * width + 1) - width));
      int[] moved = moved(from, to);
      if (moved != null && fits(moved, Math.min(from, to), Math.max(from, to), peak)) {
        order = moved;
      }
    }
  }

  /** The order with an op moved as far towards a step as precedences allow; null if it stays. */
  private int[] moved(int from, int to) {
    int op = order[from];
    int at = from;
    int by = to < from ? -1 : 1;
    while (at != to) {
      int other = order[at + by];
      boolean waits = by < 0 ? problem.precedes(other, op) : problem.precedes(op, other);
      if (waits) {
        break;
      }
      at += by;
    }
    if (at == from) {
      return null;
    }
    int[] moved = order.clone();
    IndexOrder.move(moved, from, at);
    return moved;
  }

  private boolean fits(int[] moved, int from, int to, long peak) {
    Downset downset = new Downset(problem);
    for (int k = 0; k <= to; k++) {
      if (k >= from && downset.load(moved[k]) > peak) {
        return false;
      }
      downset.run(moved[k]);
    }
    return true;
  }
}

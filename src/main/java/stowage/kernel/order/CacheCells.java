package stowage.kernel.order;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import stowage.kernel.model.KernelOps;

/**
 * Cells of one cache in a {@link Replay}: which buffer holds each, and since when the others are
 * free. Not thread-safe.
 */
final class CacheCells {
  private final KernelOps graph;
  private final int[] offset;
  private final int[] owner;
  private final long[] released;
  private final double mean;

  /**
   * @param offset where each buffer of the graph begins, kept here
   */
  CacheCells(KernelOps graph, int cache, int[] offset) {
    this.graph = graph;
    this.offset = offset;
    long all = 0;
    int members = 0;
    for (int b = 0; b < graph.buffers; b++) {
      if (graph.cache[b] == cache) {
        all += graph.cells[b];
        members++;
      }
    }
    mean = (double) all / Math.max(1, members);
    owner = new int[(int) Math.min(graph.capacity[cache], all)];
    released = new long[owner.length];
  }

  void clear() {
    Arrays.fill(owner, -1);
    Arrays.fill(released, 0);
  }

  /** The buffer that holds a cell; -1 for none. */
  int owner(int cell) {
    return owner[cell];
  }

  void take(int b, int at) {
    Arrays.fill(owner, at, at + graph.cells[b], b);
    offset[b] = at;
  }

  /** Takes cells back that were taken in the same step. */
  void giveBack(int b) {
    Arrays.fill(owner, offset[b], offset[b] + graph.cells[b], -1);
  }

  void release(int b, long when) {
    giveBack(b);
    Arrays.fill(released, offset[b], offset[b] + graph.cells[b], when);
  }

  /** When the last of a buffer's cells was released. */
  long freeSince(int b) {
    long since = 0;
    for (int a = offset[b]; a < offset[b] + graph.cells[b]; a++) {
      since = Math.max(since, released[a]);
    }
    return since;
  }

  boolean isFree(int at, int cells) {
    for (int a = at; a < at + cells; a++) {
      if (owner[a] >= 0) {
        return false;
      }
    }
    return true;
  }

  /** A hole of so many cells by the rule, or -1. */
  int hole(int cells, Replay.Fit fit) {
    boolean high = fit == Replay.Fit.ENDS && cells < mean;
    int length = owner.length;
    int best = -1;
    long bestScore = Long.MAX_VALUE;
    int a = 0;
    while (a + cells <= length) {
      if (owner[a] >= 0) {
        a = offset[owner[a]] + graph.cells[owner[a]];
        continue;
      }
      int end = a;
      while (end < length && owner[end] < 0) {
        end++;
      }
      if (end - a >= cells) {
        switch (fit) {
          case ENDS -> {
            if (!high) {
              return a;
            }
            best = end - cells;
          }
          case BEST -> {
            if (end - a < bestScore) {
              bestScore = end - a;
              best = a;
            }
          }
          default -> {
            for (int at = a; at + cells <= end; at++) {
              if (at == a || at + cells == end || released[at] != released[at - 1]) {
                long wait = 0;
                for (int x = at; x < at + cells && wait < bestScore; x++) {
                  wait = Math.max(wait, released[x]);
                }
                if (wait < bestScore) {
                  bestScore = wait;
                  best = at;
                }
              }
            }
          }
        }
      }
      a = end;
    }
    return best;
  }

  /**
   * The begin of the range that costs least to clear, or -1 where each costs all there is.
   *
   * @param costOf letting a buffer leave; {@link Double#MAX_VALUE} where it must stay
   */
  int window(int cells, IntToDoubleFunction costOf) {
    int length = owner.length;
    int best = -1;
    double bestCost = Double.MAX_VALUE;
    int a = 0;
    while (a <= length) {
      // candidates: begins at an edge, or ends at one
      for (int side = 0; side < 2; side++) {
        int at = side == 0 ? a : a - cells;
        if (at >= 0 && at + cells <= length) {
          double cost = cost(at, at + cells, costOf, bestCost);
          if (cost < bestCost) {
            bestCost = cost;
            best = at;
          }
        }
      }
      if (a == length) {
        break;
      }
      int held = owner[a];
      if (held >= 0) {
        a = offset[held] + graph.cells[held];
      } else {
        while (a < length && owner[a] < 0) {
          a++;
        }
      }
    }
    return best;
  }

  private double cost(int from, int to, IntToDoubleFunction costOf, double limit) {
    double cost = 0;
    int a = from;
    while (a < to && cost < limit) {
      int held = owner[a];
      if (held < 0) {
        a++;
        continue;
      }
      cost += costOf.applyAsDouble(held);
      a = offset[held] + graph.cells[held];
    }
    return cost;
  }
}

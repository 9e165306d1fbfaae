package stowage.kernel.order;

import java.util.Arrays;
import java.util.SplittableRandom;
import stowage.kernel.model.KernelOps;

/**
 * Moves in the neighbourhood of an order: a run of consecutive ops goes to another place, and what
 * it depends on, or what depends on it, goes along where it is in the way; so every order made
 * respects the edges. Not thread-safe.
 */
final class OrderMoves {
  private final KernelOps graph;
  private final int[] mark;
  private final int[] aside;
  private int stamp;

  OrderMoves(KernelOps graph) {
    this.graph = graph;
    mark = new int[graph.ops];
    aside = new int[graph.ops];
  }

  /** Moves {@code order[from .. to - 1]} behind position {@code target - 1}; to is below target. */
  void later(int[] order, int from, int to, int target) {
    stamp++;
    int out = 0;
    int at = from;
    for (int t = from; t < target; t++) {
      int v = order[t];
      boolean carried = t < to;
      for (int k = graph.predAt[v]; !carried && k < graph.predAt[v + 1]; k++) {
        carried = mark[graph.pred[k]] == stamp;
      }
      if (carried) {
        mark[v] = stamp;
        aside[out++] = v;
      } else {
        order[at++] = v;
      }
    }
    System.arraycopy(aside, 0, order, at, out);
  }

  /** Moves {@code order[from .. to - 1]} before position {@code target}; target is below from. */
  void earlier(int[] order, int target, int from, int to) {
    stamp++;
    int out = graph.ops;
    int at = to;
    for (int t = to - 1; t >= target; t--) {
      int v = order[t];
      boolean carried = t >= from;
      for (int k = graph.succAt[v]; !carried && k < graph.succAt[v + 1]; k++) {
        carried = mark[graph.succ[k]] == stamp;
      }
      if (carried) {
        mark[v] = stamp;
        aside[--out] = v;
      } else {
        order[--at] = v;
      }
    }
    System.arraycopy(aside, out, order, target, graph.ops - out);
  }

  /** Makes one random move. */
  void random(int[] order, SplittableRandom random) {
    int n = graph.ops;
    if (n < 2) {
      return;
    }
    int length = (int) Math.min(n - 1, Math.pow(n, random.nextDouble(0, 0.75)));
    int reach = 1 + (int) Math.min(n, Math.pow(n, random.nextDouble(0.1, 1)));
    int from = random.nextInt(n);
    int to = Math.min(n, from + Math.max(1, length));
    if (random.nextBoolean()) {
      int target = Math.min(n, to + reach);
      if (target > to) {
        later(order, from, to, target);
        return;
      }
    }
    int target = Math.max(0, from - reach);
    if (target < from) {
      earlier(order, target, from, to);
    }
  }

  /** Moves the op at a position next to another op that uses one of its buffers. */
  void join(int[] order, int[] positionOf, SplittableRandom random) {
    int n = graph.ops;
    int at = random.nextInt(n);
    int v = order[at];
    int uses = graph.useAt[v + 1] - graph.useAt[v];
    if (uses == 0) {
      return;
    }
    for (int t = 0; t < n; t++) {
      positionOf[order[t]] = t;
    }
    int b = graph.use[graph.useAt[v] + random.nextInt(uses)];
    int other = graph.user[graph.userAt[b] + random.nextInt(graph.userAt[b + 1] - graph.userAt[b])];
    int there = positionOf[other];
    int length = 1 + random.nextInt(1 + random.nextInt(8));
    if (there > at) {
      int to = Math.min(at + length, there);
      later(order, at, to, there);
    } else if (there + 1 < at) {
      earlier(order, there + 1, at, Math.min(n, at + length));
    }
  }

  /** Whether an order names every op once and respects the edges. */
  boolean holds(int[] order) {
    int[] place = new int[graph.ops];
    Arrays.fill(place, -1);
    for (int t = 0; t < order.length; t++) {
      place[order[t]] = t;
    }
    for (int v = 0; v < graph.ops; v++) {
      for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) {
        if (place[v] < 0 || place[graph.pred[k]] >= place[v]) {
          return false;
        }
      }
    }
    return true;
  }
}

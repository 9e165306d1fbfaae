package stowage.kernel.order;

import java.util.SplittableRandom;
import stowage.kernel.model.KernelOps;

/**
 * Moves in the neighbourhood of an order: a run of consecutive ops goes to another place, and what
 * it depends on, or what depends on it, goes along where it is in the way; so every order made
 * respects the edges. The order is changed in place, at the positions from {@link #low} to before
 * {@link #high}; {@link #undo} takes the last move back. Not thread-safe.
 */
final class OrderMoves {
  /** The share of moves that put feeders right before what needs them, and that of loose ones. */
  private static final double TIDY = 0.75;

  private static final double LOOSELY_TIDY = 0.15;

  private final KernelOps graph;
  private final boolean[] feeder;
  private final double tidyShare;
  private final int[] mark;
  private final int[] aside;
  private final int[] saved;
  private final int[] position;
  private int[] order;
  private int stamp;
  private boolean tidy;

  /** The first position that the last move changed. */
  int low;

  /** The position after the last one that it changed; {@link #low} where it changed nothing. */
  int high;

  /**
   * @param feeder by op, whether it only feeds others: see {@link AnchorGreedy}
   * @param loose whether most moves leave feeders where they are
   */
  OrderMoves(KernelOps graph, boolean[] feeder, boolean loose) {
    this.graph = graph;
    this.feeder = feeder;
    tidyShare = loose ? LOOSELY_TIDY : TIDY;
    mark = new int[graph.ops];
    aside = new int[graph.ops];
    saved = new int[graph.ops];
    position = new int[graph.ops];
  }

  /** Takes an order to change from now on. */
  void follow(int[] followed) {
    order = followed;
    place(0, graph.ops);
  }

  private void place(int from, int to) {
    for (int t = from; t < to; t++) {
      position[order[t]] = t;
    }
  }

  /** Takes the last move back. */
  void undo() {
    System.arraycopy(saved, low, order, low, high - low);
    place(low, high);
  }

  private void save(int from, int to) {
    low = from;
    high = to;
    System.arraycopy(order, from, saved, from, to - from);
  }

  /** Feeders as late as possible, then narrows the range to what has changed. */
  private void narrow() {
    if (tidy) {
      tidy();
    }
    while (low < high && order[low] == saved[low]) {
      low++;
    }
    while (low < high && order[high - 1] == saved[high - 1]) {
      high--;
    }
    place(low, high);
  }

  /** Moves {@code order[from .. to - 1]} after position {@code target - 1}; to is below target. */
  private void later(int from, int to, int target) {
    save(from, target);
    stamp++;
    int out = 0;
    int at = from;
    for (int t = from; t < target; t++) {
      int v = order[t];
      if (t < to || isAnyMarked(graph.preds[v])) {
        mark[v] = stamp;
        aside[out++] = v;
      } else {
        order[at++] = v;
      }
    }
    System.arraycopy(aside, 0, order, at, out);
    narrow();
  }

  /** Moves {@code order[from .. to - 1]} before position {@code target}; target is below from. */
  private void earlier(int target, int from, int to) {
    save(target, to);
    stamp++;
    int out = graph.ops;
    int at = to;
    for (int t = to - 1; t >= target; t--) {
      int v = order[t];
      if (t >= from || isAnyMarked(graph.succs[v])) {
        mark[v] = stamp;
        aside[--out] = v;
      } else {
        order[--at] = v;
      }
    }
    System.arraycopy(aside, out, order, target, graph.ops - out);
    narrow();
  }

  private boolean isAnyMarked(int[] ops) {
    for (int v : ops) {
      if (mark[v] == stamp) {
        return true;
      }
    }
    return false;
  }

  /** Puts the feeders of the range right before the first anchor that needs them. */
  private void tidy() {
    stamp++;
    int out = 0;
    for (int t = low; t < high; t++) {
      int v = order[t];
      mark[v] = stamp;
      if (!feeder[v]) {
        out = emit(v, out);
      }
    }
    for (int t = low; t < high; t++) {
      out = emit(order[t], out);
    }
    System.arraycopy(aside, 0, order, low, out);
  }

  private int emit(int v, int from) {
    int out = from;
    if (mark[v] == stamp) {
      mark[v] = 0;
      for (int u : graph.preds[v]) {
        out = emit(u, out);
      }
      aside[out++] = v;
    }
    return out;
  }

  /** The first position from one on that an anchor has; the last position where there is none. */
  private int anchor(int from) {
    int t = from;
    while (tidy && t < graph.ops - 1 && feeder[order[t]]) {
      t++;
    }
    return t;
  }

  void random(SplittableRandom random) {
    low = high = 0;
    tidy = random.nextDouble() < tidyShare;
    if (random.nextInt(3) == 0) {
      join(random);
      return;
    }
    int n = graph.ops;
    int length = (int) Math.min(n - 1, Math.pow(n, random.nextDouble(0, 0.75)));
    int reach = 1 + (int) Math.min(n, Math.pow(n, random.nextDouble(0.1, 0.9)));
    int from = anchor(random.nextInt(n));
    int to = Math.min(n, from + Math.max(1, length));
    if (random.nextBoolean()) {
      int target = Math.min(n, to + reach);
      if (target > to) {
        later(from, to, target);
        return;
      }
    }
    int target = Math.max(0, from - reach);
    if (target < from) {
      earlier(target, from, to);
    }
  }

  /** Moves the op at a position next to another op that uses one of its buffers. */
  private void join(SplittableRandom random) {
    int n = graph.ops;
    int v = order[random.nextInt(n)];
    int[] uses = graph.uses[v];
    if (uses.length == 0) {
      return;
    }
    int[] users = graph.users[uses[random.nextInt(uses.length)]];
    int other = users[random.nextInt(users.length)];
    int at = anchor(position[v]);
    int there = anchor(position[other]);
    int length = 1 + random.nextInt(1 + random.nextInt(8));
    if (there > at) {
      later(at, Math.min(at + length, there), there);
    } else if (there + 1 < at) {
      earlier(there + 1, at, Math.min(n, at + length));
    }
  }
}

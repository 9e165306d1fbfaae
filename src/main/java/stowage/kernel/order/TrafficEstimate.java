package stowage.kernel.order;

import java.util.Arrays;
import stowage.kernel.model.KernelOps;

/**
 * Traffic of an order when caches are judged by volume alone: a cache overflows when the sizes in
 * it exceed its capacity, wherever they are. The victim is the buffer whose next use is farthest,
 * counted double where it costs half (Belady's rule with prices).
 *
 * <p>Who is resident is kept at every 16th position of the order followed. A move is counted from
 * the last of them before it, up to the first after it where the same buffers are resident again.
 * What left before the move stays as chosen then, so the count is that of a possible choice of
 * spills; {@link #follow} chooses all again. O(uses) for a whole order, for a move about the uses
 * among the positions that it changes; no allocation. Not thread-safe.
 */
final class TrafficEstimate implements OrderSearch.OrderCost {
  private static final int SPACING = 16;

  private final KernelOps graph;

  /** The op of each slot of {@link KernelOps#use}, and the slots of the same buffer around it. */
  private final int[] op;

  private final int[] earlier;
  private final int[] later;
  private final int[] position;

  /** By buffer, the slots before and after the positions that are linked. */
  private final int[] before;

  private final int[] behind;

  private final int[] nextUse;
  private final int[] lastSlot;
  private final boolean[] in;
  private final int[][] resident;
  private final int[] count;
  private final int[] place;
  private final long[] used;
  private final int[] mark;
  private int stamp;

  /** The last slots of the residents at each kept position; of the order followed, and counted. */
  private int[][] kept;

  private int[][] fresh;
  private final int[] keptCount;
  private final int[] freshCount;
  private final long[] keptTraffic;
  private final long[] freshTraffic;
  private int[] order;
  private long cost;
  private long found;
  private int first;
  private int end;

  TrafficEstimate(KernelOps graph) {
    this.graph = graph;
    int slots = graph.use.length;
    op = new int[slots];
    for (int v = 0; v < graph.ops; v++) {
      Arrays.fill(op, graph.useAt[v], graph.useAt[v + 1], v);
    }
    earlier = new int[slots];
    later = new int[slots];
    position = new int[graph.ops];
    before = new int[graph.buffers];
    behind = new int[graph.buffers];
    nextUse = new int[graph.buffers];
    lastSlot = new int[graph.buffers];
    in = new boolean[graph.buffers];
    place = new int[graph.buffers];
    mark = new int[graph.buffers];
    resident = new int[graph.caches][16];
    count = new int[graph.caches];
    used = new long[graph.caches];
    int points = graph.ops / SPACING + 1;
    kept = new int[points][16];
    fresh = new int[points][16];
    keptCount = new int[points];
    freshCount = new int[points];
    keptTraffic = new long[points];
    freshTraffic = new long[points];
  }

  @Override
  public double cost(int[] of, double limit) {
    order = of;
    Arrays.fill(earlier, -1);
    Arrays.fill(later, -1);
    link(0, graph.ops);
    count(0, graph.ops, limit);
    return found;
  }

  @Override
  public double follow(int[] of) {
    cost(of, Double.MAX_VALUE);
    keep();
    return cost;
  }

  @Override
  public double moved(int from, int to, double limit) {
    link(from, to);
    count(from / SPACING, to, limit);
    return found;
  }

  @Override
  public void keep() {
    for (int i = first + 1; i < end; i++) {
      int[] swap = kept[i];
      kept[i] = fresh[i];
      fresh[i] = swap;
      keptCount[i] = freshCount[i];
      keptTraffic[i] = freshTraffic[i];
    }
    for (int i = end; i < kept.length && found != cost; i++) {
      keptTraffic[i] += found - cost;
    }
    cost = found;
  }

  @Override
  public void undo(int from, int to) {
    link(from, to);
  }

  /** Links the uses of each buffer at the positions given, in their order, to those around. */
  private void link(int from, int to) {
    stamp++;
    for (int t = from; t < to; t++) {
      position[order[t]] = t;
    }
    for (int t = from; t < to; t++) {
      for (int k = graph.useAt[order[t]]; k < graph.useAt[order[t] + 1]; k++) {
        int b = graph.use[k];
        if (mark[b] != stamp) {
          mark[b] = stamp;
          before[b] = -1;
          behind[b] = -1;
        }
        if (earlier[k] >= 0 && position[op[earlier[k]]] < from) {
          before[b] = earlier[k];
        }
        if (later[k] >= 0 && position[op[later[k]]] >= to) {
          behind[b] = later[k];
        }
      }
    }
    for (int t = from; t < to; t++) {
      for (int k = graph.useAt[order[t]]; k < graph.useAt[order[t] + 1]; k++) {
        int b = graph.use[k];
        earlier[k] = before[b];
        later[k] = behind[b];
        if (before[b] >= 0) {
          later[before[b]] = k;
        }
        if (behind[b] >= 0) {
          earlier[behind[b]] = k;
        }
        before[b] = k;
      }
    }
  }

  /**
   * Counts from a kept position, until what is resident is as it was or the limit is passed for
   * sure: what is resident in addition saves at most its price.
   */
  private void count(int from, int to, double limit) {
    first = from;
    end = kept.length;
    restore(from);
    long traffic = from == 0 ? 0 : keptTraffic[from];
    for (int t = from * SPACING; t < graph.ops; t++) {
      if (t % SPACING == 0 && t > from * SPACING) {
        int i = t / SPACING;
        if (t >= to) {
          long more = more(i);
          found = traffic + cost - keptTraffic[i];
          if (more == 0 || found - more > limit) {
            end = i;
            return;
          }
        }
        record(i, traffic);
      }
      traffic += step(t);
      if (traffic > limit) {
        break;
      }
    }
    found = traffic;
  }

  /** The price of what is resident beyond a kept position's residents; 0 if it is the same. */
  private long more(int i) {
    stamp++;
    for (int k = 0; k < keptCount[i]; k++) {
      mark[graph.use[kept[i][k]]] = stamp;
    }
    long price = 0;
    int same = 0;
    for (int c = 0; c < graph.caches; c++) {
      for (int k = 0; k < count[c]; k++) {
        int b = resident[c][k];
        if (mark[b] == stamp) {
          same++;
        } else {
          price += graph.price[b];
        }
      }
    }
    return price > 0 || same == keptCount[i] ? price : 1;
  }

  private void record(int i, long traffic) {
    freshTraffic[i] = traffic;
    int at = 0;
    for (int c = 0; c < graph.caches; c++) {
      if (fresh[i].length < at + count[c]) {
        fresh[i] = Arrays.copyOf(fresh[i], 2 * (at + count[c]));
      }
      for (int k = 0; k < count[c]; k++) {
        fresh[i][at++] = lastSlot[resident[c][k]];
      }
    }
    freshCount[i] = at;
  }

  private void restore(int i) {
    Arrays.fill(in, false);
    Arrays.fill(count, 0);
    Arrays.fill(used, 0);
    int from = i * SPACING;
    for (int j = 0; i > 0 && j < keptCount[i]; j++) {
      int k = kept[i][j]; // a use of the buffer before; not the last one if those have moved since
      while (position[op[k]] >= from) {
        k = earlier[k];
      }
      while (position[op[later[k]]] < from) {
        k = later[k];
      }
      int b = graph.use[k];
      lastSlot[b] = k;
      nextUse[b] = position[op[later[k]]];
      add(b);
    }
  }

  /** Runs the op at a position; returns what is spilled for it. */
  private long step(int t) {
    int v = order[t];
    long traffic = 0;
    for (int b : graph.uses[v]) {
      nextUse[b] = t;
      if (!in[b]) {
        add(b);
      }
    }
    for (int b : graph.uses[v]) {
      int c = graph.cache[b];
      while (used[c] > graph.capacity[c]) {
        traffic += evict(c, t);
      }
    }
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      lastSlot[b] = k;
      if (later[k] < 0) {
        remove(b);
      } else {
        nextUse[b] = position[op[later[k]]];
      }
    }
    return traffic;
  }

  private void add(int b) {
    int c = graph.cache[b];
    if (count[c] == resident[c].length) {
      resident[c] = Arrays.copyOf(resident[c], 2 * count[c]);
    }
    in[b] = true;
    place[b] = count[c];
    resident[c][count[c]++] = b;
    used[c] += graph.cells[b];
  }

  private void remove(int b) {
    int c = graph.cache[b];
    int last = resident[c][--count[c]];
    resident[c][place[b]] = last;
    place[last] = place[b];
    in[b] = false;
    used[c] -= graph.cells[b];
  }

  private long evict(int c, int t) {
    int victim = -1;
    long farthest = 0;
    for (int k = 0; k < count[c]; k++) {
      int b = resident[c][k];
      long distance = nextUse[b] - t;
      if (graph.price[b] == graph.size[b]) {
        distance *= 2;
      }
      if (distance > farthest || distance == farthest && b < victim) {
        farthest = distance;
        victim = b;
      }
    }
    if (victim < 0) {
      throw new IllegalStateException("the operands of op " + t + " exceed a cache");
    }
    remove(victim);
    return graph.price[victim];
  }
}

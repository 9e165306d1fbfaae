package stowage.kernel.order;

import java.util.Arrays;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.KernelPlan;

/**
 * Replay of an order of ops through caches with addresses and through the pipes: brings operands in
 * right before their op, spills where no hole is left, and times every node. It always ends with a
 * plan that holds, as long as each op's operands fit together; so it judges an order by traffic and
 * by cycles, and gives the plan.
 *
 * <p>A victim is a range of addresses: of all ranges that hold no operand of the op, the one whose
 * buffers cost least, each counted by price over distance to its next use. Where operands
 * themselves leave no range, they are moved together to the cache's low end. Not thread-safe.
 */
public final class Replay {
  /** Which hole a buffer takes. */
  public enum Fit {
    /** The lowest. */
    FIRST,
    /** The smallest. */
    BEST,
    /** The one whose addresses were freed earliest, so that little is waited for. */
    OLDEST,
    /** From the end of the last one taken on, round about. */
    NEXT,
    /** The lowest for buffers of at least the cache's mean size, the highest for the others. */
    ENDS
  }

  private final KernelOps graph;
  private final NextUses uses;
  private final int[][] owner;
  private final long[][] released;
  private final int[] offset;
  private final boolean[] in;
  private final boolean[] known;
  private final int[] pinned;
  private final int[] nextUse;
  private final long[] ready;
  private final long[] usedUntil;
  private final long[] outUntil;
  private final long[] finish;
  private final long[] pipeFree;
  private final int[] cursor;
  private final double[] meanCells;
  private final int[] openSpill;

  private Fit fit;
  private int now;
  private long traffic;
  private final long[] cacheTraffic;
  private final int[] lastSlot;
  private final boolean[] left;
  private long last;
  private int spills;

  private boolean recording;
  private int[] events = new int[64];
  private int eventCount;
  private int[] spilled = new int[16];
  private int[] spillOffset = new int[16];
  private int[] firstOffset;
  private int[] absent = new int[8];

  /** Makes the arrays for a graph. */
  public Replay(KernelOps graph) {
    this.graph = graph;
    uses = new NextUses(graph);
    owner = new int[graph.caches][];
    released = new long[graph.caches][];
    for (int c = 0; c < graph.caches; c++) {
      long all = 0;
      for (int b = 0; b < graph.buffers; b++) {
        all += graph.cache[b] == c ? graph.cells[b] : 0;
      }
      owner[c] = new int[(int) Math.min(graph.capacity[c], all)];
      released[c] = new long[owner[c].length];
    }
    offset = new int[graph.buffers];
    in = new boolean[graph.buffers];
    known = new boolean[graph.buffers];
    pinned = new int[graph.buffers];
    nextUse = new int[graph.buffers];
    ready = new long[graph.buffers];
    usedUntil = new long[graph.buffers];
    outUntil = new long[graph.buffers];
    openSpill = new int[graph.buffers];
    firstOffset = new int[graph.buffers];
    finish = new long[graph.ops];
    pipeFree = new long[graph.pipes];
    cursor = new int[graph.caches];
    meanCells = new double[graph.caches];
    int[] members = new int[graph.caches];
    for (int b = 0; b < graph.buffers; b++) {
      meanCells[graph.cache[b]] += graph.cells[b];
      members[graph.cache[b]]++;
    }
    for (int c = 0; c < graph.caches; c++) {
      meanCells[c] /= Math.max(1, members[c]);
    }
    cacheTraffic = new long[graph.caches];
    lastSlot = new int[graph.buffers];
    left = new boolean[graph.use.length];
  }

  /** Traffic of the last replay, in units. */
  public long traffic() {
    return traffic;
  }

  /** The part of one cache in the traffic of the last replay. */
  public long traffic(int cache) {
    return cacheTraffic[cache];
  }

  /** The slots of uses after which a buffer left, in the last replay that gave a plan. */
  public boolean[] left() {
    return left.clone();
  }

  /** Makespan of the last replay. */
  public long cycles() {
    return last;
  }

  /**
   * Replays an order.
   *
   * @param order all ops, in an order that respects the edges
   * @param leave slots of {@link KernelOps#use} after which the buffer leaves at once; may be null
   * @param rule which hole a buffer takes
   */
  public void run(int[] order, boolean[] leave, Fit rule) {
    run(order, leave, rule, null, false);
  }

  /**
   * Replays an order and gives the plan.
   *
   * @param cells the cell at which each use's residency segment begins, by slot of its first use;
   *     null to choose by the rule
   */
  public KernelPlan plan(int[] order, boolean[] leave, Fit rule, int[] cells) {
    run(order, leave, rule, cells, true);
    int nodes = graph.graph().nodes().size();
    int[] schedule = Arrays.copyOf(events, eventCount);
    long[] offsets = new long[graph.buffers];
    for (int b = 0; b < graph.buffers; b++) {
      offsets[b] = firstOffset[b] * graph.unit[graph.cache[b]];
    }
    long[] after = new long[spills];
    for (int k = 0; k < spills; k++) {
      after[k] = spillOffset[k] * graph.unit[graph.cache[spilled[k]]];
    }
    if (schedule.length != nodes + 2 * spills) {
      throw new IllegalStateException(
          "the replay ran " + schedule.length + " nodes of " + (nodes + 2 * spills));
    }
    return new KernelPlan(schedule, offsets, Arrays.copyOf(spilled, spills), after);
  }

  private int[] fixedCells;

  private void run(int[] order, boolean[] leave, Fit rule, int[] cells, boolean record) {
    begin(order, rule, record);
    fixedCells = cells;
    for (int t = 0; t < graph.ops; t++) {
      now = t;
      int v = order[t];
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        pinned[graph.use[k]] = t;
        nextUse[graph.use[k]] = t;
      }
      for (int c = 0; c < graph.caches; c++) {
        bringIn(v, c);
      }
      time(v);
      emit(graph.node[v]);
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        nextUse[b] = uses.next[k];
        lastSlot[b] = k;
        if (uses.next[k] == NextUses.NEVER) {
          free(b);
        } else if (leave != null && leave[k]) {
          spill(b);
        }
      }
    }
  }

  private void begin(int[] order, Fit rule, boolean record) {
    fit = rule;
    recording = record;
    uses.of(order);
    for (int c = 0; c < graph.caches; c++) {
      Arrays.fill(owner[c], -1);
      Arrays.fill(released[c], 0);
    }
    Arrays.fill(in, false);
    Arrays.fill(known, false);
    Arrays.fill(pinned, -1);
    Arrays.fill(pipeFree, 0);
    Arrays.fill(usedUntil, 0);
    Arrays.fill(cursor, 0);
    Arrays.fill(cacheTraffic, 0);
    Arrays.fill(left, false);
    traffic = 0;
    last = 0;
    spills = 0;
    eventCount = 0;
    for (int b = 0; b < graph.buffers; b++) {
      if (uses.first[b] == NextUses.NEVER) {
        known[b] = true;
        firstOffset[b] = 0;
        emit(graph.graph().buffers().get(b).alloc());
        emit(graph.graph().buffers().get(b).free());
      }
    }
  }

  private void emit(int node) {
    if (recording) {
      if (eventCount == events.length) {
        events = Arrays.copyOf(events, 2 * eventCount);
      }
      events[eventCount++] = node;
    }
  }

  private void time(int v) {
    long start = pipeFree[graph.pipe[v]];
    for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) {
      start = Math.max(start, finish[graph.pred[k]]);
    }
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      start = Math.max(start, ready[graph.use[k]]);
    }
    finish[v] = start + graph.cycles[v];
    pipeFree[graph.pipe[v]] = finish[v];
    last = Math.max(last, finish[v]);
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      usedUntil[b] = Math.max(usedUntil[b], finish[v]);
    }
  }

  private void free(int b) {
    release(b, Math.max(usedUntil[b], ready[b]));
    emit(graph.graph().buffers().get(b).free());
  }

  private void release(int b, long when) {
    int[] cells = owner[graph.cache[b]];
    long[] times = released[graph.cache[b]];
    for (int a = offset[b]; a < offset[b] + graph.cells[b]; a++) {
      cells[a] = -1;
      times[a] = when;
    }
    in[b] = false;
  }

  private void spill(int b) {
    long start = Math.max(Math.max(usedUntil[b], ready[b]), pipeFree[graph.outPipe]);
    outUntil[b] = start + graph.outCycles[b];
    pipeFree[graph.outPipe] = outUntil[b];
    last = Math.max(last, outUntil[b]);
    release(b, outUntil[b]);
    traffic += graph.price[b];
    cacheTraffic[graph.cache[b]] += graph.price[b];
    if (recording) {
      left[lastSlot[b]] = true;
      if (spills == spilled.length) {
        spilled = Arrays.copyOf(spilled, 2 * spills);
        spillOffset = Arrays.copyOf(spillOffset, 2 * spills);
      }
      spilled[spills] = b;
      openSpill[b] = spills;
      emit(graph.graph().nodes().size() + 2 * spills);
    }
    spills++;
  }

  /** Makes all operands of an op resident in one cache. */
  private void bringIn(int v, int c) {
    int count = 0;
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      if (graph.cache[b] == c && !in[b]) {
        if (count == absent.length) {
          absent = Arrays.copyOf(absent, 2 * count);
        }
        int at = count++;
        for (; at > 0 && graph.cells[absent[at - 1]] < graph.cells[b]; at--) {
          absent[at] = absent[at - 1];
        }
        absent[at] = b;
      }
    }
    boolean placed = true;
    for (int k = 0; k < count && placed; k++) {
      placed = place(v, absent[k]);
    }
    if (!placed) {
      count = repack(v, c, count);
    }
    for (int k = 0; k < count; k++) {
      enter(absent[k]);
    }
  }

  /** Times and emits the begin of a segment whose cells are taken. */
  private void enter(int b) {
    long start = 0;
    long[] times = released[graph.cache[b]];
    for (int a = offset[b]; a < offset[b] + graph.cells[b]; a++) {
      start = Math.max(start, times[a]);
    }
    if (known[b]) {
      start = Math.max(Math.max(start, outUntil[b]), pipeFree[graph.inPipe]);
      ready[b] = start + graph.inCycles[b];
      pipeFree[graph.inPipe] = ready[b];
      last = Math.max(last, ready[b]);
      if (recording) {
        spillOffset[openSpill[b]] = offset[b];
        emit(graph.graph().nodes().size() + 2 * openSpill[b] + 1);
      }
    } else {
      known[b] = true;
      ready[b] = start;
      if (recording) {
        firstOffset[b] = offset[b];
        emit(graph.graph().buffers().get(b).alloc());
      }
    }
  }

  private void take(int b, int at) {
    Arrays.fill(owner[graph.cache[b]], at, at + graph.cells[b], b);
    offset[b] = at;
    in[b] = true;
  }

  private boolean place(int v, int b) {
    int c = graph.cache[b];
    if (graph.cells[b] == 0) {
      take(b, 0);
      return true;
    }
    int at = -1;
    if (fixedCells != null) {
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        at = graph.use[k] == b ? fixedCells[k] : at;
      }
      if (at >= 0 && !isFree(c, at, graph.cells[b])) {
        at = -1;
      }
    }
    if (at < 0) {
      boolean high = fit == Fit.ENDS && graph.cells[b] < meanCells[c];
      at = hole(c, graph.cells[b], high);
    }
    if (at < 0) {
      at = window(c, graph.cells[b]);
      if (at < 0) {
        return false;
      }
      evict(c, at, at + graph.cells[b]);
    }
    take(b, at);
    cursor[c] = at + graph.cells[b];
    return true;
  }

  private boolean isFree(int c, int at, int cells) {
    int[] cell = owner[c];
    for (int a = at; a < at + cells; a++) {
      if (cell[a] >= 0) {
        return false;
      }
    }
    return true;
  }

  private void evict(int c, int from, int to) {
    for (int a = from; a < to; a++) {
      int other = owner[c][a];
      if (other >= 0) {
        spill(other);
      }
    }
  }

  /** A hole of so many cells by the rule, or -1. */
  private int hole(int c, int cells, boolean high) {
    int[] cell = owner[c];
    int length = cell.length;
    int best = -1;
    long bestScore = Long.MAX_VALUE;
    int a = 0;
    while (a + cells <= length) {
      if (cell[a] >= 0) {
        a = offset[cell[a]] + graph.cells[cell[a]];
        continue;
      }
      int end = a;
      while (end < length && cell[end] < 0) {
        end++;
      }
      if (end - a >= cells) {
        switch (fit) {
          case FIRST -> {
            return a;
          }
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
          case NEXT -> {
            int at = Math.max(a, Math.min(cursor[c], end - cells));
            long score = Math.floorMod(at - cursor[c], Math.max(1, length));
            if (score < bestScore) {
              bestScore = score;
              best = at;
            }
          }
          default -> {
            long[] times = released[c];
            for (int at = a; at + cells <= end; at++) {
              if (at == a || at + cells == end || times[at] != times[at - 1]) {
                long wait = 0;
                for (int x = at; x < at + cells && wait < bestScore; x++) {
                  wait = Math.max(wait, times[x]);
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

  /** The begin of the range that costs least to clear, or -1 where operands are in every one. */
  private int window(int c, int cells) {
    int[] cell = owner[c];
    int length = cell.length;
    int best = -1;
    double bestCost = Double.MAX_VALUE;
    int a = 0;
    while (a <= length) {
      // candidates: begins at an edge, or ends at one
      for (int side = 0; side < 2; side++) {
        int at = side == 0 ? a : a - cells;
        if (at >= 0 && at + cells <= length) {
          double cost = cost(c, at, at + cells, bestCost);
          if (cost < bestCost) {
            bestCost = cost;
            best = at;
          }
        }
      }
      if (a == length) {
        break;
      }
      int held = cell[a];
      if (held >= 0) {
        a = offset[held] + graph.cells[held];
      } else {
        while (a < length && cell[a] < 0) {
          a++;
        }
      }
    }
    return best;
  }

  private double cost(int c, int from, int to, double limit) {
    double cost = 0;
    int a = from;
    while (a < to && cost < limit) {
      int held = owner[c][a];
      if (held < 0) {
        a++;
        continue;
      }
      if (pinned[held] == now) {
        return Double.MAX_VALUE;
      }
      cost += (double) graph.price[held] / (nextUse[held] - now);
      a = offset[held] + graph.cells[held];
    }
    return cost;
  }

  /** Moves the operands of an op together to the low end of a cache; returns how many enter. */
  private int repack(int v, int c, int tried) {
    for (int k = 0; k < tried; k++) {
      int b = absent[k];
      if (in[b]) { // taken in this step: nothing was emitted yet
        Arrays.fill(owner[c], offset[b], offset[b] + graph.cells[b], -1);
        in[b] = false;
      }
    }
    int count = tried;
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      if (graph.cache[b] == c && in[b]) {
        spill(b);
        if (count == absent.length) {
          absent = Arrays.copyOf(absent, 2 * count);
        }
        absent[count++] = b;
      }
    }
    int at = 0;
    for (int k = 0; k < count; k++) {
      evict(c, at, at + graph.cells[absent[k]]);
      take(absent[k], at);
      at += graph.cells[absent[k]];
    }
    return count;
  }
}

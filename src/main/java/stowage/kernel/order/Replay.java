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
    /** The smallest. */
    BEST,
    /** The one whose addresses were freed earliest, so that little is waited for. */
    OLDEST,
    /** The lowest for buffers of at least the cache's mean size, the highest for the others. */
    ENDS
  }

  private final KernelOps graph;
  private final NextUses uses;
  private final CacheCells[] caches;
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
  private final int[] openSpill;

  private Fit fit;
  private int now;
  private long traffic;
  private final long[] cacheTraffic;
  private long last;
  private int spills;

  private boolean recording;
  private int[] events = new int[64];
  private int eventCount;
  private int[] spilled = new int[16];
  private int[] spillOffset = new int[16];
  private int[] firstOffset;
  private final int[] absent;

  /** Makes the arrays for a graph. */
  public Replay(KernelOps graph) {
    this.graph = graph;
    uses = new NextUses(graph);
    offset = new int[graph.buffers];
    caches = new CacheCells[graph.caches];
    Arrays.setAll(caches, c -> new CacheCells(graph, c, offset));
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
    cacheTraffic = new long[graph.caches];
    absent = new int[Arrays.stream(graph.uses).mapToInt(uses -> uses.length).max().orElse(0)];
  }

  /** Traffic of the last replay, in units. */
  public long traffic() {
    return traffic;
  }

  /** The part of one cache in the traffic of the last replay. */
  public long traffic(int cache) {
    return cacheTraffic[cache];
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
    Arrays.setAll(offsets, b -> firstOffset[b] * graph.unit[graph.cache[b]]);
    long[] after = new long[spills];
    Arrays.setAll(after, k -> spillOffset[k] * graph.unit[graph.cache[spilled[k]]]);
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
      for (int b : graph.uses[v]) {
        pinned[b] = t;
        nextUse[b] = t;
      }
      for (int c = 0; c < graph.caches; c++) {
        bringIn(v, c);
      }
      time(v);
      emit(graph.node[v]);
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        nextUse[b] = uses.next[k];
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
    for (CacheCells cells : caches) {
      cells.clear();
    }
    Arrays.fill(in, false);
    Arrays.fill(known, false);
    Arrays.fill(pinned, -1);
    Arrays.fill(pipeFree, 0);
    Arrays.fill(usedUntil, 0);
    Arrays.fill(cacheTraffic, 0);
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
    for (int u : graph.preds[v]) {
      start = Math.max(start, finish[u]);
    }
    for (int b : graph.uses[v]) {
      start = Math.max(start, ready[b]);
    }
    finish[v] = start + graph.cycles[v];
    pipeFree[graph.pipe[v]] = finish[v];
    last = Math.max(last, finish[v]);
    for (int b : graph.uses[v]) {
      usedUntil[b] = Math.max(usedUntil[b], finish[v]);
    }
  }

  private void free(int b) {
    release(b, Math.max(usedUntil[b], ready[b]));
    emit(graph.graph().buffers().get(b).free());
  }

  private void release(int b, long when) {
    caches[graph.cache[b]].release(b, when);
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
    for (int b : graph.uses[v]) {
      if (graph.cache[b] == c && !in[b]) {
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
    long start = caches[graph.cache[b]].freeSince(b);
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
    caches[graph.cache[b]].take(b, at);
    in[b] = true;
  }

  private boolean place(int v, int b) {
    CacheCells cells = caches[graph.cache[b]];
    if (graph.cells[b] == 0) {
      take(b, 0);
      return true;
    }
    int at = -1;
    if (fixedCells != null) {
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        at = graph.use[k] == b ? fixedCells[k] : at;
      }
      if (at >= 0 && !cells.isFree(at, graph.cells[b])) {
        at = -1;
      }
    }
    if (at < 0) {
      at = cells.hole(graph.cells[b], fit);
    }
    if (at < 0) {
      at = cells.window(graph.cells[b], this::costOfLeaving);
      if (at < 0) {
        return false;
      }
      evict(cells, at, at + graph.cells[b]);
    }
    take(b, at);
    return true;
  }

  private double costOfLeaving(int b) {
    return pinned[b] == now ? Double.MAX_VALUE : (double) graph.price[b] / (nextUse[b] - now);
  }

  private void evict(CacheCells cells, int from, int to) {
    for (int a = from; a < to; a++) {
      if (cells.owner(a) >= 0) {
        spill(cells.owner(a));
      }
    }
  }

  /** Moves the operands of an op together to the low end of a cache; returns how many enter. */
  private int repack(int v, int c, int tried) {
    for (int k = 0; k < tried; k++) {
      int b = absent[k];
      if (in[b]) { // taken in this step: nothing was emitted yet
        caches[c].giveBack(b);
        in[b] = false;
      }
    }
    int count = tried;
    for (int b : graph.uses[v]) {
      if (graph.cache[b] == c && in[b]) {
        spill(b);
        absent[count++] = b;
      }
    }
    int at = 0;
    for (int k = 0; k < count; k++) {
      evict(caches[c], at, at + graph.cells[absent[k]]);
      take(absent[k], at);
      at += graph.cells[absent[k]];
    }
    return count;
  }
}

package stowage.schedule.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.schedule.model.OrderProblem;

/**
 * The flow network whose minimum cuts are downsets with few live bytes.
 *
 * <p>A cut puts each node on the source's side (true) or the sink's (false). The node of op u says
 * "u has run"; each buffer b has an edge of its bytes from "b has begun" to "b is finished", which
 * is cut where b is live. Edges without limit keep the sides consistent: "b is finished" leads to
 * "u has run" for all u that touch b, "u has run" to those it waits for and to "b has begun". Where
 * one op of a buffer comes before all others, "begun" is that op's node; where one comes after all
 * others, "finished" is.
 *
 * <p>Nodes are forced to a side as the question needs it: for the load of op v, all ops before v
 * have run, v and all after it have not; the buffers of v have begun and are not finished. The
 * maximum flow is found by Dinic's method (1970) over the forced nodes as many sources and sinks,
 * O(nodes² · edges) at worst, near linear here. Flows stay between questions that force more.
 *
 * <p>The reading of scheduling bounds as closures goes back to the wavefront bounds of Elango et
 * al. (2015, doi 10.1145/2676726.2677010).
 */
final class CutNetwork {
  private static final long UNLIMITED = Long.MAX_VALUE / 4;
  private static final byte FREE = 0;
  private static final byte SOURCE = 1;
  private static final byte SINK = 2;

  private final OrderProblem problem;
  private final int nodes;
  private final int[] begun;
  private final int[] finished;
  private final int[] firstEdge;
  private final int[] target;
  private final int[] back;
  private final long[] capacity;
  private final long[] room;
  private final int[] bufferOf;
  private final int[] edgeOf;
  private final byte[] side;
  private final int[] level;
  private final int[] next;
  private final int[] queue;
  private final int[] path;
  private long flow;
  private int running;

  CutNetwork(OrderProblem problem) {
    this.problem = problem;
    int ops = problem.ops();
    int count = ops + 2;
    this.begun = new int[problem.buffers()];
    this.finished = new int[problem.buffers()];
    List<int[]> edges = new ArrayList<>();
    List<Long> limits = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    for (int v = 0; v < ops; v++) {
      for (int u : problem.before(v)) {
        edges.add(new int[] {v, u});
        limits.add(UNLIMITED);
        owners.add(-1);
      }
    }
    for (int b = 0; b < begun.length; b++) {
      int[] touches = problem.touches(b);
      int first = touches[0];
      int last = touches[touches.length - 1];
      boolean oneFirst =
          Arrays.stream(touches).allMatch(v -> v == first || problem.precedes(first, v));
      boolean oneLast =
          Arrays.stream(touches).allMatch(v -> v == last || problem.precedes(v, last));
      begun[b] = problem.given(b) ? ops : oneFirst ? first : count++;
      finished[b] = problem.kept(b) ? ops + 1 : oneLast ? last : count++;
      for (int v : touches) {
        if (!problem.given(b) && !oneFirst) {
          edges.add(new int[] {v, begun[b]});
          limits.add(UNLIMITED);
          owners.add(-1);
        }
        if (!problem.kept(b) && !oneLast) {
          edges.add(new int[] {finished[b], v});
          limits.add(UNLIMITED);
          owners.add(-1);
        }
      }
      edges.add(new int[] {begun[b], finished[b]});
      limits.add(problem.bytes(b));
      owners.add(b);
    }
    this.nodes = count;
    int half = edges.size();
    this.target = new int[2 * half];
    this.back = new int[2 * half];
    this.capacity = new long[2 * half];
    this.room = new long[2 * half];
    this.bufferOf = new int[2 * half];
    this.edgeOf = new int[begun.length];
    this.firstEdge = new int[nodes + 1];
    for (int[] edge : edges) {
      firstEdge[edge[0] + 1]++;
      firstEdge[edge[1] + 1]++;
    }
    for (int v = 0; v < nodes; v++) {
      firstEdge[v + 1] += firstEdge[v];
    }
    int[] at = Arrays.copyOf(firstEdge, nodes);
    for (int k = 0; k < half; k++) {
      int from = edges.get(k)[0];
      int to = edges.get(k)[1];
      int there = at[from]++;
      int here = at[to]++;
      target[there] = to;
      target[here] = from;
      back[there] = here;
      back[here] = there;
      capacity[there] = limits.get(k);
      bufferOf[there] = owners.get(k);
      bufferOf[here] = -1;
      if (owners.get(k) >= 0) {
        edgeOf[owners.get(k)] = there;
      }
    }
    this.side = new byte[nodes];
    this.level = new int[nodes];
    this.next = new int[nodes];
    this.queue = new int[nodes];
    this.path = new int[nodes + 1];
  }

  /** Forgets all flow and all forced nodes. */
  void reset() {
    System.arraycopy(capacity, 0, room, 0, room.length);
    Arrays.fill(side, FREE);
    side[problem.ops()] = SOURCE;
    side[problem.ops() + 1] = SINK;
    flow = 0;
    running = -1;
  }

  /**
   * Forces what running an op means: what is before it has run, it and what is after has not. The
   * op's own buffers are live in any case; their edges are taken out, to be counted apart.
   *
   * @return the bytes of the op's own buffers
   */
  long forceRunning(int op) {
    forceRun(problem.ancestors(op));
    forceOpen(op);
    long own = 0;
    for (int b : problem.uses(op)) {
      force(begun[b], SOURCE);
      room[edgeOf[b]] = 0;
      own += problem.bytes(b);
    }
    running = op;
    return own;
  }

  /** Forces all ops of a downset to have run. */
  void forceRun(long[] ops) {
    for (int w = 0; w < ops.length; w++) {
      long rest = ops[w];
      while (rest != 0) {
        int v = (w << 6) + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        force(v, SOURCE);
        for (int b : problem.uses(v)) {
          force(begun[b], SOURCE);
        }
      }
    }
  }

  /** Forces an op and all before it to have run. */
  void forceRun(int op) {
    forceRun(problem.ancestors(op));
    force(op, SOURCE);
    for (int b : problem.uses(op)) {
      force(begun[b], SOURCE);
    }
  }

  /** Forces an op and all after it not to have run. */
  void forceOpen(int op) {
    forceOpenAlone(op);
    long[] later = problem.descendants(op);
    for (int w = 0; w < later.length; w++) {
      long rest = later[w];
      while (rest != 0) {
        forceOpenAlone((w << 6) + Long.numberOfTrailingZeros(rest));
        rest &= rest - 1;
      }
    }
  }

  void forceOpenAlone(int op) {
    force(op, SINK);
    for (int b : problem.uses(op)) {
      force(finished[b], SINK);
    }
  }

  private void force(int node, byte to) {
    // A buffer of the running op may begin at the op's own node, which is on the sink's side.
    if (side[node] == FREE) {
      side[node] = to;
    }
  }

  /** Keeps the flow and the forced nodes of now, to go back to with {@link #restore}. */
  Kept keep() {
    return new Kept(room.clone(), side.clone(), flow);
  }

  /** Goes back. */
  void restore(Kept kept) {
    System.arraycopy(kept.room, 0, room, 0, room.length);
    System.arraycopy(kept.side, 0, side, 0, side.length);
    flow = kept.flow;
  }

  /** A flow with its forced nodes. */
  record Kept(long[] room, byte[] side, long flow) {}

  /**
   * Raises the flow to the maximum, or until it is above a limit.
   *
   * @return the flow, in bytes
   */
  long maximum(long limit) {
    while (flow <= limit && levels()) {
      System.arraycopy(firstEdge, 0, next, 0, nodes);
      for (int source = 0; source < nodes && flow <= limit; source++) {
        if (side[source] == SOURCE) {
          long pushed;
          while ((pushed = augment(source)) > 0) {
            flow += pushed;
          }
        }
      }
    }
    return flow;
  }

  private boolean levels() {
    Arrays.fill(level, -1);
    int head = 0;
    int tail = 0;
    for (int v = 0; v < nodes; v++) {
      if (side[v] == SOURCE) {
        level[v] = 0;
        queue[tail++] = v;
      }
    }
    boolean found = false;
    while (head < tail) {
      int v = queue[head++];
      for (int e = firstEdge[v]; e < firstEdge[v + 1]; e++) {
        int u = target[e];
        if (room[e] > 0 && level[u] < 0) {
          level[u] = level[v] + 1;
          if (side[u] == SINK) {
            found = true;
          } else {
            queue[tail++] = u;
          }
        }
      }
    }
    return found;
  }

  /** One path from a source to any sink along the levels; without recursion. */
  private long augment(int source) {
    int length = 0;
    int at = source;
    while (true) {
      if (side[at] == SINK) {
        long amount = Long.MAX_VALUE;
        for (int k = 0; k < length; k++) {
          amount = Math.min(amount, room[path[k]]);
        }
        for (int k = 0; k < length; k++) {
          room[path[k]] -= amount;
          room[back[path[k]]] += amount;
        }
        return amount;
      }
      boolean stepped = false;
      while (next[at] < firstEdge[at + 1]) {
        int e = next[at];
        int u = target[e];
        if (room[e] > 0 && level[u] == level[at] + 1 && side[u] != SOURCE) {
          path[length++] = e;
          at = u;
          stepped = true;
          break;
        }
        next[at]++;
      }
      if (!stepped) {
        if (length == 0) {
          return 0;
        }
        level[at] = -1;
        at = target[back[path[--length]]];
        next[at]++;
      }
    }
  }

  /** After {@link #maximum}: the ops that have run in the smallest minimum cut, as a bit set. */
  long[] smallestCut() {
    levels();
    long[] ops = new long[problem.words()];
    for (int v = 0; v < problem.ops(); v++) {
      if (level[v] >= 0 && side[v] != SINK) {
        ops[v >> 6] |= 1L << v;
      }
    }
    return ops;
  }

  /** After {@link #maximum}: the ops that have run in the largest minimum cut, as a bit set. */
  long[] largestCut() {
    boolean[] reaches = new boolean[nodes];
    int head = 0;
    int tail = 0;
    for (int v = 0; v < nodes; v++) {
      if (side[v] == SINK) {
        reaches[v] = true;
        queue[tail++] = v;
      }
    }
    while (head < tail) {
      int v = queue[head++];
      for (int e = firstEdge[v]; e < firstEdge[v + 1]; e++) {
        int u = target[e];
        if (room[back[e]] > 0 && !reaches[u] && side[u] != SOURCE) {
          reaches[u] = true;
          queue[tail++] = u;
        }
      }
    }
    long[] ops = new long[problem.words()];
    for (int v = 0; v < problem.ops(); v++) {
      if (!reaches[v]) {
        ops[v >> 6] |= 1L << v;
      }
    }
    return ops;
  }

  /** The flow taken apart into paths, each as the chain of buffers that it crosses. */
  List<OpCut.Chain> chains() {
    List<OpCut.Chain> chains = new ArrayList<>();
    long[] used = new long[room.length];
    for (int e = 0; e < room.length; e++) {
      used[e] = Math.max(0, capacity[e] - room[e]);
    }
    if (running >= 0) {
      for (int b : problem.uses(running)) {
        used[edgeOf[b]] = 0;
        chains.add(new OpCut.Chain(problem.bytes(b), new int[] {b}));
      }
    }
    for (int source = 0; source < nodes; source++) {
      if (side[source] != SOURCE) {
        continue;
      }
      OpCut.Chain chain;
      while ((chain = chain(source, used)) != null) {
        if (chain.buffers().length > 0) {
          chains.add(chain);
        }
      }
    }
    return chains;
  }

  private OpCut.Chain chain(int source, long[] used) {
    int[] visitedAt = new int[nodes];
    Arrays.fill(visitedAt, -1);
    List<Integer> edges = new ArrayList<>();
    int at = source;
    visitedAt[at] = 0;
    while (side[at] != SINK) {
      int taken = -1;
      for (int e = firstEdge[at]; e < firstEdge[at + 1] && taken < 0; e++) {
        taken = used[e] > 0 ? e : -1;
      }
      if (taken < 0 && edges.isEmpty()) {
        return null; // nothing leaves the source but what has been taken
      }
      if (taken < 0) {
        // What came into a node before that was made a source; what leaves it counts already.
        long lost = edges.stream().mapToLong(e -> used[e]).min().orElseThrow();
        edges.forEach(e -> used[e] -= lost);
        return new OpCut.Chain(0, new int[0]);
      }
      int to = target[taken];
      if (visitedAt[to] >= 0) { // a circle carries nothing to the sink: take it out
        List<Integer> circle = new ArrayList<>(edges.subList(visitedAt[to], edges.size()));
        circle.add(taken);
        long amount = circle.stream().mapToLong(e -> used[e]).min().orElseThrow();
        circle.forEach(e -> used[e] -= amount);
        while (edges.size() > visitedAt[to]) {
          visitedAt[target[edges.remove(edges.size() - 1)]] = -1;
        }
        visitedAt[to] = edges.size();
        at = to;
        continue;
      }
      edges.add(taken);
      at = to;
      visitedAt[at] = edges.size();
    }
    long amount = edges.stream().mapToLong(e -> used[e]).min().orElseThrow();
    edges.forEach(e -> used[e] -= amount);
    int[] buffers = edges.stream().mapToInt(e -> bufferOf[e]).filter(b -> b >= 0).toArray();
    return new OpCut.Chain(amount, buffers);
  }
}

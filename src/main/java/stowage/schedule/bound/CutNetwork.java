package stowage.schedule.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.schedule.bound.MinimumCut.Side;
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
 * have run, v and all after it have not; the buffers of v have begun and are not finished. Flows
 * stay between questions that force more.
 *
 * <p>Not thread-safe. The reading of scheduling bounds as closures goes back to the wavefront
 * bounds of Elango et al. (2015, doi 10.1145/2676726.2677010).
 */
public final class CutNetwork {
  private final OrderProblem problem;
  private final int[] begun;
  private final int[] finished;
  private final MinimumCut cut;
  private final int[] bufferOf;
  private final int[] edgeOf;
  private int running;

  /** Builds the network. O(ops + touches). */
  public CutNetwork(OrderProblem problem) {
    this.problem = problem;
    int ops = problem.ops();
    int count = ops + 2;
    this.begun = new int[problem.buffers()];
    this.finished = new int[problem.buffers()];
    this.edgeOf = new int[problem.buffers()];
    List<MinimumCut.Arc> arcs = new ArrayList<>();
    for (int v = 0; v < ops; v++) {
      for (int u : problem.before(v)) {
        arcs.add(MinimumCut.Arc.unlimited(v, u));
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
          arcs.add(MinimumCut.Arc.unlimited(v, begun[b]));
        }
        if (!problem.kept(b) && !oneLast) {
          arcs.add(MinimumCut.Arc.unlimited(finished[b], v));
        }
      }
      edgeOf[b] = arcs.size();
      arcs.add(new MinimumCut.Arc(begun[b], finished[b], problem.bytes(b)));
    }
    this.cut = new MinimumCut(count, arcs);
    this.bufferOf = new int[2 * arcs.size()];
    Arrays.fill(bufferOf, -1);
    for (int b = 0; b < edgeOf.length; b++) {
      edgeOf[b] = cut.edge(edgeOf[b]);
      bufferOf[edgeOf[b]] = b;
    }
  }

  /** The largest downset with the fewest live bytes that holds one and is within another. */
  public long[] largest(long[] low, long[] high) {
    reset();
    forceRun(low);
    for (int v = 0; v < problem.ops(); v++) {
      if ((high[v >> 6] >>> v & 1) == 0) {
        forceOpenAlone(v);
      }
    }
    cut.maximum(Long.MAX_VALUE);
    return largestCut();
  }

  /** Forgets all flow and all forced nodes. */
  void reset() {
    cut.reset();
    Arrays.fill(cut.side, Side.FREE);
    cut.side[problem.ops()] = Side.SOURCE;
    cut.side[problem.ops() + 1] = Side.SINK;
    running = -1;
  }

  /**
   * Forces what running an op means: what is before it has run, it and what is after has not. Gives
   * the bytes of the op's own buffers, live in any case, whose edges are taken out.
   */
  long forceRunning(int op) {
    forceRun(problem.ancestors(op));
    forceOpen(op);
    long own = 0;
    for (int b : problem.uses(op)) {
      force(begun[b], Side.SOURCE);
      cut.room[edgeOf[b]] = 0;
      own += problem.bytes(b);
    }
    running = op;
    return own;
  }

  void forceRun(long[] ops) {
    for (int w = 0; w < ops.length; w++) {
      long rest = ops[w];
      while (rest != 0) {
        int v = (w << 6) + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        force(v, Side.SOURCE);
        for (int b : problem.uses(v)) {
          force(begun[b], Side.SOURCE);
        }
      }
    }
  }

  void forceRun(int op) {
    forceRun(problem.ancestors(op));
    force(op, Side.SOURCE);
    for (int b : problem.uses(op)) {
      force(begun[b], Side.SOURCE);
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
    force(op, Side.SINK);
    for (int b : problem.uses(op)) {
      force(finished[b], Side.SINK);
    }
  }

  private void force(int node, Side to) {
    // A buffer of the running op may begin at the op's own node, which is on the sink's side.
    if (cut.side[node] == Side.FREE) {
      cut.side[node] = to;
    }
  }

  /** The network with its flow and its forced nodes. */
  MinimumCut cut() {
    return cut;
  }

  /** After a maximum flow: the ops that have run in the smallest minimum cut, as a bit set. */
  long[] smallestCut() {
    return ops(cut.smallest());
  }

  /** After a maximum flow: the ops that have run in the largest minimum cut, as a bit set. */
  long[] largestCut() {
    return ops(cut.largest());
  }

  private long[] ops(boolean[] nodes) {
    long[] ops = new long[problem.words()];
    for (int v = 0; v < problem.ops(); v++) {
      ops[v >> 6] |= nodes[v] ? 1L << v : 0;
    }
    return ops;
  }

  /**
   * The flow taken apart into paths, each as the chain of buffers that it crosses: after {@link
   * #largest} they certify that no downset between has less.
   */
  public List<OpCut.Chain> chains() {
    List<OpCut.Chain> chains = new ArrayList<>();
    long[] used = new long[cut.room.length];
    Arrays.setAll(used, e -> Math.max(0, cut.capacity[e] - cut.room[e]));
    if (running >= 0) {
      for (int b : problem.uses(running)) {
        used[edgeOf[b]] = 0;
        chains.add(new OpCut.Chain(problem.bytes(b), new int[] {b}));
      }
    }
    int[] visitedAt = new int[cut.side.length];
    Arrays.fill(visitedAt, -1);
    for (int source = 0; source < cut.side.length; source++) {
      if (cut.side[source] != Side.SOURCE) {
        continue;
      }
      OpCut.Chain chain;
      do {
        List<Integer> edges = new ArrayList<>();
        chain = chain(source, used, edges, visitedAt);
        visitedAt[source] = -1;
        edges.forEach(e -> visitedAt[cut.target[e]] = -1);
        if (chain != null && chain.buffers().length > 0) {
          chains.add(chain);
        }
      } while (chain != null);
    }
    return chains;
  }

  /** One path, put into {@code edges}, whose nodes have their places in {@code visitedAt}. */
  private OpCut.Chain chain(int source, long[] used, List<Integer> edges, int[] visitedAt) {
    int at = source;
    visitedAt[at] = 0;
    while (cut.side[at] != Side.SINK) {
      int taken = -1;
      for (int e = cut.firstEdge[at]; e < cut.firstEdge[at + 1] && taken < 0; e++) {
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
      int to = cut.target[taken];
      if (visitedAt[to] >= 0) { // a circle carries nothing to the sink: take it out
        List<Integer> circle = new ArrayList<>(edges.subList(visitedAt[to], edges.size()));
        circle.add(taken);
        long amount = circle.stream().mapToLong(e -> used[e]).min().orElseThrow();
        circle.forEach(e -> used[e] -= amount);
        while (edges.size() > visitedAt[to]) {
          visitedAt[cut.target[edges.remove(edges.size() - 1)]] = -1;
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

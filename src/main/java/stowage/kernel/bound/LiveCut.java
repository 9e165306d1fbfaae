package stowage.kernel.bound;

import java.util.function.BooleanSupplier;
import stowage.kernel.model.KernelOps;

/**
 * Bounds of the live bytes that every order has to pass, by least cuts.
 *
 * <p><b>A cut.</b> At any moment the ops that have run form a downset D: with an op all ops before
 * it. A buffer is live when an op of D uses it and not all its users are in D. The weight of the
 * live buffers is a cut function, so its least value over all D with some ops pinned inside and
 * some outside is a least cut: a node for each op (source side: in D), for each buffer a node A
 * (begun: every user in D forces it to the source side), a node F (ended: forces all users to the
 * source side), and an arc A to F of the buffer's weight.
 *
 * <p><b>Two families of moments.</b> (1) While op v runs, v is in D, its successors are not, and
 * its buffers have not ended. The largest least cut over all v bounds every order. (2) Let G be a
 * set of buffers. In every order some buffer of G ends first. At the end of its last user all users
 * of that buffer are in D, and no buffer of G has ended. So the least cut over the choice of the
 * first buffer bounds every order. Reversed: at the begin of the buffer of G that begins last, all
 * of G has begun and none of its users is in D. (2) sees what (1) cannot: sharing between many ops.
 *
 * <p>Weights may be any; {@link OverflowBound} uses those that price an overflow.
 */
public final class LiveCut {
  private final KernelOps graph;
  private final MaxFlow flow;
  private final int source;
  private final int sink;
  private final int[] opIn;
  private final int[] opOut;
  private final int[] begun;
  private final int[] notEnded;
  private final int[] live;

  /**
   * @param weight of each buffer
   */
  public LiveCut(KernelOps graph, long[] weight) {
    this.graph = graph;
    source = graph.ops + 2 * graph.buffers;
    sink = source + 1;
    flow = new MaxFlow(sink + 1);
    opIn = new int[graph.ops];
    opOut = new int[graph.ops];
    begun = new int[graph.buffers];
    notEnded = new int[graph.buffers];
    live = new int[graph.buffers];
    for (int v = 0; v < graph.ops; v++) {
      opIn[v] = flow.arc(source, v, 0);
      opOut[v] = flow.arc(v, sink, 0);
      for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) {
        flow.arc(v, graph.pred[k], MaxFlow.INFINITE);
      }
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        flow.arc(v, begin(graph.use[k]), MaxFlow.INFINITE);
        flow.arc(end(graph.use[k]), v, MaxFlow.INFINITE);
      }
    }
    for (int b = 0; b < graph.buffers; b++) {
      begun[b] = flow.arc(source, begin(b), 0);
      notEnded[b] = flow.arc(end(b), sink, 0);
      live[b] = flow.arc(begin(b), end(b), weight[b]);
    }
  }

  private int begin(int b) {
    return graph.ops + 2 * b;
  }

  private int end(int b) {
    return graph.ops + 2 * b + 1;
  }

  /** The least weight of what is live while an op runs, over all orders. One maximum flow. */
  public long whileRunning(int v) {
    pinRunning(v, true);
    long cut = run();
    pinRunning(v, false);
    return cut;
  }

  /** Sets the weight of a buffer for the cuts to come. */
  void weigh(int b, long weight) {
    flow.set(live[b], weight);
  }

  /** The least cut with what is pinned. */
  long run() {
    return flow.run(source, sink, MaxFlow.INFINITE);
  }

  /**
   * The least cut with what is pinned, or any value of at least {@code enough} where it is more.
   */
  long run(long enough) {
    return flow.run(source, sink, enough);
  }

  /** Whether a buffer is live in the least cut that {@link #run} found last. */
  boolean isLive(int b) {
    return flow.isSourceSide(begin(b)) && !flow.isSourceSide(end(b));
  }

  /** Whether a buffer has begun in the least cut that the last whole run found. */
  boolean isBegun(int b) {
    return flow.isSourceSide(begin(b));
  }

  /** Pins the moment at which an op runs, or lets it go. */
  void pinRunning(int v, boolean on) {
    long limit = on ? MaxFlow.INFINITE : 0;
    flow.set(opIn[v], limit);
    for (int k = graph.succAt[v]; k < graph.succAt[v + 1]; k++) {
      flow.set(opOut[graph.succ[k]], limit);
    }
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      flow.set(notEnded[graph.use[k]], limit);
    }
  }

  /** Pins that an op has run, or lets it go. */
  void pinDone(int v, boolean on) {
    flow.set(opIn[v], on ? MaxFlow.INFINITE : 0);
  }

  /** Pins that an op has not run, or lets it go. */
  void pinOpen(int v, boolean on) {
    flow.set(opOut[v], on ? MaxFlow.INFINITE : 0);
  }

  /** Pins that a buffer has not ended, or lets it go. */
  void pinNotEnded(int b, boolean on) {
    flow.set(notEnded[b], on ? MaxFlow.INFINITE : 0);
  }

  /** Whether an op has run in the least cut that the last whole run found. */
  boolean hasRun(int v) {
    return flow.isSourceSide(v);
  }

  /** Pins that no buffer of a family has ended, or lets it go. */
  void pinNotEnded(int[] family, boolean on) {
    for (int b : family) {
      flow.set(notEnded[b], on ? MaxFlow.INFINITE : 0);
    }
  }

  /** Pins that all buffers of a family have begun, or lets it go. */
  void pinBegun(int[] family, boolean on) {
    for (int b : family) {
      flow.set(begun[b], on ? MaxFlow.INFINITE : 0);
    }
  }

  /** Pins that all users of a buffer have run, or lets it go. */
  void pinUsersDone(int b, boolean on) {
    for (int u = graph.userAt[b]; u < graph.userAt[b + 1]; u++) {
      flow.set(opIn[graph.user[u]], on ? MaxFlow.INFINITE : 0);
    }
  }

  /** Pins that no user of a buffer has run, though it is live, or lets it go. */
  void pinUsersOpen(int b, boolean on) {
    for (int u = graph.userAt[b]; u < graph.userAt[b + 1]; u++) {
      flow.set(opOut[graph.user[u]], on ? MaxFlow.INFINITE : 0);
    }
    flow.set(notEnded[b], on ? MaxFlow.INFINITE : 0);
  }

  /**
   * The least weight of what is live when the first buffer of a family ends, over all orders.
   *
   * @param family buffers with users
   * @param worth a bound of at most this is of no use, and the answer may then be any number up to
   *     it
   * @param stopped ends early; the answer is then 0
   */
  public long firstEnd(int[] family, long worth, BooleanSupplier stopped) {
    pinNotEnded(family, true);
    long least = Long.MAX_VALUE;
    for (int k = 0; k < family.length && least > worth; k++) {
      pinUsersDone(family[k], true);
      least = stopped.getAsBoolean() ? 0 : Math.min(least, flow.run(source, sink, least));
      pinUsersDone(family[k], false);
    }
    pinNotEnded(family, false);
    return family.length == 0 ? 0 : least;
  }

  /** The same for the moment at which the last buffer of a family begins. */
  public long lastBegin(int[] family, long worth, BooleanSupplier stopped) {
    pinBegun(family, true);
    long least = Long.MAX_VALUE;
    for (int k = 0; k < family.length && least > worth; k++) {
      pinUsersOpen(family[k], true);
      least = stopped.getAsBoolean() ? 0 : Math.min(least, flow.run(source, sink, least));
      pinUsersOpen(family[k], false);
    }
    pinBegun(family, false);
    return family.length == 0 ? 0 : least;
  }
}

package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.List;
import stowage.kernel.model.KernelOps;
import stowage.schedule.bound.MinimumCut;
import stowage.schedule.bound.MinimumCut.Side;

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
 * <p>Weights may be any; {@link MomentTraffic} uses those that price an overflow.
 */
public final class LiveCut {
  private final KernelOps graph;
  private final MinimumCut cut;
  private final int[] live;
  private long runs;

  /**
   * @param weight of each buffer
   */
  public LiveCut(KernelOps graph, long[] weight) {
    this.graph = graph;
    live = new int[graph.buffers];
    List<MinimumCut.Arc> arcs = new ArrayList<>();
    for (int v = 0; v < graph.ops; v++) {
      for (int u : graph.preds[v]) {
        arcs.add(MinimumCut.Arc.unlimited(v, u));
      }
      for (int b : graph.uses[v]) {
        arcs.add(MinimumCut.Arc.unlimited(v, begin(b)));
        arcs.add(MinimumCut.Arc.unlimited(end(b), v));
      }
    }
    for (int b = 0; b < graph.buffers; b++) {
      live[b] = arcs.size();
      arcs.add(new MinimumCut.Arc(begin(b), end(b), weight[b]));
    }
    cut = new MinimumCut(graph.ops + 2 * graph.buffers, arcs);
  }

  private static Side source(boolean on) {
    return on ? Side.SOURCE : Side.FREE;
  }

  private static Side sink(boolean on) {
    return on ? Side.SINK : Side.FREE;
  }

  private int begin(int b) {
    return graph.ops + 2 * b;
  }

  private int end(int b) {
    return graph.ops + 2 * b + 1;
  }

  /** Sets the weight of a buffer for the cuts to come. */
  void weigh(int b, long weight) {
    cut.limit(live[b], weight);
  }

  long run() {
    return run(MinimumCut.UNLIMITED);
  }

  /**
   * The least cut with what is pinned, or any value of at least {@code enough} where it is more.
   */
  long run(long enough) {
    runs++;
    cut.reset();
    return cut.maximum(enough - 1);
  }

  /** How many least cuts were computed. */
  long runs() {
    return runs;
  }

  /** Whether a buffer is live in the least cut that {@link #run} found last. */
  boolean isLive(int b) {
    return cut.isSourceSide(begin(b)) && !cut.isSourceSide(end(b));
  }

  /** Whether a buffer has begun in the least cut that the last whole run found. */
  boolean isBegun(int b) {
    return cut.isSourceSide(begin(b));
  }

  /** Pins the moment at which an op runs, or lets it go. */
  void pinRunning(int v, boolean on) {
    cut.force(v, source(on));
    for (int w : graph.succs[v]) {
      cut.force(w, sink(on));
    }
    for (int b : graph.uses[v]) {
      cut.force(end(b), sink(on));
    }
  }

  /** Pins that an op has run, or lets it go. */
  void pinDone(int v, boolean on) {
    cut.force(v, source(on));
  }

  /** Pins that an op has not run, or lets it go. */
  void pinOpen(int v, boolean on) {
    cut.force(v, sink(on));
  }

  /** Whether an op has run in the least cut that the last whole run found. */
  boolean hasRun(int v) {
    return cut.isSourceSide(v);
  }

  /** Pins that no buffer of a family has ended, or lets it go. */
  void pinNotEnded(int[] family, boolean on) {
    for (int b : family) {
      cut.force(end(b), sink(on));
    }
  }

  /** Pins that all buffers of a family have begun, or lets it go. */
  void pinBegun(int[] family, boolean on) {
    for (int b : family) {
      cut.force(begin(b), source(on));
    }
  }

  /** Pins that all users of a buffer have run, or lets it go. */
  void pinUsersDone(int b, boolean on) {
    for (int v : graph.users[b]) {
      cut.force(v, source(on));
    }
  }

  /** Pins that no user of a buffer has run, though it is live, or lets it go. */
  void pinUsersOpen(int b, boolean on) {
    for (int v : graph.users[b]) {
      cut.force(v, sink(on));
    }
    cut.force(end(b), sink(on));
  }
}

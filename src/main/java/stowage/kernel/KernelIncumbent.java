package stowage.kernel;

import java.util.Arrays;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelFigures;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.KernelPlan;
import stowage.kernel.order.Replay;
import stowage.kernel.verify.KernelVerifier;
import stowage.network.kernel.KernelGraph;

/**
 * The best verified plan of a kernel and the best bounds. It never gets worse, and takes no plan
 * that the verifier rejects. Thread-safe.
 */
public final class KernelIncumbent {
  private final KernelGraph graph;
  private final Caches caches;
  private final KernelGoal goal;
  private final long mostTraffic;
  private KernelPlan plan;
  private KernelFigures figures;
  private int[] order;
  private long bound;
  private long orderBound = -1;
  private volatile Runnable listener = () -> {};

  /** Plans of more traffic than {@code mostTraffic} are not taken. */
  public KernelIncumbent(KernelGraph graph, Caches caches, KernelGoal goal, long mostTraffic) {
    this.graph = graph;
    this.caches = caches;
    this.goal = goal;
    this.mostTraffic = mostTraffic;
  }

  /**
   * Whether a plan, which must hold, is the best so far, with the order of ops it was made from.
   */
  public boolean offer(KernelPlan found, int[] from) {
    KernelVerifier.Result result = KernelVerifier.verify(graph, caches.units(), found);
    if (!result.holds()) {
      throw new IllegalStateException("a plan does not hold: " + result.violation());
    }
    synchronized (this) {
      if (result.figures().traffic() > mostTraffic
          || figures != null && !goal.isBetter(result.figures(), figures)) {
        return false;
      }
      plan = found;
      figures = result.figures();
      order = from.clone();
      orderBound = -1;
    }
    listener.run();
    return true;
  }

  /**
   * Offers the best plan of an order by all rules for addresses, where a replay rates it better
   * than the best so far; see {@link Replay#plan}.
   */
  void offer(KernelOps ops, int[] from, boolean[] leave, int[] cells) {
    Replay replay = new Replay(ops);
    KernelPlan found = null;
    KernelFigures best = figures();
    for (Replay.Fit rule : Replay.Fit.values()) {
      KernelPlan next = replay.plan(from, leave, rule, cells);
      KernelFigures rated = new KernelFigures(0, replay.traffic(), replay.cycles(), next.spills());
      if (best == null || goal.isBetter(rated, best)) {
        found = next;
        best = rated;
      }
    }
    if (found != null) {
      offer(found, from);
    }
  }

  /** Offers a lower bound of the goal's figure over all orders. */
  public void offerBound(long value) {
    synchronized (this) {
      if (value <= bound) {
        return;
      }
      bound = value;
    }
    listener.run();
  }

  /** Sets what runs after each better plan or bound, and once now. */
  void setListener(Runnable action) {
    listener = action;
    action.run();
  }

  /** Offers a lower bound at an order; kept while that order's plan is the best. */
  public synchronized void offerOrderBound(int[] from, long value) {
    if (Arrays.equals(from, order)) {
      orderBound = Math.max(orderBound, value);
    }
  }

  /** The best plan; null before the first. */
  public synchronized KernelPlan plan() {
    return plan;
  }

  /** The best plan's figures; null before the first. */
  public synchronized KernelFigures figures() {
    return figures;
  }

  /** The best plan's order of ops. */
  public synchronized int[] order() {
    return order;
  }

  /** The best bound over all orders. */
  public synchronized long bound() {
    return bound;
  }

  /** The best bound at the best plan's order; -1 where none is known. */
  public synchronized long orderBound() {
    return orderBound;
  }

  /** The figure that is minimised; {@link Long#MAX_VALUE} before the first plan. */
  public synchronized long figure() {
    return figures == null ? Long.MAX_VALUE : goal.figure(figures);
  }

  /** Whether the best figure equals the bound. */
  public synchronized boolean isProven() {
    return figures != null && goal.figure(figures) <= bound;
  }
}

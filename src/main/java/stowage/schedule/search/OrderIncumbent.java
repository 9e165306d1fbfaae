package stowage.schedule.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.schedule.bound.OpCut;
import stowage.schedule.model.OrderProblem;

/**
 * The best order and the best bound of a run, shared by all that work on it; neither gets worse. An
 * order is taken only if its load, evaluated here, is lower. Thread-safe.
 */
public final class OrderIncumbent {
  /** Receiver of improvements; called on the thread that brought them. */
  public interface Listener {
    /** The peak load or the bound has changed, in bytes. */
    void improved(long peak, long bound, String who);
  }

  private final OrderProblem problem;
  private final List<Listener> listeners = new ArrayList<>();
  private int[] order;
  private String finder;
  private volatile long peak;
  private volatile long bound;
  private String boundKind = "op-cut";
  private OpCut cut;
  private volatile long enough = -1;

  /** Starts with the given order 0, 1, 2, ... */
  public OrderIncumbent(OrderProblem problem) {
    this.problem = problem;
    this.order = new int[problem.ops()];
    Arrays.setAll(order, v -> v);
    this.finder = "given";
    this.peak = problem.peak(order);
    this.bound = 0;
  }

  public OrderProblem problem() {
    return problem;
  }

  /** Adds one who is notified of improvements. */
  public synchronized void addListener(Listener listener) {
    listeners.add(listener);
  }

  /** Whether an order, every op once after those it waits for, became the best. */
  public boolean offer(int[] candidate, String who) {
    long load = problem.peak(candidate);
    synchronized (this) {
      if (load >= peak) {
        return false;
      }
      order = candidate.clone();
      peak = load;
      finder = who;
      improvedBy(who);
      return true;
    }
  }

  /** Offers the bound of a cut. */
  public synchronized void offerCut(OpCut candidate) {
    if (candidate.bound() > bound) {
      bound = candidate.bound();
      boundKind = "op-cut";
      cut = candidate;
      improvedBy("op-cut");
    }
  }

  /** Offers a bound that a search has proven, or another method of the named kind. */
  public synchronized void offerBound(long candidate, String kind) {
    long value = Math.min(candidate, peak);
    if (value > bound) {
      bound = value;
      boundKind = kind;
      cut = null;
      improvedBy(kind);
    }
  }

  private void improvedBy(String who) {
    listeners.forEach(listener -> listener.improved(peak, bound, who));
  }

  /** The best order; not to be changed. */
  public synchronized int[] order() {
    return order;
  }

  /** Who found it. */
  public synchronized String finder() {
    return finder;
  }

  /** Its load, in bytes. */
  public long peak() {
    return peak;
  }

  /** The best bound of the load over all orders, in bytes. */
  public long bound() {
    return bound;
  }

  public synchronized String boundKind() {
    return boundKind;
  }

  /** The certificate of a bound by a cut, or null. */
  public synchronized OpCut cut() {
    return cut;
  }

  /** Lets a run end once the best order's load is at most this, or the bound above it, in bytes. */
  public void settleAt(long load) {
    enough = load;
  }

  /** Whether there is nothing left to do. */
  public boolean settled() {
    return proven() || (enough >= 0 && (peak <= enough || bound > enough));
  }

  /** Whether the best order is proven. */
  public boolean proven() {
    return bound >= peak;
  }
}

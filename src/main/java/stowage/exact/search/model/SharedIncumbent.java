package stowage.exact.search.model;

import stowage.exact.presolve.Component;
import stowage.packing.RunControl;

/**
 * Incumbent of one component that the searching threads share: the best placement, the best bound
 * and the target at which to end, in the component's units. Thread-safe.
 */
public final class SharedIncumbent {
  private final Component problem;
  private final RunControl control;
  private final SearchListener listener;
  private volatile long best;
  private volatile long bound;
  private volatile long[] offsets;
  private volatile boolean exhausted;
  private final long goal;
  private String finder = "";
  private String prover = "";

  /**
   * @param bound a proven lower bound
   * @param best only peaks below this one are of interest
   * @param goal a peak that is good enough, or -1 to go on until the bound is met
   */
  public SharedIncumbent(
      Component problem,
      RunControl control,
      SearchListener listener,
      long bound,
      long best,
      long goal) {
    this.problem = problem;
    this.control = control;
    this.listener = listener;
    this.bound = bound;
    this.best = best;
    this.goal = goal;
  }

  /** A copy for one worker's share of a round; what it learns comes back by {@link #merge}. */
  public SharedIncumbent snapshot() {
    SharedIncumbent copy =
        new SharedIncumbent(problem, control, SearchListener.SILENT, bound, best(), goal);
    copy.offsets = offsets;
    copy.finder = finder();
    copy.exhausted = exhausted;
    return copy;
  }

  /** One for the same component with a goal of its own, which knows no placement. */
  public SharedIncumbent apart(long ownGoal) {
    return new SharedIncumbent(
        problem, control, SearchListener.SILENT, bound, Long.MAX_VALUE, ownGoal);
  }

  /** Takes over what was found on one {@link #apart}. */
  public void adopt(SharedIncumbent other, String source) {
    if (other.offsets != null) {
      offer(other.offsets, source);
    }
    if (other.exhausted || other.bound > bound) {
      raise(other.exhausted ? Long.MAX_VALUE : other.bound, source);
    }
  }

  /** Takes over what a snapshot has learnt. */
  public synchronized void merge(SharedIncumbent snapshot) {
    if (snapshot.offsets != null && snapshot.offsets != offsets) {
      offer(snapshot.offsets, snapshot.finder);
    }
    if (snapshot.bound > bound) {
      raise(snapshot.bound, snapshot.prover);
    }
    if (snapshot.exhausted && !exhausted) {
      exhausted(snapshot.prover);
    }
  }

  /** Only peaks below this one are of interest. */
  public long best() {
    return Math.min(best, listener.knownPeak());
  }

  /** The peak to try for: the goal where there is one, else the bound. */
  public long target() {
    return Math.max(goal, bound);
  }

  /** No placement has a lower peak than this. */
  public long bound() {
    return bound;
  }

  /** The best placement, never to be written to; null while there is none. */
  public long[] offsets() {
    return offsets;
  }

  /** Who found the best placement; empty where it came from elsewhere. */
  public synchronized String finder() {
    return finder;
  }

  /** Who raised the bound last, or proved that nothing fits; empty while no one has. */
  public synchronized String prover() {
    return prover;
  }

  /** Whether nothing is left to be done, or the run is stopped. */
  public boolean ended() {
    return met() || control.isStopped();
  }

  /** Whether the question is answered. */
  public boolean met() {
    return exhausted || best() <= Math.max(goal, bound);
  }

  /** Whether no peak below {@link #best()} exists at all. */
  public boolean exhausted() {
    return exhausted;
  }

  /** Says that no capacity has a placement. */
  public synchronized void exhausted(String source) {
    exhausted = true;
    prover = source;
  }

  /** Begins from a placement found elsewhere, of which the listener is not notified. */
  public synchronized void begin(long[] known) {
    offsets = known.clone();
    best = problem.peak(known);
  }

  /** Offers a placement, in units, which is copied; says whether it is the best now. */
  public synchronized boolean offer(long[] found, String source) {
    long peak = problem.peak(found);
    if (peak >= best()) {
      return false;
    }
    offsets = found.clone();
    best = peak;
    finder = source;
    listener.placement(found.clone(), peak, source);
    return true;
  }

  /** Raises the bound; {@link Long#MAX_VALUE} says that no capacity has a placement. */
  public synchronized void raise(long proven, String source) {
    if (proven == Long.MAX_VALUE) {
      exhausted(source);
    } else if (proven > bound) {
      bound = proven;
      prover = source;
      listener.bound(proven, source);
    }
  }
}

package stowage.exact.search;

import stowage.exact.search.model.SearchListener;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * What the workers share: the best placement, the best bound and the target at which to end. All
 * figures are in units of the {@link SearchModel}. Safe for use by several threads.
 */
final class Board {
  private final SearchModel model;
  private final RunControl control;
  private final SearchListener listener;
  private volatile long best;
  private volatile long bound;
  private volatile long[] offsets;
  private volatile boolean hopeless;
  private final long goal;
  private String winner = "";

  /**
   * @param bound a proven lower bound
   * @param best only peaks below this one are of interest
   * @param goal a peak that is good enough, or -1 to go on until the bound is met
   */
  Board(
      SearchModel model,
      RunControl control,
      SearchListener listener,
      long bound,
      long best,
      long goal) {
    this.model = model;
    this.control = control;
    this.listener = listener;
    this.bound = bound;
    this.best = best;
    this.goal = goal;
  }

  /** A copy for one worker's share of a round; what it learns comes back by {@link #merge}. */
  Board snapshot() {
    Board copy = new Board(model, control, SearchListener.SILENT, bound, best(), goal);
    copy.offsets = offsets;
    copy.hopeless = hopeless;
    return copy;
  }

  /** A board for the same problem with a goal of its own, which knows no placement. */
  Board apart(long ownGoal) {
    return new Board(model, control, SearchListener.SILENT, bound, Long.MAX_VALUE, ownGoal);
  }

  /** Takes over what was found on a board {@link #apart}. */
  void learn(Board other, String source) {
    if (other.offsets != null) {
      offer(other.offsets, source);
    }
    if (other.hopeless || other.bound > bound) {
      raise(other.hopeless ? Long.MAX_VALUE : other.bound, source);
    }
  }

  /** Takes over what a snapshot has learnt. */
  synchronized void merge(Board snapshot) {
    if (snapshot.offsets != null && snapshot.offsets != offsets) {
      offer(snapshot.offsets, snapshot.winner);
    }
    if (snapshot.bound > bound) {
      raise(snapshot.bound, snapshot.winner);
    }
    hopeless |= snapshot.hopeless;
  }

  /** Only peaks below this one are of interest. */
  long best() {
    return Math.min(best, listener.knownPeak());
  }

  /** The peak to try for: the goal where there is one, else the bound. */
  long target() {
    return Math.max(goal, bound);
  }

  /** No placement has a lower peak than this. */
  long bound() {
    return bound;
  }

  /** The best placement, never to be written to; null while there is none. */
  long[] offsets() {
    return offsets;
  }

  /** Who found or proved what came last. */
  synchronized String winner() {
    return winner;
  }

  /** Whether nothing is left to be done, or somebody asks to end. */
  boolean ended() {
    return met() || control.isStopped();
  }

  /** Whether the question is answered. */
  boolean met() {
    return hopeless || best() <= Math.max(goal, bound);
  }

  /** Whether no peak below {@link #best()} exists at all. */
  boolean hopeless() {
    return hopeless;
  }

  /** Says that no capacity has a placement. */
  synchronized void hopeless(String source) {
    hopeless = true;
    winner = source;
  }

  /**
   * Begins from a placement found elsewhere; nobody is told of it.
   *
   * @param known its offsets
   */
  synchronized void begin(long[] known) {
    offsets = known.clone();
    best = model.peak(known);
  }

  /**
   * Offers a placement.
   *
   * @param found offsets in units; copied
   */
  synchronized void offer(long[] found, String source) {
    long peak = model.peak(found);
    if (peak >= best()) {
      return;
    }
    offsets = found.clone();
    best = peak;
    winner = source;
    listener.placement(found.clone(), peak, source);
  }

  /**
   * Raises the bound.
   *
   * @param proven {@link Long#MAX_VALUE} says that no capacity has a placement
   */
  synchronized void raise(long proven, String source) {
    if (proven == Long.MAX_VALUE) {
      hopeless(source);
    } else if (proven > bound) {
      bound = proven;
      winner = source;
      listener.bound(proven, source);
    }
  }
}

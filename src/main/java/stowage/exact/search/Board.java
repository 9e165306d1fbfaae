package stowage.exact.search;

import stowage.exact.search.local.StackingOrder;
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

  /** What one unit of this board's figures is in the problem's unit. */
  long unit() {
    return model.unit;
  }

  /** Only peaks below this one are of interest. */
  long best() {
    long known = listener.knownPeak();
    if (known == Long.MAX_VALUE) {
      return best;
    }
    return Math.min(best, (known + model.unit - 1) / model.unit);
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
   * @param known its offsets in the problem's unit
   */
  synchronized void begin(long[] known) {
    long[] scaled = new long[model.count];
    boolean whole = true;
    for (int buffer = 0; buffer < model.count; buffer++) {
      scaled[buffer] = known[buffer] / model.unit;
      whole &= known[buffer] % model.unit == 0;
    }
    if (!whole && model.stackable) {
      // Stacking in the same order moves nothing up, and ends on multiples of the unit.
      StackingOrder stacking = new StackingOrder(model);
      stacking.read(known);
      stacking.stack();
      scaled = stacking.head;
    } else if (!whole) {
      best = (model.problem.peak(known) + model.unit - 1) / model.unit;
      return;
    }
    offsets = scaled;
    best = model.peak(scaled);
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
    listener.placement(problemOffsets(), peak * model.unit, source);
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
      listener.bound(proven * model.unit, source);
    }
  }

  /** The best placement in the problem's unit, or null. */
  synchronized long[] problemOffsets() {
    if (offsets == null) {
      return null;
    }
    long[] scaled = new long[model.count];
    for (int buffer = 0; buffer < model.count; buffer++) {
      scaled[buffer] = offsets[buffer] * model.unit;
    }
    return scaled;
  }
}

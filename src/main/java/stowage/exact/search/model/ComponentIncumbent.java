package stowage.exact.search.model;

import stowage.exact.presolve.Component;
import stowage.exact.presolve.Interchangeable;
import stowage.packing.RunControl;

/**
 * Incumbent of one component: its best placement, the best bound, and the goal and the control that
 * end the work on it. Engines, searches and their workers all read it and offer to it; others that
 * work on the same problem do so through its listener. Heights are units of the component.
 *
 * <p>Thread-safe. The listener is called without a lock, on the thread that has brought the news.
 */
public final class ComponentIncumbent {
  /** The run that a component is a part of: findings go there, and those of others come from it. */
  public interface Listener {
    /** Ignores everything: for a component on its own. */
    Listener NONE = new Listener() {};

    /** Called with every better placement within the capacities, by several threads at once. */
    default void found(ComponentIncumbent incumbent) {}

    /** Called when an engine has proven a bound, or that there is no placement. */
    default void proven(ComponentIncumbent incumbent) {}

    /**
     * Gives the component what others have found since, by {@link ComponentIncumbent#adopt}. Asked
     * often, from all searching threads at once.
     */
    default void sync() {}

    /** A long phase has started; {@code what} names it in a few words. */
    default void began(String what) {}

    /** The last {@code tries} large placements hardly lowered the peak. */
    default void flattened(int tries) {}
  }

  /** A placement, not to be written to; without the memory of each buffer where there is one. */
  public record Placed(long[] offsets, int[] places, long peak) {}

  private final Component part;
  private final int memory;
  private final long ceiling;
  private final Listener listener;
  private Placed suggestion;
  private volatile Placed known;
  private volatile long limit = Long.MAX_VALUE;
  private volatile long goal;
  private volatile long bound;
  private volatile boolean exhausted;
  private volatile RunControl control;
  private String finder = "";
  private String prover = "";

  /**
   * One that knows nothing yet. O(buffers * memories).
   *
   * @param memory the component's memory whose peak counts, or -1 where any placement will do
   */
  public ComponentIncumbent(Component part, int memory, Listener listener) {
    this.part = part;
    this.memory = memory;
    this.listener = listener;
    this.ceiling = memory < 0 ? 0 : ceiling(memory);
  }

  /** One of a component with one memory, on its own. */
  public ComponentIncumbent(Component part) {
    this(part, 0, Listener.NONE);
  }

  private ComponentIncumbent(ComponentIncumbent of, long goal) {
    this.part = of.part;
    this.memory = of.memory;
    this.listener = Listener.NONE;
    this.ceiling = of.ceiling;
    this.control = of.control;
    this.bound = of.bound;
    this.goal = goal;
  }

  /** A copy for one worker's share of a round; what it learns comes back by {@link #merge}. */
  public ComponentIncumbent snapshot() {
    ComponentIncumbent copy = new ComponentIncumbent(this, goal);
    copy.known = known;
    copy.limit = limit;
    copy.finder = finder();
    copy.exhausted = exhausted;
    return copy;
  }

  /** One for the same component with a goal of its own, which knows no placement. */
  public ComponentIncumbent apart(long ownGoal) {
    return new ComponentIncumbent(this, ownGoal);
  }

  /** Takes over what another one has learnt, by a source or, where that is null, as it says. */
  public void merge(ComponentIncumbent other, String source) {
    Placed found = other.known;
    if (found != null && found != known) {
      offer(found.offsets, found.places, source == null ? other.finder() : source);
    }
    if (other.bound > bound) {
      raise(other.bound, source == null ? other.prover() : source);
    }
    if (other.exhausted && !exhausted) {
      raise(Long.MAX_VALUE, source == null ? other.prover() : source);
    }
  }

  /**
   * Begins another work on the component, for which no one has found or proven anything yet.
   *
   * @param newGoal a peak that is low enough to end at; 0 to go on until the bound is met
   * @param newControl ends the work
   */
  public synchronized void begin(long newGoal, RunControl newControl) {
    goal = newGoal;
    control = newControl;
    finder = "";
    prover = "";
  }

  /** Says that only peaks up to a capacity are of interest; what is known above it is forgotten. */
  public synchronized void limit(long capacity) {
    limit = capacity + 1;
    known = known != null && known.peak > capacity ? null : known;
  }

  public Component part() {
    return part;
  }

  /** The run that the component is a part of. */
  public Listener listener() {
    return listener;
  }

  /** The component's memory whose peak is to be lowered, or -1 when any placement will do. */
  public int memory() {
    return memory;
  }

  /** A height that a memory's buffers need never pass: its capacity, or the part's horizon. */
  public long ceiling(int ofMemory) {
    return Math.min(part.capacity(ofMemory), part.horizon());
  }

  /** Seed, threads and limits of the work. */
  public RunControl control() {
    return control;
  }

  /** Only peaks below this one are of interest. */
  public long best() {
    listener.sync();
    Placed now = known;
    return now == null ? limit : now.peak;
  }

  /** The highest peak of interest that a placement may need: below the best, within the ceiling. */
  public long upper() {
    return Math.min(best() - 1, ceiling);
  }

  /** The lowest peak found, by whomever; {@link Long#MAX_VALUE} while there is none. */
  public long peak() {
    listener.sync();
    Placed now = known;
    return now == null ? Long.MAX_VALUE : now.peak;
  }

  /** The peak to try for: the goal, or the bound where that is higher. */
  public long target() {
    return Math.max(goal, bound);
  }

  /** No placement has a lower peak than this; proven. */
  public long bound() {
    return bound;
  }

  /** The best placement within the capacities; null while there is none. */
  public Placed placement() {
    listener.sync();
    Placed now = known;
    return now != null && fits(now.peak) ? now : null;
  }

  private boolean fits(long peak) {
    return memory < 0 || peak <= part.capacity(memory);
  }

  /**
   * The best offsets, never to be written to; null while there are none. A search that has nothing
   * within the capacity begins from some above it.
   */
  public long[] offsets() {
    Placed now = known;
    return now == null ? null : now.offsets;
  }

  /**
   * A placement to start from, with exchangeable buffers in their order: the best so far, else a
   * mere suggestion, which may be invalid; null where there is none.
   */
  public Placed hint() {
    Placed now = known == null ? suggestion : known;
    if (now == null) {
      return null;
    }
    int[] places = now.places == null ? null : now.places.clone();
    Placed ordered = new Placed(now.offsets.clone(), places, now.peak);
    Interchangeable.order(part, ordered.offsets, places);
    return ordered;
  }

  /** Suggests a placement, which may be invalid; only the first one counts. */
  public void suggest(long[] offsets, int[] places) {
    suggestion = suggestion == null ? placed(offsets, places) : suggestion;
  }

  /** Who found the best placement in this work; empty where it came from elsewhere. */
  public synchronized String finder() {
    return finder;
  }

  /** Who raised the bound last, or proved that nothing fits; empty while no one has. */
  public synchronized String prover() {
    return prover;
  }

  public boolean isStopped() {
    return control.isStopped();
  }

  /** Whether nothing is left to be done, or the work is stopped. */
  public boolean ended() {
    return met() || isStopped();
  }

  /** Whether the question is answered: the target is met, or no peak of interest is possible. */
  public boolean met() {
    listener.sync();
    Placed now = known;
    return exhausted || (now == null ? limit <= bound : now.peak <= target());
  }

  /** Whether it is proven that no placement respects the component's own capacities. */
  public boolean isImpossible() {
    return exhausted || bound > ceiling;
  }

  /** Whether nothing is left to do for an engine: the question is answered, or has no answer. */
  public boolean isClosed() {
    return met() || isImpossible();
  }

  /** Whether no capacity has a placement. */
  public boolean exhausted() {
    return exhausted;
  }

  private Placed placed(long[] offsets, int[] places) {
    return new Placed(offsets, places, memory < 0 ? 0 : part.peak(memory, offsets, places));
  }

  /** Takes a placement that was found elsewhere, if it is lower; the listener is not notified. */
  public synchronized void adopt(long[] offsets, int[] places) {
    Placed found = placed(offsets, places);
    if (known == null || found.peak < known.peak) {
      known = found;
      finder = "";
    }
  }

  /** As {@link #offer(long[], int[], String)}, of a component with one memory. */
  public boolean offer(long[] offsets, String source) {
    return offer(offsets, null, source);
  }

  /**
   * Offers a placement, which is copied.
   *
   * @param places the memory of each buffer, null where there is only one
   * @return whether it is the best now
   */
  public boolean offer(long[] offsets, int[] places, String source) {
    Placed found = placed(offsets, places);
    if (found.peak >= best()) {
      return false;
    }
    found = new Placed(offsets.clone(), places == null ? null : places.clone(), found.peak);
    synchronized (this) {
      if (found.peak >= (known == null ? limit : known.peak)) {
        return false;
      }
      known = found;
      finder = source;
    }
    if (fits(found.peak)) {
      listener.found(this);
    }
    return true;
  }

  /**
   * Raises the bound; the listener is notified by {@link #prove}.
   *
   * @param proven no placement has a lower peak; {@link Long#MAX_VALUE}: there is no placement
   */
  public synchronized void raise(long proven, String source) {
    if (proven == Long.MAX_VALUE) {
      exhausted = true;
      prover = source;
    } else if (proven > bound) {
      bound = proven;
      prover = source;
    }
  }

  /** Proves that no placement has a peak up to a target; that there is none where any will do. */
  public void refuse(long target) {
    prove(memory < 0 ? Long.MAX_VALUE : target + 1);
  }

  /** Raises the bound as {@link #raise} does, and notifies the listener of what is proven now. */
  public void prove(long proven) {
    raise(proven, "");
    if (memory >= 0 && isImpossible()) {
      bound = ceiling + 1; // the least that says so
    }
    listener.proven(this);
  }
}

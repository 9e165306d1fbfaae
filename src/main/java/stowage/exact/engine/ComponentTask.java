package stowage.exact.engine;

import stowage.exact.presolve.Component;
import stowage.exact.presolve.Interchangeable;
import stowage.packing.RunControl;

/**
 * What a solver is asked to do with one part: lower the peak of one memory within the capacities of
 * all, or find any placement. Heights are units of the part. Thread-safe: solvers report from
 * whatever threads they have.
 */
public final class ComponentTask {
  /** Where findings go, and what others find comes from. */
  interface Listener {
    /** Called with every better placement. */
    void found(ComponentTask task, long[] offsets, int[] places);

    /** Called when the task's bound has risen. */
    void proven(ComponentTask task);

    /** Gives the task what others have found since, by {@link ComponentTask#adopt}. */
    void sync(ComponentTask task);

    void began(String what);

    /** Called when so many tries in turn have hardly lowered the peak. */
    void flattened(int tries);
  }

  /** A placement of a part in units; without the memory of each buffer where there is only one. */
  public record Hint(long[] offsets, int[] places) {
    private Hint copy() {
      return new Hint(offsets.clone(), places == null ? null : places.clone());
    }
  }

  private final Component part;
  private final int memory;
  private final long goodEnough;
  private final long work;
  private final RunControl control;
  private final Listener listener;
  private Hint hint;
  private long lower;
  private long best;
  private boolean found;

  ComponentTask(
      Component part,
      int memory,
      long lower,
      long enough,
      Hint hint,
      boolean hintIsValid,
      long work,
      RunControl control,
      Listener listener) {
    this.part = part;
    this.memory = memory;
    this.lower = lower;
    this.goodEnough = enough;
    this.hint = hint;
    this.work = work;
    this.control = control;
    this.listener = listener;
    this.found = hintIsValid;
    long limit = Math.min(memory < 0 ? 0 : part.capacity(memory), part.horizon());
    this.best =
        hintIsValid && memory >= 0 ? part.peak(memory, hint.offsets, hint.places) : limit + 1;
  }

  /** The part to place. */
  public Component part() {
    return part;
  }

  /** The part's memory whose peak is to be lowered, or -1 when any placement will do. */
  public int memory() {
    return memory;
  }

  /** No placement has a lower peak; proven. */
  public synchronized long lower() {
    return lower;
  }

  /** The largest peak that ends the work: {@link #lower()}, or what another part reaches anyway. */
  public synchronized long goodEnough() {
    return Math.max(lower, goodEnough);
  }

  /** Only peaks up to this are of interest: the best found by anyone less one, or the capacity. */
  public long upper() {
    listener.sync(this);
    synchronized (this) {
      return best - 1;
    }
  }

  /** The best peak found, by whomever; {@link Long#MAX_VALUE} while there is none. */
  long knownPeak() {
    listener.sync(this);
    synchronized (this) {
      return found ? best : Long.MAX_VALUE;
    }
  }

  /** The best placement, not to be written to; null while there is none. */
  public Hint placement() {
    listener.sync(this);
    synchronized (this) {
      return found ? hint : null;
    }
  }

  /** A height that the memory's buffers need never pass: its capacity, or the part's horizon. */
  public long ceiling(int ofMemory) {
    return Math.min(part.capacity(ofMemory), part.horizon());
  }

  /**
   * A placement to start from, with exchangeable buffers in their order: the best so far, else a
   * mere suggestion, which may be invalid; null where there is none.
   */
  public Hint hint() {
    Hint now;
    synchronized (this) {
      now = hint;
    }
    if (now == null) {
      return null;
    }
    Hint ordered = now.copy();
    Interchangeable.order(part, ordered.offsets, ordered.places);
    return ordered;
  }

  /** Seed, threads and whether limits count work. */
  public RunControl control() {
    return control;
  }

  /** Work units for this task; {@link Long#MAX_VALUE} when only time limits it. */
  public long work() {
    return work;
  }

  /** Whether the solver should come back at once. */
  public boolean isStopped() {
    return control.isStopped();
  }

  /** Whether nothing is left to do. */
  public synchronized boolean isClosed() {
    if (memory < 0) {
      return found || lower > 0;
    }
    return (found && best <= Math.max(lower, goodEnough)) || lower > upper();
  }

  /** Takes a copy of a placement; its memories are null where the part has only one. */
  public void found(long[] offsets, int[] places) {
    Hint own = new Hint(offsets, places).copy();
    synchronized (this) {
      if (memory >= 0) {
        long peak = part.peak(memory, own.offsets, own.places);
        if (peak >= best) {
          return;
        }
        best = peak;
      }
      found = true;
      hint = own;
    }
    listener.found(this, own.offsets, own.places);
  }

  /** Takes a placement that others have found, which is no news to the listener. */
  synchronized void adopt(long[] offsets, int[] places) {
    long peak = memory < 0 ? 0 : part.peak(memory, offsets, places);
    if (!found || peak < best) {
      best = memory < 0 ? best : peak;
      found = true;
      hint = new Hint(offsets, places);
    }
  }

  void began(String what) {
    listener.began(what);
  }

  /** Says that the peak has hardly fallen over several tries. */
  void flattened(int tries) {
    listener.flattened(tries);
  }

  /** Takes a proof that every placement within the capacities has at least this peak. */
  public void bound(long units) {
    synchronized (this) {
      if (units <= lower || memory < 0) {
        return;
      }
      lower = units;
    }
    listener.proven(this);
  }

  /** Takes a proof that the part has no placement within the capacities. */
  public void impossible() {
    synchronized (this) {
      lower = memory < 0 ? 1 : ceiling(memory) + 1;
    }
    listener.proven(this);
  }

  /** Whether it is proven that no placement respects the capacities. */
  synchronized boolean isImpossible() {
    return memory < 0 ? lower > 0 : lower > ceiling(memory);
  }
}

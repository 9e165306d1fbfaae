package stowage.packing;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The limits of a run, what its random choices draw on, and the token by which it is stopped. One
 * control is shared by all workers of a run; any thread may stop it.
 *
 * <p>Controls derived from another one ({@link #within}, {@link #withWork}, {@link
 * #withOwnDeadline}) stop when it is stopped. Workers that compute ask {@link #isStopped} every few
 * microseconds to milliseconds; workers that wait, or that call a solver which asks nothing, have
 * {@link #onStop} call them. A deadline calls no one: give it to the solver, or wait no longer.
 */
public final class RunControl {
  /** Work units of about a second. */
  private static final double UNITS = 1e6;

  private final long seed;
  private final int threads;
  private final boolean deterministic;
  private final long workLimit;
  private final long deadlineNanos;
  private volatile boolean stopped;
  private volatile boolean interrupted;
  private volatile boolean endsWhenFlat;
  private volatile int flatTries;
  private final Set<Registration> stoppings = new CopyOnWriteArraySet<>();

  /** The control whose end is this one's end too; null for none. */
  private final RunControl outer;

  /** The control whose {@link #stop} ends this one too, unlike its deadline; null for none. */
  private final RunControl interrupter;

  /** Work units that counting methods have done; null where none are counted. */
  private final AtomicLong work;

  private RunControl(
      long seed,
      int threads,
      boolean deterministic,
      long workLimit,
      long deadlineNanos,
      RunControl outer,
      RunControl interrupter,
      AtomicLong work) {
    this.outer = outer;
    this.work = work;
    this.interrupter = interrupter;
    this.seed = seed;
    this.threads = threads;
    this.deterministic = deterministic;
    this.workLimit = workLimit;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * {@return a control limited by time}
   *
   * @param seconds from now; infinite for no limit
   * @param threads workers that may run side by side, 1 or more
   * @param seed of every random choice
   */
  public static RunControl ofSeconds(double seconds, int threads, long seed) {
    return new RunControl(
        seed, threads, false, Long.MAX_VALUE, deadline(seconds), null, null, null);
  }

  /**
   * {@return a control limited by work, so that the same input and seed give the same placement}
   *
   * @param units work units: one is about a microsecond of search; every method documents its own
   * @param threads workers; the answer does not depend on them
   * @param seed of every random choice
   */
  public static RunControl ofWork(long units, int threads, long seed) {
    return new RunControl(seed, threads, true, units, Long.MAX_VALUE, null, null, null);
  }

  /** {@return a control without limits, of one thread and seed 1, for what ends by itself} */
  public static RunControl unlimited() {
    return ofSeconds(Double.POSITIVE_INFINITY, 1, 1);
  }

  private static long deadline(double seconds) {
    return seconds > 1e9 ? Long.MAX_VALUE : System.nanoTime() + (long) (seconds * 1e9);
  }

  /** {@return the same with a deadline at most so many seconds from now; stops separately} */
  public RunControl within(double seconds) {
    long own = deadline(work == null ? seconds : Double.POSITIVE_INFINITY);
    boolean earlier =
        deadlineNanos == Long.MAX_VALUE || (own != Long.MAX_VALUE && own - deadlineNanos < 0);
    long sooner = earlier ? own : deadlineNanos;
    double units = work == null ? Double.POSITIVE_INFINITY : work.get() + seconds * UNITS;
    long most = units < workLimit ? (long) units : workLimit;
    return new RunControl(seed, threads, deterministic, most, sooner, this, null, work);
  }

  /**
   * {@return the same control for methods that count their work by {@link #did}: where limits count
   * work it is stopped once they have done so much, and its seconds are millions of units}
   */
  public RunControl counting() {
    AtomicLong counted = deterministic ? new AtomicLong() : null;
    return new RunControl(
        seed, threads, deterministic, workLimit, deadlineNanos, this, null, counted);
  }

  /** Counts work, where that is counted. */
  public void did(long units) {
    if (work != null) {
      work.addAndGet(units);
    }
  }

  /**
   * {@return a share for a method that does not count its work: so many seconds, or as many
   * millions of units, which then count as done}
   */
  public RunControl share(double seconds) {
    if (!deterministic) {
      return within(seconds);
    }
    long units = (long) Math.min(seconds * UNITS, workLimit());
    RunControl share = withWork(units);
    did(units);
    return share;
  }

  /**
   * {@return the same control for one question, which ends after so much work, or with this
   * control: so that its answer does not depend on how busy the machine is}
   */
  public RunControl withWork(long units) {
    return new RunControl(
        seed, threads, true, Math.min(units, workLimit()), deadlineNanos, this, null, null);
  }

  /** {@return the same control with so many threads; stops with this one} */
  public RunControl withThreads(int count) {
    return new RunControl(seed, count, deterministic, workLimit, deadlineNanos, this, null, work);
  }

  /**
   * {@return the same control with a deadline of its own, {@code seconds} from now, even where that
   * is later than this one's: {@link #stop} of this control ends it, its deadline does not; where
   * work is counted, with so many millions of units of its own}
   */
  public RunControl withOwnDeadline(double seconds) {
    long most = work == null ? workLimit : (long) (work.get() + seconds * UNITS);
    long own = deadline(work == null ? seconds : Double.POSITIVE_INFINITY);
    return new RunControl(seed, threads, deterministic, most, own, null, this, work);
  }

  /** Ends the run: its workers see it when they next look, and what waits for it is called now. */
  public void stop() {
    interrupted = true;
    end();
  }

  private void end() {
    stopped = true;
    stoppings.forEach(Registration::run);
  }

  /**
   * Runs an action once, as soon as this control or one that it derives from is stopped; at once
   * where it is already. It runs on the thread that stops and must be quick; it is not run for a
   * deadline.
   *
   * @return closes when the action is no longer wanted
   */
  public Registration onStop(Runnable action) {
    Registration registration = new Registration(this, action);
    for (RunControl control = this; control != null; control = control.above()) {
      control.stoppings.add(registration);
    }
    registration.run();
    return registration;
  }

  private RunControl above() {
    return outer != null ? outer : interrupter;
  }

  /** An action that is to run when a control is stopped; closing it withdraws the action. */
  public static final class Registration implements AutoCloseable {
    private final RunControl control;
    private final AtomicReference<Runnable> action;

    private Registration(RunControl control, Runnable action) {
      this.control = control;
      this.action = new AtomicReference<>(action);
    }

    private void run() {
      // An outer control may have ended in a way that does not end this one.
      Runnable once = control.isStopped() ? action.getAndSet(null) : null;
      if (once != null) {
        once.run();
      }
    }

    @Override
    public void close() {
      action.set(null);
      for (RunControl at = control; at != null; at = at.above()) {
        at.stoppings.remove(this);
      }
    }
  }

  /**
   * Waits until the run is stopped, its deadline or so many seconds have passed.
   *
   * @param seconds at most; infinite for no limit
   * @return whether the run is to end
   * @throws InterruptedException when the waiting thread is interrupted
   */
  public boolean awaitStop(double seconds) throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    try (Registration waiting = onStop(stop::countDown)) {
      stop.await((long) (1e9 * Math.min(1e9, Math.min(seconds, secondsLeft()))), NANOSECONDS);
    }
    return isStopped();
  }

  /**
   * Lets the run end before its limit once {@linkplain #flattened going on promises little}: where
   * no one has asked for all of the time. Without effect on deterministic runs.
   */
  public void endWhenFlat() {
    endsWhenFlat = !deterministic;
  }

  /** Says that the peak has hardly fallen over so many tries; ends the run if it may end so. */
  public void flattened(int tries) {
    if (outer != null) {
      outer.flattened(tries);
    } else if (endsWhenFlat && !isStopped()) {
      flatTries = tries;
      end();
    }
  }

  /** {@return the tries without success that ended the run before its limit; 0 if it did not} */
  public int flatTries() {
    return flatTries;
  }

  private boolean isInterrupted() {
    return interrupted
        || (outer != null && outer.isInterrupted())
        || (interrupter != null && interrupter.isInterrupted());
  }

  /** {@return whether the run was stopped or its time is over} Cheap, but not for every node. */
  public boolean isStopped() {
    if (stopped || (work != null && work.get() >= workLimit)) {
      return true;
    }
    // The deadlines of outer controls are no earlier than this one's.
    for (RunControl at = outer; at != null; at = at.outer) {
      if (at.stopped || (at.interrupter != null && at.interrupter.isInterrupted())) {
        return true;
      }
    }
    if (interrupter != null && interrupter.isInterrupted()) {
      return true;
    }
    if (deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos >= 0) {
      stopped = true;
    }
    return stopped;
  }

  /** {@return seconds left; infinite when there is no time limit, 0 when stopped} */
  public double secondsLeft() {
    if (isStopped()) {
      return 0;
    }
    if (work != null) {
      return workLimit() / UNITS;
    }
    return deadlineNanos == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : Math.max(0, (deadlineNanos - System.nanoTime()) / 1e9);
  }

  /** {@return the seed of every random choice} */
  public long seed() {
    return seed;
  }

  /** {@return workers that may run side by side} */
  public int threads() {
    return threads;
  }

  /** {@return whether limits count work instead of time} */
  public boolean isDeterministic() {
    return deterministic;
  }

  /**
   * {@return work units each method may spend, those left where they are counted; {@link
   * Long#MAX_VALUE} without such a limit}
   */
  public long workLimit() {
    return work == null ? workLimit : Math.max(0, workLimit - work.get());
  }
}

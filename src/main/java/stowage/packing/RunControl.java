package stowage.packing;

/**
 * How long a run may go on and what its choices draw on. One control is shared by all workers of a
 * run; any thread may stop it.
 */
public final class RunControl {
  private final long seed;
  private final int threads;
  private final boolean deterministic;
  private final long workLimit;
  private final long deadlineNanos;
  private volatile boolean stopped;
  private volatile boolean interrupted;
  private volatile boolean endsWhenFlat;
  private volatile int flatTries;

  private RunControl(
      long seed, int threads, boolean deterministic, long workLimit, long deadlineNanos) {
    this.seed = seed;
    this.threads = threads;
    this.deterministic = deterministic;
    this.workLimit = workLimit;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * A control limited by time.
   *
   * @param seconds from now; infinite for no limit
   * @param threads workers that may run side by side, 1 or more
   * @param seed of every random choice
   */
  public static RunControl ofSeconds(double seconds, int threads, long seed) {
    return new RunControl(seed, threads, false, Long.MAX_VALUE, deadline(seconds));
  }

  /**
   * A control limited by work, so that the same input and seed give the same placement.
   *
   * @param units work units: one is about a microsecond of search; every method documents its own
   * @param threads workers; the answer does not depend on them
   * @param seed of every random choice
   */
  public static RunControl ofWork(long units, int threads, long seed) {
    return new RunControl(seed, threads, true, units, Long.MAX_VALUE);
  }

  /** A control without limits, on one thread, with seed 1: for methods that end by themselves. */
  public static RunControl unlimited() {
    return ofSeconds(Double.POSITIVE_INFINITY, 1, 1);
  }

  private static long deadline(double seconds) {
    return seconds > 1e9 ? Long.MAX_VALUE : System.nanoTime() + (long) (seconds * 1e9);
  }

  /** The same control with a deadline no later than {@code seconds} from now; stops separately. */
  public RunControl within(double seconds) {
    long own = deadline(seconds);
    boolean earlier =
        deadlineNanos == Long.MAX_VALUE || (own != Long.MAX_VALUE && own - deadlineNanos < 0);
    RunControl outer = this;
    RunControl inner =
        new RunControl(seed, threads, deterministic, workLimit, earlier ? own : deadlineNanos);
    inner.outer = outer;
    return inner;
  }

  private RunControl outer;
  private RunControl interrupter;

  /**
   * The same control for one question, which ends after so much work, or with this control: so that
   * its answer does not depend on how busy the machine is.
   *
   * @param units work units, as in {@link #ofWork}
   */
  public RunControl withWork(long units) {
    RunControl inner =
        new RunControl(seed, threads, true, Math.min(units, workLimit), deadlineNanos);
    inner.outer = this;
    return inner;
  }

  /**
   * The same control with a deadline of its own, {@code seconds} from now, even where that is later
   * than this one's: {@link #stop} of this control ends it, its deadline does not.
   */
  public RunControl withOwnDeadline(double seconds) {
    RunControl own = new RunControl(seed, threads, deterministic, workLimit, deadline(seconds));
    own.interrupter = this;
    return own;
  }

  /** Ends the run as soon as its workers look. */
  public void stop() {
    interrupted = true;
    stopped = true;
  }

  /**
   * Lets the run end before its limit once {@linkplain #flattened going on promises little}: where
   * nobody has asked for all of the time. Without effect on deterministic runs.
   */
  public void endWhenFlat() {
    endsWhenFlat = !deterministic;
  }

  /**
   * Says that the peak has hardly fallen over several tries; ends the run if it may end so.
   *
   * @param tries how many they were, 1 or more
   */
  public void flattened(int tries) {
    if (outer != null) {
      outer.flattened(tries);
    } else if (endsWhenFlat && !isStopped()) {
      flatTries = tries;
      stopped = true;
    }
  }

  /** After how many tries without success the run was ended before its limit; 0 if it was not. */
  public int flatTries() {
    return flatTries;
  }

  private boolean isInterrupted() {
    return interrupted
        || (outer != null && outer.isInterrupted())
        || (interrupter != null && interrupter.isInterrupted());
  }

  /** Whether the run was stopped or its time is over. Cheap, but not meant for every node. */
  public boolean isStopped() {
    boolean ended = outer != null && outer.isStopped();
    if (stopped || ended || (interrupter != null && interrupter.isInterrupted())) {
      return true;
    }
    if (deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos >= 0) {
      stopped = true;
    }
    return stopped;
  }

  /** Seconds left; infinite when there is no time limit, 0 when stopped. */
  public double secondsLeft() {
    if (isStopped()) {
      return 0;
    }
    return deadlineNanos == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : Math.max(0, (deadlineNanos - System.nanoTime()) / 1e9);
  }

  /** The seed of every random choice. */
  public long seed() {
    return seed;
  }

  /** Workers that may run side by side. */
  public int threads() {
    return threads;
  }

  /** Whether limits count work instead of time. */
  public boolean isDeterministic() {
    return deterministic;
  }

  /** Work units each method may spend; {@link Long#MAX_VALUE} when limited by time alone. */
  public long workLimit() {
    return workLimit;
  }
}

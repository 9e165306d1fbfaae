package stowage.cli.terminal;

/** How a command ends; scripts may rely on these. */
public final class ExitCode {
  /** A plan was found, or the command did what was asked. */
  public static final int OK = 0;

  /** The command line was wrong. */
  public static final int USAGE = 2;

  /** A file could not be used, the answer not be written, or memory ran out. */
  public static final int BAD_INPUT = 3;

  /** Proven: no plan respects the capacity. */
  public static final int INFEASIBLE = 4;

  /** No plan was found in the time given. */
  public static final int NO_PLAN = 5;

  /** A plan does not hold. */
  public static final int INVALID_PLAN = 6;

  /** A peak is above the limit it is checked against. */
  public static final int ABOVE_LIMIT = 7;

  /** Stopped by SIGHUP, a closed terminal, after the best plan was written. */
  static final int HUNG_UP = 129;

  /** Stopped by SIGINT, after the best plan was written. */
  static final int INTERRUPTED = 130;

  /** Stopped by SIGTERM, after the best plan was written. */
  static final int TERMINATED = 143;

  private ExitCode() {}
}

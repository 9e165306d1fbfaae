package stowage.exact.search;

/**
 * How a search is told to end, from any thread: by a word, by a moment, or by a peak that makes it
 * pointless. Engines ask every few microseconds to milliseconds and then return within 0.1 s.
 */
public final class SearchControl {
  private static final long NEVER = Long.MAX_VALUE;

  private final long deadline;
  private final long nodeBudget;
  private volatile boolean stopped;
  private volatile long knownPeak = Long.MAX_VALUE;

  private SearchControl(long deadline, long nodeBudget) {
    this.deadline = deadline;
    this.nodeBudget = nodeBudget;
  }

  /** Without any limit. */
  public static SearchControl unlimited() {
    return new SearchControl(NEVER, Long.MAX_VALUE);
  }

  /**
   * Ends at a moment of {@link System#nanoTime()}.
   *
   * @param nanoTime the moment
   */
  public static SearchControl until(long nanoTime) {
    return new SearchControl(nanoTime, Long.MAX_VALUE);
  }

  /**
   * Ends after so much work, whatever the time: the choice where two runs must do the same.
   *
   * @param nodes nodes of the search; other engines count theirs so that one takes about as long
   */
  public static SearchControl ofNodes(long nodes) {
    return new SearchControl(NEVER, nodes);
  }

  /** Ends at a moment or after so much work, whichever comes first. */
  public static SearchControl of(long nanoTime, long nodes) {
    return new SearchControl(nanoTime, nodes);
  }

  /** Asks all who hold this control to end. */
  public void stop() {
    stopped = true;
  }

  /** Whether to end now. */
  public boolean ended() {
    return stopped || deadline != NEVER && System.nanoTime() - deadline >= 0;
  }

  /** The work allowed in total, in nodes. */
  public long nodeBudget() {
    return nodeBudget;
  }

  /**
   * Tells of a placement found elsewhere; only lower peaks are of interest from now on.
   *
   * @param peak its peak in the problem's unit
   */
  public synchronized void knownPeak(long peak) {
    knownPeak = Math.min(knownPeak, peak);
  }

  /** The lowest peak told of, {@link Long#MAX_VALUE} while there is none. */
  public long knownPeak() {
    return knownPeak;
  }
}

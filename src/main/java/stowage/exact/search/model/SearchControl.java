package stowage.exact.search.model;

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

  /** Whose end is this one's end too; null for none. */
  private final SearchControl parent;

  private SearchControl(long deadline, long nodeBudget, SearchControl parent) {
    this.deadline = deadline;
    this.nodeBudget = nodeBudget;
    this.parent = parent;
  }

  /** Without any limit. */
  public static SearchControl unlimited() {
    return new SearchControl(NEVER, Long.MAX_VALUE, null);
  }

  /**
   * Ends at a moment of {@link System#nanoTime()}.
   *
   * @param nanoTime the moment
   */
  public static SearchControl until(long nanoTime) {
    return new SearchControl(nanoTime, Long.MAX_VALUE, null);
  }

  /**
   * Ends after so much work, whatever the time: the choice where two runs must do the same.
   *
   * @param nodes nodes of the search; other engines count theirs so that one takes about as long
   */
  public static SearchControl ofNodes(long nodes) {
    return new SearchControl(NEVER, nodes, null);
  }

  /** Ends at a moment or after so much work, whichever comes first. */
  public static SearchControl of(long nanoTime, long nodes) {
    return new SearchControl(nanoTime, nodes, null);
  }

  /** A control that ends with this one, knows the same peaks, and has a smaller budget. */
  public SearchControl limitedTo(long nodes) {
    return new SearchControl(NEVER, Math.min(nodes, nodeBudget), this);
  }

  /** Asks all who hold this control to end. */
  public void stop() {
    stopped = true;
  }

  /** Whether to end now. */
  public boolean ended() {
    return stopped
        || parent != null && parent.ended()
        || deadline != NEVER && System.nanoTime() - deadline >= 0;
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
    return parent == null ? knownPeak : Math.min(knownPeak, parent.knownPeak());
  }
}

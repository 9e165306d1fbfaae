package stowage.exact.engine;

import java.util.function.ToLongFunction;
import stowage.exact.search.model.SearchControl;
import stowage.packing.Incumbent;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * Passes the run's end, and better placements found elsewhere, on to a search: a thread of its own
 * looks a hundred times a second.
 */
final class SearchWatch implements AutoCloseable {
  private final RunControl limit;
  private final Incumbent incumbent;
  private final boolean firstFit;
  private final ToLongFunction<Placement> units;
  private final SearchControl search;
  private final Thread thread;
  private volatile SearchControl second;
  private volatile boolean closed;

  /**
   * @param limit when the run ends
   * @param firstFit whether any placement is enough
   * @param units the peak of a placement of the whole problem in the part that is searched
   */
  SearchWatch(
      RunControl limit, Incumbent incumbent, boolean firstFit, ToLongFunction<Placement> units) {
    this.limit = limit;
    this.incumbent = incumbent;
    this.firstFit = firstFit;
    this.units = units;
    this.search =
        limit.isDeterministic() && limit.workLimit() < Long.MAX_VALUE
            ? SearchControl.ofNodes(limit.workLimit())
            : SearchControl.unlimited();
    this.thread = new Thread(this::watch, "search watch");
    thread.setDaemon(true);
    thread.start();
  }

  /** What the search is told. */
  SearchControl search() {
    return search;
  }

  /** Ends another control too when this one ends. */
  void also(SearchControl other) {
    second = other;
  }

  private void watch() {
    Placement seen = null;
    while (!closed) {
      boolean enough = firstFit && incumbent.placement() != null;
      if (limit.isStopped() || incumbent.isClosed() || enough) {
        search.stop();
        SearchControl also = second;
        if (also != null) {
          also.stop();
        }
      }
      Placement best = incumbent.placement();
      if (best != seen
          && !limit.isDeterministic()
          && !SearchEngine.NAME.equals(incumbent.finder())) {
        search.knownPeak(units.applyAsLong(best));
      }
      seen = best;
      try {
        Thread.sleep(10);
      } catch (InterruptedException ended) {
        return;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}

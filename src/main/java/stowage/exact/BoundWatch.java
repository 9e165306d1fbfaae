package stowage.exact;

import java.util.function.Consumer;
import stowage.exact.bound.window.WindowBounds;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;

/**
 * Looks for bounds above the max load beside the engines, on a thread of its own: a little after
 * the start, when easy problems are solved, and with more work the longer the gap stays open. Of
 * the first minute it takes some seconds.
 *
 * <p>It can be ended at any moment: what a question that is still going on comes to is dropped.
 */
final class BoundWatch implements AutoCloseable {
  private static final double[] AFTER_SECONDS = {0.25, 1.5, 8};
  private static final long[] WORK = {
    WindowBounds.QUICK, WindowBounds.THOROUGH, 10 * WindowBounds.THOROUGH
  };

  /** Looks that do not depend on what those before have found. */
  private static final int UNCONDITIONAL = 2;

  private final PackingProblem problem;
  private final Incumbent incumbent;
  private final Object gate = new Object();
  private final Consumer<Throwable> broken;
  private final Thread thread;
  private volatile boolean closed;

  private BoundWatch(PackingProblem problem, Incumbent incumbent, Consumer<Throwable> broken) {
    this.broken = broken;
    this.problem = problem;
    this.incumbent = incumbent;
    this.thread = new Thread(this::guarded, "bounds");
    thread.setDaemon(true);
  }

  /**
   * Begins the watch over an incumbent.
   *
   * @param broken hears of a failure, which ends the watch alone
   */
  static BoundWatch over(PackingProblem problem, Incumbent incumbent, Consumer<Throwable> broken) {
    BoundWatch watch = new BoundWatch(problem, incumbent, broken);
    watch.thread.start();
    return watch;
  }

  private void guarded() {
    try {
      run();
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
      broken.accept(failure);
    }
  }

  private void run() {
    long start = System.nanoTime();
    boolean raised = false;
    for (int k = 0; k < WORK.length && (k < UNCONDITIONAL || raised); k++) {
      while (System.nanoTime() - start < AFTER_SECONDS[k] * 1e9) {
        if (closed || incumbent.isClosed()) {
          return;
        }
        try {
          Thread.sleep(10);
        } catch (InterruptedException ended) {
          return;
        }
      }
      long known = incumbent.bestBound();
      raised |= WindowBounds.offer(problem, incumbent, known, WORK[k], this::isOver, this::passing);
    }
  }

  private boolean isOver() {
    return closed || incumbent.isClosed();
  }

  private void passing(Runnable offer) {
    synchronized (gate) {
      if (!closed) {
        offer.run();
      }
    }
  }

  /** Ends the watch: from now on it offers nothing. */
  @Override
  public void close() {
    synchronized (gate) {
      closed = true;
    }
    thread.interrupt();
  }
}

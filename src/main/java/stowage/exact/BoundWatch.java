package stowage.exact;

import java.util.function.Consumer;
import stowage.exact.bound.window.WindowBounds;
import stowage.exact.engine.SolveContext;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * Search for bounds above the max load on a separate thread while engines run: a little after the
 * start, when easy problems are solved, and with more work the longer the gap stays open. Of the
 * first minute it takes some seconds.
 *
 * <p>It can be ended at any moment: the result of an open question is dropped.
 */
final class BoundWatch implements AutoCloseable {
  private static final double[] AFTER_SECONDS = {0.25, 1.5, 8};
  private static final long[] WORK = {
    WindowBounds.QUICK, WindowBounds.THOROUGH, 10 * WindowBounds.THOROUGH
  };

  /** How long closing waits for the thread, which looks at the stop every few milliseconds. */
  private static final long PATIENCE_MILLIS = 50;

  /** Looks that do not depend on what those before have found. */
  private static final int UNCONDITIONAL = 2;

  private final SolveContext context;
  private final Object gate = new Object();
  private final Consumer<Throwable> broken;
  private final Thread thread;

  private BoundWatch(SolveContext context, Consumer<Throwable> broken) {
    this.broken = broken;
    this.context = context.within(context.control().within(Double.POSITIVE_INFINITY));
    this.thread = Threads.of("bounds", this::guarded);
  }

  /** Begins the watch over a run; a failure, of which one is notified, ends the watch alone. */
  static BoundWatch over(SolveContext context, Consumer<Throwable> broken) {
    BoundWatch watch = new BoundWatch(context, broken);
    watch.thread.start();
    return watch;
  }

  private void guarded() {
    try {
      run();
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
      broken.accept(failure);
    } catch (InterruptedException ended) {
      // The watch is closed.
    }
  }

  private void run() throws InterruptedException {
    long start = System.nanoTime();
    boolean raised = false;
    for (int k = 0; k < WORK.length && (k < UNCONDITIONAL || raised); k++) {
      double passed = (System.nanoTime() - start) / 1e9;
      if (context.control().awaitStop(Math.max(0, AFTER_SECONDS[k] - passed))) {
        return;
      }
      Incumbent incumbent = context.incumbent();
      RunControl control = context.control();
      long known = incumbent.bestBound();
      raised |=
          WindowBounds.offer(
              context.presolved(), incumbent, control, known, WORK[k], this::passing);
    }
  }

  private void passing(Runnable offer) {
    synchronized (gate) {
      if (!context.control().isStopped()) {
        offer.run();
      }
    }
  }

  /** Ends the watch, and as a rule its thread: from now on it offers nothing. */
  @Override
  public void close() {
    synchronized (gate) {
      context.control().stop();
    }
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

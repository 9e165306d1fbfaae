package stowage.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import sun.misc.Signal;

/**
 * Turns SIGINT and SIGTERM into an orderly end: the run is told to stop, and the main thread gets a
 * moment to write the best plan; if a solver does not let go in time, the plan is written from
 * here. The process then ends with 130 or 143.
 *
 * <p>The handlers replace the JVM's own, so that no exit hook races with native solver threads.
 */
final class Interruption {
  private static final long PATIENCE_MILLIS = 40;
  private static final long LAST_PATIENCE_MILLIS = 10_000;

  private final CountDownLatch done = new CountDownLatch(1);
  private volatile int code;

  private Interruption() {}

  /**
   * Installs the handlers.
   *
   * @param stop tells the run to stop; called once, must return quickly
   * @param writeNow writes the best plan and answers true, or answers false when the main thread
   *     has begun to; called when the run does not stop in time
   */
  static Interruption install(Runnable stop, BooleanSupplier writeNow) {
    Interruption interruption = new Interruption();
    interruption.handle("INT", 130, stop, writeNow);
    interruption.handle("TERM", 143, stop, writeNow);
    return interruption;
  }

  private void handle(String signal, int exitCode, Runnable stop, BooleanSupplier writeNow) {
    try {
      Signal.handle(new Signal(signal), received -> end(exitCode, stop, writeNow));
    } catch (IllegalArgumentException unavailable) {
      // The platform or the JVM's options reserve the signal; it then ends the process at once.
    }
  }

  private void end(int exitCode, Runnable stop, BooleanSupplier writeNow) {
    synchronized (this) {
      if (code != 0) {
        return;
      }
      code = exitCode;
    }
    try {
      stop.run();
      if (!done.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        if (!writeNow.getAsBoolean()) {
          done.await(LAST_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException | RuntimeException failure) {
      // Ending is all that is left to do.
    }
    Runtime.getRuntime().halt(exitCode);
  }

  /** Whether a signal came; its exit code is then in {@link #exitCode()}. */
  boolean happened() {
    return code != 0;
  }

  /** 130 or 143 after a signal, else 0. */
  int exitCode() {
    return code;
  }

  /** Says that everything is written, and waits for the end if a signal came. */
  void finished() {
    done.countDown();
    if (code != 0) {
      try {
        Thread.sleep(LAST_PATIENCE_MILLIS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

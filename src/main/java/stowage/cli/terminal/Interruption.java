package stowage.cli.terminal;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import sun.misc.Signal;

/**
 * Orderly end of a run after SIGINT, SIGTERM or SIGHUP: the run is asked to stop, and the main
 * thread gets a moment to write the best plan; if a solver does not let go in time, the plan is
 * written from here. The process then ends with 130, 143 or 129. A signal that is ignored when the
 * process starts, as under {@code nohup}, stays ignored.
 *
 * <p>A thread that began to write finishes, however long a slow disk takes: the process ends after
 * the last byte of the answer, with the signal's code, or with 3 if it could not be written.
 *
 * <p>The handlers replace the JVM's own, so that no exit hook races with native solver threads.
 */
public final class Interruption {
  private static final long PATIENCE_MILLIS = 40;

  /** Where an answer in JSON is due; null where none is. */
  private static volatile PrintWriter answer;

  private final Runnable stop;
  private final BooleanSupplier writeNow;
  private final IntConsumer exit;
  private final CountDownLatch done = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile int code;

  /**
   * @param stop says the run to stop; called once, must return quickly
   * @param writeNow writes the best plan and answers true, or answers false when the main thread
   *     has begun to; called when the run does not stop in time
   */
  public Interruption(Runnable stop, BooleanSupplier writeNow, IntConsumer exit) {
    this.stop = stop;
    this.writeNow = writeNow;
    this.exit = exit;
  }

  /** Installs handlers of INT, TERM and HUP, which halt the process once an answer is written. */
  public static Interruption install(Runnable stop, BooleanSupplier writeNow) {
    Interruption interruption = new Interruption(stop, writeNow, Runtime.getRuntime()::halt);
    interruption.handle("INT", ExitCode.INTERRUPTED);
    interruption.handle("TERM", ExitCode.TERMINATED);
    interruption.handle("HUP", ExitCode.HUNG_UP);
    return interruption;
  }

  /** Has a process that a signal ends without an answer write an error in JSON in its place. */
  public static void installEarly(PrintWriter out) {
    answer = out;
    install(() -> {}, () -> true);
  }

  private void handle(String signal, int exitCode) {
    try {
      Signal.handle(new Signal(signal), received -> end(exitCode));
    } catch (IllegalArgumentException unavailable) {
      // The platform or the JVM's options reserve the signal; it then ends the process at once.
    }
  }

  /** Ends the run as after a signal; returns only where {@code exit} does. */
  public void end(int exitCode) {
    synchronized (this) {
      if (code != 0) {
        return;
      }
      code = exitCode;
    }
    int last = exitCode;
    try {
      stop.run();
      if (!done.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS) && !writeNow.getAsBoolean()) {
        done.await();
      }
    } catch (InterruptedException ending) {
      // Ending is all that is left to do.
    } catch (RuntimeException | OutOfMemoryError failure) {
      System.err.println("stowage: " + failure.getMessage());
      last = ExitCode.BAD_INPUT;
    }
    if (answer != null) {
      AnswerWriter.error(answer, last, "stopped before there was an answer");
    }
    System.out.flush();
    exit.accept(last);
    ended.countDown();
  }

  /** Whether a signal came. */
  public boolean happened() {
    return code != 0;
  }

  /**
   * Says that the main thread has written everything, or has found that the other thread writes.
   * After a signal it waits until that thread has ended the process. Gives the exit code.
   */
  public int finished(int usual) {
    done.countDown();
    if (code == 0) {
      return usual;
    }
    boolean interrupted = false;
    while (ended.getCount() > 0) {
      try {
        ended.await();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return code;
  }
}

package stowage.importer.onnx;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import stowage.packing.Threads;

/**
 * Limit that ends a process which works too long at something. What counts is the processor time it
 * takes, so that a process may wait for its turn on a busy machine. Two limits of wall time come
 * with that: one for a process that takes no processor time at all, since it hangs; one, many times
 * as long, for whatever else goes wrong.
 *
 * <p>Where the system does not say a process's processor time, the time on the wall replaces it.
 */
final class CpuTimeLimit implements AutoCloseable {
  /** How many times the limit may pass on the wall while the process does take processor time. */
  private static final int PATIENCE = 10;

  private static final long POLL_MILLIS = 50;

  private final Process process;
  private final long limitMillis;
  private final long startNanos = System.nanoTime();
  private final long startedAtMillis;
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile long usedMillis;
  private volatile boolean late;

  /** Ends a process when it has taken so much more processor time from now on. */
  CpuTimeLimit(Process process, long limitMillis) {
    this.process = process;
    this.limitMillis = limitMillis;
    startedAtMillis = processorMillis(process, 0);
    Threads.start("watch over ONNX Runtime", this::watch);
  }

  boolean late() {
    return late;
  }

  /** Processor time in milliseconds that the process has taken since the watch began. */
  long usedMillis() {
    measure();
    return usedMillis;
  }

  @Override
  public void close() {
    done.countDown();
  }

  private void watch() {
    long lastUsed = 0;
    long lastProgress = 0;
    try {
      while (!done.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        measure();
        long wall = wallMillis();
        if (usedMillis > lastUsed) {
          lastUsed = usedMillis;
          lastProgress = wall;
        }
        boolean hangs = wall - lastProgress >= limitMillis;
        if (usedMillis >= limitMillis || hangs || wall / PATIENCE >= limitMillis) {
          late = true;
          process.destroyForcibly();
          return;
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Keeps what was last known of a process that has ended. */
  private void measure() {
    usedMillis =
        Math.max(
            usedMillis, processorMillis(process, startedAtMillis + usedMillis) - startedAtMillis);
  }

  private long processorMillis(Process of, long otherwise) {
    if (!of.isAlive()) {
      return otherwise;
    }
    return of.info().totalCpuDuration().map(Duration::toMillis).orElseGet(this::wallMillis);
  }

  private long wallMillis() {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }
}

package stowage.importer.onnx;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * How much work a file may still cost: processor time of ONNX Runtime and of the thread that reads
 * the file. A clock on the wall would refuse good files on a machine busy with others' work.
 *
 * <p>Used by the thread that made it.
 */
final class WorkLimit {
  /** Most files need no more requests; counting the reader's own time takes 40 ms to set up. */
  private static final int REQUESTS_BEFORE_COUNTING = 2;

  private long leftMillis;
  private int requests;
  private ThreadMXBean threads;
  private long countedNanos;

  WorkLimit(long millis) {
    leftMillis = millis;
  }

  /** What is left for the next request, in milliseconds; none if not positive. */
  long forNextRequest() {
    if (requests++ >= REQUESTS_BEFORE_COUNTING) {
      countOwnTime();
    }
    return leftMillis;
  }

  void spend(long millis) {
    leftMillis -= millis;
  }

  private void countOwnTime() {
    if (threads == null) {
      threads = ManagementFactory.getThreadMXBean();
      countedNanos = threads.getCurrentThreadCpuTime();
    }
    long millis = (threads.getCurrentThreadCpuTime() - countedNanos) / 1_000_000;
    countedNanos += millis * 1_000_000;
    spend(millis);
  }
}

package stowage.exact.engine;

import java.util.concurrent.atomic.AtomicReference;

/** Work on a thread of its own, so that the waiting thread can be interrupted. */
final class OwnThread {
  /** The walk over memory assignments is recursive; the system commits what is used. */
  private static final long STACK_BYTES = 128L << 20;

  private OwnThread() {}

  /**
   * Runs work and waits for its end.
   *
   * @param name of the thread
   * @param interrupted ends the work; called when the waiting thread is interrupted, which stays
   *     interrupted afterwards
   * @throws RuntimeException or an Error, what the work has thrown
   */
  static void run(String name, Runnable interrupted, Runnable work) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Runnable body =
        () -> {
          try {
            work.run();
          } catch (RuntimeException | Error thrown) {
            failure.set(thrown);
          }
        };
    Thread thread = new Thread(null, body, name, STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    boolean asked = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException interruption) {
        asked = true;
        interrupted.run();
      }
    }
    if (asked) {
      Thread.currentThread().interrupt();
    }
    Throwable thrown = failure.get();
    if (thrown instanceof Error error) {
      throw error;
    } else if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }
}

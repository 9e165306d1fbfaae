package stowage.packing;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/**
 * Daemon threads with stacks deep enough for a recursive search, and waits for them that an
 * interrupt does not cut short: it ends the work, and is passed on once the work has ended.
 */
public final class Threads {
  /** A buffer takes two frames of at most a few hundred bytes; the system commits what is used. */
  private static final long STACK_BYTES = 128L << 20;

  private Threads() {}

  /** A thread for work that is not begun yet. */
  public static Thread of(String name, Runnable work) {
    Thread thread = new Thread(null, work, name, STACK_BYTES);
    thread.setDaemon(true);
    return thread;
  }

  /** Begins work on a thread of its own. */
  public static Thread start(String name, Runnable work) {
    Thread thread = of(name, work);
    thread.start();
    return thread;
  }

  /** Waits for a thread; an interrupt of the waiting one ends the work and is kept for later. */
  public static void join(Thread thread, Runnable interrupted) {
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
  }

  /** Runs tasks by number, ascending, on named threads; throws the first failure at the end. */
  public static void run(
      String name, int threads, int tasks, IntConsumer task, Runnable interrupted) {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Runnable body =
        () -> {
          try {
            for (int k = next.getAndIncrement(); k < tasks; k = next.getAndIncrement()) {
              task.accept(k);
            }
          } catch (RuntimeException | Error thrown) {
            failure.compareAndSet(null, thrown);
            next.set(tasks);
          }
        };
    Thread[] team = new Thread[Math.min(threads, tasks)];
    Arrays.setAll(team, k -> start(name + "-" + k, body));
    for (Thread thread : team) {
      join(thread, interrupted);
    }
    rethrow(failure.get());
  }

  /** Throws what a thread has thrown: a RuntimeException, an Error, or nothing for null. */
  public static void rethrow(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    } else if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }
}

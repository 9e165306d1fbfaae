package stowage.exact.search.model;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Runs numbered tasks on a few threads whose stacks are deep enough for a recursive search. */
public final class ThreadTeam {
  /** A buffer takes two frames of at most a few hundred bytes; the system commits what is used. */
  private static final long STACK_BYTES = 128L << 20;

  private final int threads;

  public ThreadTeam(int threads) {
    this.threads = threads;
  }

  /**
   * Runs all tasks and returns when the last has ended.
   *
   * @param tasks their number; the task is given its number, tasks begin in ascending order
   * @throws RuntimeException or an Error, the first one that a task has thrown
   */
  public void run(int tasks, IntConsumer task) {
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
    for (int k = 0; k < team.length; k++) {
      team[k] = new Thread(null, body, "stowage-search-" + k, STACK_BYTES);
      team[k].setDaemon(true);
      team[k].start();
    }
    boolean interrupted = false;
    for (Thread thread : team) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          // The control is the way to end a search; the interrupt is passed on afterwards.
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable thrown = failure.get();
    if (thrown instanceof Error) {
      throw (Error) thrown;
    } else if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }
}

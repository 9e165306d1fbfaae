package stowage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import stowage.packing.Incumbent;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * A run that works in the background: what it knows so far, a way to stop it, and its answer.
 *
 * <p>Thread-safe. Its threads are daemons and have all ended when {@link #await()} returns. It
 * prints nothing.
 */
public final class PlanTask {
  private final Incumbent incumbent;
  private final RunControl control;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final List<Consumer<Plan>> listeners = new CopyOnWriteArrayList<>();
  private final Object changes = new Object();
  private final Thread worker;

  /** Guarded by {@link #changes}, as is the next; null until there is a listener. */
  private Thread teller;

  private boolean improved;

  private volatile Throwable failure;

  private PlanTask(Incumbent incumbent, RunControl control, Runnable method) {
    this.incumbent = incumbent;
    this.control = control;
    this.worker = Threads.of("stowage-plan", () -> run(method));
  }

  /**
   * Starts a method of the caller's own in the frame of a task. {@link Stowage#submit} starts the
   * usual one.
   *
   * @param incumbent where the method offers placements and bounds; it verifies what it is offered
   * @param control what the method asks when to stop; {@link #cancel()} stops it
   * @param method is run once, on a thread of the task, and has no thread left when it returns
   */
  public static PlanTask start(Incumbent incumbent, RunControl control, Runnable method) {
    PlanTask task = new PlanTask(incumbent, control, method);
    task.worker.start();
    return task;
  }

  private void run(Runnable method) {
    try {
      method.run();
    } catch (Throwable broken) {
      failed(broken);
    } finally {
      ended.countDown();
      synchronized (changes) {
        changes.notifyAll();
      }
    }
  }

  private synchronized void failed(Throwable broken) {
    if (failure == null) {
      failure = broken;
    }
    control.stop();
  }

  /** {@return the best verified plan so far; empty while there is none} */
  public Optional<Plan> best() {
    return Optional.of(Plan.of(incumbent)).filter(Plan::hasPlacement);
  }

  /** {@return the best proven lower bound of the peak so far, in bytes; 0 while there is none} */
  public long lowerBound() {
    return incumbent.bestBound();
  }

  /** {@return whether the run has ended, so that {@link #await()} would return at once} */
  public boolean isDone() {
    return ended.getCount() == 0;
  }

  /** {@return what broke the run off, if something did; its best plan so far is kept} */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Adds a listener for better plans and better bounds. It is called on one thread of the task,
   * once for what is known already and then after improvements; improvements that come while it
   * works are reported in one call. An exception of a listener ends the run and is its {@link
   * #failure()}.
   *
   * @param listener may take its time: the run does not wait for it, {@link #await()} does
   */
  public PlanTask onImprovement(Consumer<Plan> listener) {
    listeners.add(listener);
    synchronized (changes) {
      improved = true;
      if (teller == null) {
        incumbent.addListener(event -> wake());
        teller = Threads.of("stowage-listener", this::tell);
        teller.start();
      }
      changes.notifyAll();
    }
    return this;
  }

  private void wake() {
    synchronized (changes) {
      improved = true;
      changes.notifyAll();
    }
  }

  private void tell() {
    try {
      while (awaitImprovement()) {
        Plan plan = Plan.of(incumbent);
        listeners.forEach(listener -> listener.accept(plan));
      }
    } catch (InterruptedException asked) {
      // no one but the listeners themselves could ask; there is nothing left to report.
    } catch (Throwable broken) {
      failed(broken);
    }
  }

  /** False when the run has ended and all of it has been reported. */
  private boolean awaitImprovement() throws InterruptedException {
    synchronized (changes) {
      while (!improved && !isDone()) {
        changes.wait();
      }
      boolean more = improved;
      improved = false;
      return more;
    }
  }

  /** Stops the run; it ends within moments, with the best plan so far. Returns at once. */
  public void cancel() {
    control.stop();
  }

  /**
   * Waits until the run has ended and its threads have. Interrupting the waiting thread cancels the
   * run: this method then returns what was found, with the thread's interrupted status set.
   *
   * @return the answer; without a placement where none was found
   * @throws RuntimeException what broke the run off, where there is no plan and no proof; errors
   *     too
   */
  public Plan await() {
    return await(Duration.ofSeconds(Long.MAX_VALUE));
  }

  /**
   * Waits as {@link #await()} does, but not longer than a limit. The run is not stopped where it
   * takes longer.
   *
   * @return the answer, or what is known so far when the time is over; {@link #isDone()} says which
   */
  public Plan await(Duration most) {
    long begin = System.nanoTime();
    boolean interrupted = false;
    while (true) {
      try {
        join(begin, nanos(most));
        break;
      } catch (InterruptedException asked) {
        interrupted = true;
        cancel();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Plan plan = Plan.of(incumbent);
    if (isDone() && !plan.hasPlacement() && plan.infeasibility() == null) {
      Threads.rethrow(failure);
    }
    return plan;
  }

  private static long nanos(Duration most) {
    return most.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0
        ? Long.MAX_VALUE
        : Math.max(0, most.toNanos());
  }

  private void join(long begin, long most) throws InterruptedException {
    if (!ended.await(left(begin, most), TimeUnit.NANOSECONDS)) {
      return;
    }
    Thread telling;
    synchronized (changes) {
      telling = teller;
    }
    for (Thread thread : telling == null ? List.of(worker) : List.of(worker, telling)) {
      if (thread != Thread.currentThread()) {
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, left(begin, most)));
      }
    }
  }

  private static long left(long begin, long most) {
    return most == Long.MAX_VALUE ? most : most - (System.nanoTime() - begin);
  }
}

package stowage.experiment.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import stowage.experiment.suite.RunSpec;

/** Runner of an experiment's runs that have no record yet, each in a worker process. */
public final class Runner {
  /**
   * How to run: workers side by side (1 or more), whether runs that failed are done again, where
   * progress goes (null: nowhere), and whether lines can be rewritten there.
   */
  public record Options(
      int processes, boolean retryFailed, PrintStream progress, boolean terminal) {}

  /**
   * What was done.
   *
   * @param done runs that have a record now
   * @param ran runs done just now
   * @param failed runs among the done ones whose planner or worker failed
   */
  public record Summary(int runs, int done, int ran, int failed, double seconds) {}

  private final RunFolder folder;
  private final Options options;
  private final Map<String, String> versions = Build.versions();
  private final Set<WorkerProcess> inFlight = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private volatile boolean stopping;

  /** A runner of a folder's planned runs. */
  public Runner(RunFolder folder, Options options) {
    this.folder = folder;
    this.options = options;
  }

  /** Does all planned runs that have no record yet; null when another process does. */
  public Summary runAll() throws IOException {
    try (FileLock lock = folder.lock()) {
      if (lock == null) {
        return null;
      }
      folder.clearWork();
      return run(folder.planned());
    }
  }

  /**
   * Does a part of so many planned runs, 0 the first, for a job of a cluster: nothing is locked,
   * since other parts are done elsewhere at the same time.
   */
  public Summary runChunk(int index, int size) throws IOException {
    List<RunSpec> planned = folder.planned();
    int from = (int) Math.min((long) index * size, planned.size());
    return run(planned.subList(from, Math.min(planned.size(), from + size)));
  }

  /** Kills the workers and begins no run; what has no record then is not done. Returns at once. */
  public void stop() {
    stopping = true;
    inFlight.forEach(WorkerProcess::interrupt);
  }

  private Summary run(List<RunSpec> planned) throws IOException {
    Set<String> recorded = folder.recorded();
    Queue<RunSpec> queue = new ConcurrentLinkedQueue<>();
    int failedBefore = 0;
    for (RunSpec run : planned) {
      if (!recorded.contains(run.id())) {
        queue.add(run);
      } else if (folder.record(run).outcome().isFailure()) {
        if (options.retryFailed) {
          folder.forget(run.id());
          queue.add(run);
        } else {
          failedBefore++;
        }
      }
    }
    int before = planned.size() - queue.size();
    RunProgress progress = new RunProgress(planned.size(), before);
    work(queue, progress);
    if (stopping && options.terminal && options.progress != null) {
      options.progress.println(); // the line of progress stays
    }
    return progress.summary(failedBefore);
  }

  private void work(Queue<RunSpec> queue, RunProgress progress) throws IOException {
    List<Thread> threads = new ArrayList<>();
    for (int k = 0; k < Math.min(options.processes, queue.size()); k++) {
      Thread thread = new Thread(() -> drain(queue, progress), "runner " + k);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException interrupted) {
        stop();
        Thread.currentThread().interrupt();
      }
    }
    if (failure.get() instanceof IOException broken) {
      throw broken;
    } else if (failure.get() instanceof RuntimeException broken) {
      throw broken;
    }
  }

  private void drain(Queue<RunSpec> queue, RunProgress progress) {
    try {
      for (RunSpec run = queue.poll(); run != null && !stopping; run = queue.poll()) {
        RunRecord record = one(run);
        if (record != null) {
          folder.write(record);
          progress.ended(record);
        }
      }
    } catch (IOException | RuntimeException broken) {
      failure.compareAndSet(null, broken);
      stop();
    } catch (InterruptedException interrupted) {
      stop();
    }
  }

  private RunRecord one(RunSpec run) throws IOException, InterruptedException {
    Path scratch = folder.scratch(run);
    WorkerProcess worker = new WorkerProcess(run, scratch, versions);
    inFlight.add(worker);
    if (stopping) {
      worker.interrupt();
    }
    try {
      RunRecord record = worker.call();
      folder.keepPlan(run, scratch);
      return record;
    } finally {
      inFlight.remove(worker);
      RunFolder.delete(scratch);
    }
  }

  /**
   * Progress of an experiment on stderr: runs done of all, rate, time left, failures. On a terminal
   * one line is rewritten; elsewhere a line comes every ten seconds, and one for each failure.
   */
  private final class RunProgress {
    private static final double QUIET_SECONDS = 10;

    private final PrintStream out = options.progress;
    private final boolean terminal = options.terminal;
    private final int all;
    private final int before;
    private final long startNanos = System.nanoTime();
    private double lastLine;
    private int ran;
    private int failed;

    /** A display of all runs but those done before. */
    RunProgress(int all, int before) {
      this.all = all;
      this.before = before;
    }

    synchronized void ended(RunRecord record) {
      ran++;
      if (record.outcome().isFailure()) {
        failed++;
        say(record.run().label() + ": " + record.outcome().text() + ", " + record.message());
      }
      double now = seconds();
      if (terminal || now - lastLine >= QUIET_SECONDS || before + ran == all) {
        lastLine = now;
        show(now);
      }
    }

    synchronized Summary summary(int failedBefore) {
      return new Summary(all, before + ran, ran, failedBefore + failed, seconds());
    }

    private void say(String line) {
      if (out != null) {
        out.println((terminal ? "\r\033[K" : "") + line);
      }
    }

    private void show(double now) {
      if (out == null) {
        return;
      }
      double rate = now > 0 ? ran / now : 0;
      int left = all - before - ran;
      String line =
          String.format(
              Locale.ROOT,
              "%,d of %,d runs done, %.1f per second, %s left, %,d failed",
              before + ran,
              all,
              rate,
              rate > 0 ? duration(left / rate) : "?",
              failed);
      if (terminal && left > 0) {
        out.print("\r\033[K" + Math.round(now) + "s  " + line + "  [Ctrl-C keeps what is done]");
        out.flush();
      } else {
        say(line);
      }
    }

    /** A time span for people: {@code 12 s}, {@code 3 min}, {@code 2 h 05 min}. */
    static String duration(double seconds) {
      long whole = Math.round(seconds);
      if (whole < 100) {
        return whole + " s";
      }
      long minutes = Math.round(seconds / 60);
      return minutes < 100
          ? minutes + " min"
          : String.format(Locale.ROOT, "%d h %02d min", minutes / 60, minutes % 60);
    }

    double seconds() {
      return (System.nanoTime() - startNanos) / 1e9;
    }
  }
}

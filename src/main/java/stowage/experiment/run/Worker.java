package stowage.experiment.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import stowage.experiment.suite.ExperimentJson;
import stowage.experiment.suite.RunSpec;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.packing.Threads;

/**
 * The main class of worker processes: does one run and writes its record to a file.
 *
 * <p>The task comes on the standard input as one line of JSON. The input then stays open as long as
 * the parent lives; when it ends, the worker ends itself and whatever it has started, so that no
 * worker outlives a run that was killed. When the problem is ready, {@link #BEGIN} goes to the
 * standard output: from there on the run's time counts.
 */
public final class Worker {
  /** The line that says that loading is over. */
  static final String BEGIN = "stowage-worker: begin";

  /** How long a planner may take to obey its limit before the worker answers without it. */
  static final double PATIENCE_SECONDS = 5;

  private static final ObjectMapper JSON = ExperimentJson.MAPPER;

  private Worker() {}

  /** What a worker is given, with a folder of its own, where {@link #ANSWER} is written. */
  record Task(RunSpec run, String scratch, Map<String, String> versions) {}

  /** The name of the record in the worker's folder. */
  static final String ANSWER = "answer.json";

  /** The name of the plan in the same folder, where one is kept. */
  static final String PLAN = "plan.csv";

  /** Reads the task and does it. */
  public static void main(String[] arguments) throws IOException {
    InputStream in = System.in;
    Task task =
        JSON.readValue(
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16)
                .readLine(),
            Task.class);
    Threads.start("parent's life", () -> endWith(in));
    perform(task);
    // Threads of solvers may still be ending; nothing of theirs is needed.
    Runtime.getRuntime().halt(0);
  }

  private static void endWith(InputStream in) {
    try {
      while (in.read() >= 0) {
        // Nothing more is said; what counts is the end.
      }
    } catch (IOException closed) {
      // That is an end too.
    }
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(1);
  }

  /** Does a task in this process; the answer is in its folder afterwards. */
  static void perform(Task task) throws IOException {
    Path scratch = Path.of(task.scratch());
    Job job = Job.of(task.run(), task.versions());
    attempt(
        job,
        scratch,
        () -> {
          System.out.println(BEGIN);
          System.out.flush();
          startWatchdog(task.run(), job, scratch);
        });
    answer(job, scratch);
  }

  /** Loads and solves; what breaks becomes the outcome of the job. */
  static void attempt(Job job, Path scratch, Runnable loaded) {
    try {
      job.load();
      loaded.run();
      job.warmUp();
      job.solve(scratch);
    } catch (InterruptedException stopped) {
      job.finish(RunRecord.Outcome.FAILED, "interrupted");
    } catch (RuntimeException | IOException | LinkageError | StackOverflowError broken) {
      String why = broken instanceof InputException ? broken.getMessage() : broken.toString();
      job.finish(RunRecord.Outcome.FAILED, why);
    }
  }

  /** Only one answer is written: the run's own, or the watchdog's when it comes first. */
  private static synchronized void answer(Job job, Path scratch) throws IOException {
    Path file = scratch.resolve(ANSWER);
    if (!Files.exists(file)) {
      byte[] bytes = JSON.writeValueAsBytes(job.record());
      AtomicFiles.write(file, out -> out.write(bytes));
      job.writePlan(scratch.resolve(PLAN));
    }
  }

  private static void startWatchdog(RunSpec run, Job job, Path scratch) {
    Threads.start(
        "watchdog",
        () -> {
          try {
            Thread.sleep((long) (run.limits().seconds() * 1000));
            if (run.limits().isDeterministic()) {
              job.finish(
                  RunRecord.Outcome.TIMEOUT,
                  "its work was not done within " + run.limits().seconds() + " s");
              job.stop();
            }
            Thread.sleep((long) (PATIENCE_SECONDS * 1000));
            job.finish(RunRecord.Outcome.TIMEOUT, "ran beyond its limit and was stopped");
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            answer(job, scratch);
            Runtime.getRuntime().halt(0);
          } catch (InterruptedException | IOException | RuntimeException failure) {
            Runtime.getRuntime().halt(1);
          }
        });
  }

  /**
   * Does a run within this process, so that a class-data archive which is made at its end holds
   * what workers need.
   */
  public static void listClasses(RunSpec run, Path scratch) throws IOException {
    Task task = new Task(run, scratch.toString(), Build.versions());
    perform(JSON.readValue(JSON.writeValueAsBytes(task), Task.class));
  }

  /** The words that start a worker, with a heap of its own. */
  static List<String> command(long heapMiB) {
    return Launcher.java(
        List.of("-Xmx" + heapMiB + "m", "-Xss4m", "-XX:+ExitOnOutOfMemoryError"),
        Worker.class.getName());
  }
}

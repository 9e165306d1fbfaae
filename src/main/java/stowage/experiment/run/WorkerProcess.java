package stowage.experiment.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import stowage.experiment.suite.ExperimentJson;
import stowage.experiment.suite.RunSpec;
import stowage.packing.Threads;

/**
 * One worker process and the guard alongside it: it is killed when it continues some seconds beyond
 * its limit or takes more memory than it may, and whatever way it ends, a record comes of it.
 */
final class WorkerProcess {
  /** Seconds for the JVM to start and the problem to be read or made. */
  private static final double LOADING_SECONDS = 300;

  /** Seconds beyond the limit; the worker's own watchdog comes before. */
  private static final double GRACE_SECONDS = 12;

  private static final int OUT_OF_MEMORY_EXIT = 3;
  private static final int SIGNAL_EXIT = 128;
  private static final int INTERRUPTED_EXIT = 130;
  private static final int TERMINATED_EXIT = 143;
  private static final long POLL_MILLIS = 100;

  private final RunSpec run;
  private final Path scratch;
  private final Map<String, String> versions;
  private volatile long begunNanos;
  private volatile boolean begun;
  private volatile boolean interrupted;
  private Process process;
  private RunRecord.Outcome killed;
  private String why;

  WorkerProcess(RunSpec run, Path scratch, Map<String, String> versions) {
    this.run = run;
    this.scratch = scratch;
    this.versions = versions;
  }

  /**
   * Starts the worker, waits for its end and gives the record, or null when the worker was
   * interrupted from outside and the run counts as not done.
   */
  RunRecord call() throws IOException, InterruptedException {
    long start = System.nanoTime();
    Path errors = scratch.resolve("stderr.log");
    process =
        new ProcessBuilder(Worker.command(run.limits().memoryMiB()))
            .redirectError(errors.toFile())
            .start();
    OutputStream task = process.getOutputStream();
    try {
      Threads.start("worker's words", this::listen);
      send(task);
      guard(start);
    } finally {
      ExternalProgram.destroy(process.toHandle());
      close(task);
    }
    int exit = process.waitFor();
    return answer(exit, errors, (System.nanoTime() - start) / 1e9);
  }

  /** Kills the worker, also one that is about to start; a run without an answer is not done. */
  void interrupt() {
    interrupted = true;
  }

  /** Hands over the task; a worker that is gone already says why by its exit code. */
  private void send(OutputStream out) {
    try {
      Worker.Task task = new Worker.Task(run, scratch.toString(), versions);
      out.write(ExperimentJson.MAPPER.writeValueAsBytes(task));
      out.write('\n');
      out.flush();
    } catch (IOException ended) {
      // see above
    }
  }

  /** Closes the worker's input, in which words may be left that a dead worker did not take. */
  private static void close(OutputStream task) {
    try {
      task.close();
    } catch (IOException ended) {
      // The same.
    }
  }

  /** Drains what the worker prints, native solvers' words among it. */
  private void listen() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals(Worker.BEGIN)) {
          begunNanos = System.nanoTime();
          begun = true;
        }
      }
    } catch (IOException closed) {
      // The worker was killed.
    }
  }

  private void guard(long startNanos) throws InterruptedException {
    while (!interrupted && !process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      double since = (System.nanoTime() - (begun ? begunNanos : startNanos)) / 1e9;
      double limit = begun ? run.limits().seconds() + GRACE_SECONDS : LOADING_SECONDS;
      if (since > limit) {
        kill(
            RunRecord.Outcome.TIMEOUT,
            begun
                ? "did not answer after its limit and was killed"
                : "the problem was not read within " + LOADING_SECONDS + " s");
        return;
      }
      long resident = residentBytes();
      if (resident > run.limits().residentBytes()) {
        kill(
            RunRecord.Outcome.OUT_OF_MEMORY,
            "took %s MiB, more than the %s MiB it may"
                .formatted(resident >> 20, run.limits().residentBytes() >> 20));
        return;
      }
    }
  }

  /** Resident bytes of the worker and what it started; 0 where the system does not say. */
  private long residentBytes() {
    long sum = resident(process.pid());
    if (run.planner().isExternal()) {
      sum += process.descendants().mapToLong(child -> resident(child.pid())).sum();
    }
    return sum;
  }

  private static long resident(long pid) {
    return Machine.kilobytes(Path.of("/proc", Long.toString(pid), "status"), "VmRSS") << 10;
  }

  private void kill(RunRecord.Outcome outcome, String reason) {
    killed = outcome;
    why = reason;
    ExternalProgram.destroy(process.toHandle());
  }

  private RunRecord answer(int exit, Path errors, double wall) throws IOException {
    if (killed != null) {
      return RunRecord.without(run, killed, why, versions, null, wall);
    }
    Path answer = scratch.resolve(Worker.ANSWER);
    if (exit == 0 && Files.exists(answer)) {
      JsonNode record = ExperimentJson.MAPPER.readTree(answer.toFile());
      ((ObjectNode) record.get("times")).put("wall", wall);
      return ExperimentJson.MAPPER.treeToValue(record, RunRecord.class);
    }
    if (interrupted || exit == INTERRUPTED_EXIT || exit == TERMINATED_EXIT) {
      return null; // Ctrl-C reaches all processes of a terminal; a cluster ends a job by SIGTERM
    }
    if (exit == OUT_OF_MEMORY_EXIT) {
      String heap = "its heap of " + run.limits().memoryMiB() + " MiB was not enough";
      return RunRecord.without(run, RunRecord.Outcome.OUT_OF_MEMORY, heap, versions, null, wall);
    }
    String how =
        exit > SIGNAL_EXIT ? "died by signal " + (exit - SIGNAL_EXIT) : "ended with " + exit;
    String said = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8).strip();
    String first = said.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
    String message = how + ExternalProgram.quoted(first);
    return RunRecord.without(run, RunRecord.Outcome.CRASHED, message, versions, null, wall);
  }
}

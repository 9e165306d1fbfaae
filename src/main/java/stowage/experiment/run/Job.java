package stowage.experiment.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import stowage.experiment.suite.RunSpec;
import stowage.packing.RunControl;

/**
 * One run within this process: reads or makes the problem, lets the planner work, and says what
 * came of it. {@link #record} may be asked for at any time, by a watchdog too.
 */
abstract class Job {
  final RunSpec run;
  final Map<String, String> versions;
  double loadSeconds;
  volatile RunControl control;
  volatile RunRecord.Outcome outcome = RunRecord.Outcome.DONE;
  volatile String message;

  Job(RunSpec run, Map<String, String> versions) {
    this.run = run;
    this.versions = new LinkedHashMap<>(versions);
  }

  /** The job of a run: layer groups for an instance that asks for them, else offsets. */
  static Job of(RunSpec run, Map<String, String> versions) {
    return run.instance().group() == null
        ? new PackingJob(run, versions)
        : new GroupJob(run, versions);
  }

  /** Reads or makes the problem and looks at it; the run's time does not count yet. */
  final void load() {
    long start = System.nanoTime();
    run.instance().checkUnchanged();
    read();
    loadSeconds = (System.nanoTime() - start) / 1e9;
  }

  abstract void read();

  /**
   * Lets the planner work on something small, so that loading its classes and native libraries does
   * not count as planning; not worth it for runs that take long compared with it.
   */
  void warmUp() {}

  /** Works in a folder of its own until the planner ends or its limit is reached. */
  abstract void solve(Path scratch) throws IOException, InterruptedException;

  /** Ends the planner's work as soon as it looks, where the problem is already. */
  final void stop() {
    if (control != null) {
      control.stop();
    }
  }

  /** Sets how the run ended, where that is not as it should. */
  final void finish(RunRecord.Outcome how, String why) {
    outcome = how;
    message = why;
  }

  /** Writes the plan where there is one worth keeping; else nothing. */
  void writePlan(Path file) throws IOException {}

  abstract RunRecord record();
}

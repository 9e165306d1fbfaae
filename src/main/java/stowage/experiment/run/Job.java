package stowage.experiment.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import stowage.experiment.suite.RunSpec;

/**
 * One run within this process: reads or makes the problem, lets the planner work, and says what
 * came of it. {@link #record} may be asked for at any time, by a watchdog too.
 */
interface Job {

  /** The job of a run: layer groups for an instance that asks for them, else offsets. */
  static Job of(RunSpec run, Map<String, String> versions) {
    return run.instance().group() == null
        ? new PackingJob(run, versions)
        : new GroupJob(run, versions);
  }

  /** Reads or makes the problem and looks at it; the run's time does not count yet. */
  void load();

  /**
   * Lets the planner work on something small, so that loading its classes and native libraries does
   * not count as planning.
   */
  void warmUp();

  /**
   * Works until the planner ends or its limit is reached.
   *
   * @param scratch a folder for files of its own
   */
  void solve(Path scratch) throws IOException, InterruptedException;

  /** Ends the planner's work as soon as it looks, where the problem is already. */
  void stop();

  /** Sets how the run ended, where that is not as it should. */
  void finish(Outcome how, String why);

  /** Writes the plan where there is one worth keeping; else nothing. */
  default void writePlan(Path file) throws IOException {}

  /** What is known now. */
  RunRecord record();
}

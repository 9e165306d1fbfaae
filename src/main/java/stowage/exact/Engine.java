package stowage.exact;

import java.util.Map;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * A complete method: given time it finds the best placement and proves it. All it finds goes
 * through the incumbent, which verifies it; it never touches the problem's own terms, and ends
 * within a tenth of a second of being told to.
 *
 * <p>One object serves one run.
 */
public interface Engine {

  /** The name by which the command line and certificates know it. */
  String name();

  /**
   * Works until everything is proven, the control ends it, or it can do no more.
   *
   * @param problem with its capacities
   * @param incumbent where placements and bounds go; what others bring meanwhile is used
   * @param control when to stop, threads, seed
   * @param options settings of the engine
   */
  void run(PackingProblem problem, Incumbent incumbent, RunControl control, EngineOptions options);

  /** The engine's version, such as that of its library. */
  default String version() {
    return "stowage";
  }

  /** What it did so far: nodes, branches, conflicts and the like. */
  Map<String, Long> statistics();

  /** What the engine says of its parameters and its progress; empty when it keeps no log. */
  default String log() {
    return "";
  }
}

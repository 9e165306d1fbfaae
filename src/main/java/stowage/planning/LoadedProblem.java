package stowage.planning;

import java.util.Set;
import stowage.compiler.tflite.TfliteMicro;
import stowage.importer.io.PackingBaseline;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Baseline;
import stowage.packing.PackingProblem;

/**
 * An input, ready to be planned.
 *
 * @param problem the packing problem, with the memory, alignment and capacity that were asked for
 * @param planningCase the network and the rules it came from; of buffers alone for a list of them
 * @param baseline the plan that the network's file carries, or null
 * @param dumped the plan that the file carries of a list of buffers, or null
 * @param placedByRuntime tensors that the network's run-time places itself whatever a plan says
 */
public record LoadedProblem(
    PackingProblem problem,
    PlanningCase planningCase,
    Baseline baseline,
    PackingBaseline dumped,
    Set<String> placedByRuntime) {

  /** The same with a problem of the same buffers. */
  public LoadedProblem withProblem(PackingProblem other) {
    return new LoadedProblem(
        other, planningCase.withProblem(other), baseline, dumped, placedByRuntime);
  }

  /** The same with one memory's capacity set: the last one's, whose peak counts first. */
  public LoadedProblem withCapacity(long bytes) {
    int last = problem.memories().size() - 1;
    return withProblem(problem.withCapacity(last, bytes));
  }

  /** A list of buffers. */
  public static LoadedProblem of(PackingProblem problem) {
    return of(problem, null);
  }

  /** A list of buffers with the plan that its file carries, or null. */
  public static LoadedProblem of(PackingProblem problem, PackingBaseline dumped) {
    return new LoadedProblem(problem, PlanningCase.ofBuffers(problem), null, dumped, Set.of());
  }

  /** Whether TFLite Micro runs the network, by a plan of its ops as they are in the file. */
  public boolean isForTfliteMicro() {
    return planningCase.hasNetwork()
        && planningCase.network().format().equals(TfliteMicro.FORMAT)
        && planningCase.options().order() == LivenessOptions.Order.IN_ORDER
        && problem.memories().size() == 1;
  }
}

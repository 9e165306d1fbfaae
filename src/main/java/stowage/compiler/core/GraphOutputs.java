package stowage.compiler.core;

import java.util.HashSet;
import java.util.Set;
import stowage.liveness.PlanningCase;

/** Which buffers of a case carry outputs of the graph; none where there is no graph. */
public final class GraphOutputs {
  private final PlanningCase planningCase;
  private final Set<String> outputs;

  public GraphOutputs(PlanningCase planningCase) {
    this.planningCase = planningCase;
    this.outputs =
        planningCase.hasNetwork() ? new HashSet<>(planningCase.network().outputs()) : Set.of();
  }

  /** Whether a buffer, by its index in the problem, carries an output. */
  public boolean contains(int buffer) {
    return !outputs.isEmpty()
        && planningCase.contents().get(buffer).parts().stream()
            .anyMatch(part -> outputs.contains(part.tensor()));
  }
}

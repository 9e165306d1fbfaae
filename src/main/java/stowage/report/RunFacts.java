package stowage.report;

import java.util.List;
import stowage.compiler.openvino.GpuAllocation;
import stowage.exact.engine.EngineReport;
import stowage.packing.Incumbent;
import stowage.planning.Excess;
import stowage.planning.SharedArena;
import stowage.planning.Stability;

/**
 * Facts that a run found in addition to its plan.
 *
 * @param trace the improvements of the run, in order
 * @param remarks what else there is to know of the plan, a sentence each
 * @param stability how far the plan is from an earlier one, or null
 * @param partOf how the models run of which this plan is one's part, or null
 * @param excess what does not fit, where no plan is within the capacity; or null
 * @param allocation what OpenVINO allocates object by object, or null
 */
public record RunFacts(
    List<EngineReport> engines,
    List<Incumbent.Event> trace,
    List<String> remarks,
    Stability stability,
    SharedArena arena,
    SharedArena.Run partOf,
    Excess excess,
    GpuAllocation allocation) {

  /** Nothing besides the plan. */
  public static final RunFacts NONE = of(List.of());

  public RunFacts {
    engines = List.copyOf(engines);
    trace = List.copyOf(trace);
    remarks = List.copyOf(remarks);
  }

  /** The improvements alone. */
  public static RunFacts of(List<Incumbent.Event> trace) {
    return new RunFacts(List.of(), trace, List.of(), null, null, null, null, null);
  }
}

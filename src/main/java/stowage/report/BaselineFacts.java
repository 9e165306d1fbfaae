package stowage.report;

import java.util.List;
import java.util.Set;
import stowage.importer.io.PackingBaseline;
import stowage.liveness.BaselineCheck;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.planning.LoadedProblem;

/**
 * The plan that the input itself carries.
 *
 * @param source who made it, such as {@code tpu-mlir}
 * @param peak its peak in bytes, or null when it has none
 * @param inputsKept whether it was checked, and found right, with graph inputs kept to the end;
 *     else they were free after their last use; null for a plan of buffers
 * @param memories what each memory takes, in the problem's order, where there are several; else
 *     empty
 * @param status {@code VALID}, or what is wrong with it
 */
public record BaselineFacts(
    String source, Long peak, Boolean inputsKept, List<Long> memories, String status) {

  /** The plan that an input carries, or null. O(n log n). */
  static BaselineFacts of(LoadedProblem input) {
    if (input.dumped() != null) {
      PackingBaseline dumped = input.dumped();
      return new BaselineFacts(
          dumped.source(),
          dumped.headline(input.problem()),
          null,
          dumped.bytes().size() > 1 ? dumped.bytes() : List.of(),
          dumped.status(input.problem()));
    }
    if (input.baseline() == null) {
      return null;
    }
    PlanningCase planned = input.planningCase();
    BaselineCheck check =
        BaselineCheck.of(
            planned.network(), input.baseline(), planned.options().inPlace(), Set.of());
    boolean kept = check.inputs() == LivenessOptions.Inputs.KEEP;
    return new BaselineFacts(check.source(), check.peak(), kept, List.of(), check.status());
  }

  /** The status, with the rule for graph inputs. */
  public String text() {
    if (inputsKept == null) {
      return status;
    }
    return status + " with graph inputs " + (inputsKept ? "kept" : "freed after their last use");
  }
}

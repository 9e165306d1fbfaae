package stowage.onchip.search;

import java.util.List;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemVerifier;
import stowage.onchip.schedule.TimeTable;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;

/**
 * A group as it is to run.
 *
 * @param sliced the group with its slices
 * @param table when everything happens
 * @param heldInputs inputs that stay for all slices, by activation
 * @param heldWeights constants that stay for all slices
 * @param problem the buffers in LMEM
 * @param placement where they are, verified; null where another compiler's addresses do not hold
 * @param trafficBytes bytes moved between GMEM and LMEM
 * @param cycles of the cost model
 */
public record GroupPlan(
    SlicedGroup sliced,
    TimeTable table,
    boolean[] heldInputs,
    boolean[] heldWeights,
    LmemProblem problem,
    LmemPlacement placement,
    long trafficBytes,
    double cycles) {

  /** Checks the placement. */
  public GroupPlan {
    List<String> wrong =
        placement == null ? List.of() : LmemVerifier.violations(problem, placement);
    if (!wrong.isEmpty()) {
      throw new IllegalStateException("LMEM placement does not hold: " + wrong.get(0));
    }
  }

  /** The same with other addresses. */
  public GroupPlan with(LmemPlacement other) {
    return new GroupPlan(
        sliced, table, heldInputs, heldWeights, problem, other, trafficBytes, cycles);
  }

  /** The group. */
  public GroupModel group() {
    return sliced.group();
  }
}

package stowage.onchip.search;

import java.util.ArrayList;
import java.util.List;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemVerifier;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.TimeTable;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;

/**
 * A group as it is to run: slices, steps and what stays; a verified placement (null: another
 * compiler's addresses do not hold); bytes moved between GMEM and LMEM; cycles of the cost model.
 */
public record GroupPlan(
    GroupRun run, LmemProblem problem, LmemPlacement placement, long trafficBytes, double cycles) {

  public GroupPlan {
    List<String> wrong = new ArrayList<>();
    if (placement != null) {
      wrong.addAll(run.table().faults(run.sliced().group()));
      wrong.addAll(LmemVerifier.violations(problem, placement));
    }
    if (!wrong.isEmpty()) {
      throw new IllegalStateException("LMEM plan does not hold: " + wrong.get(0));
    }
  }

  public static GroupPlan of(
      GroupRun run, LmemProblem problem, LmemPlacement placement, CostModel cost) {
    long traffic = cost.groupTraffic(run.sliced(), run.staying());
    return new GroupPlan(run, problem, placement, traffic, cost.groupCycles(run));
  }

  /** The same with other addresses. */
  public GroupPlan with(LmemPlacement other) {
    return new GroupPlan(run, problem, other, trafficBytes, cycles);
  }

  public GroupModel group() {
    return run.sliced().group();
  }

  public SlicedGroup sliced() {
    return run.sliced();
  }

  /** When everything happens. */
  public TimeTable table() {
    return run.table();
  }
}

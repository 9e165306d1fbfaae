package stowage.onchip.search;

import java.util.stream.IntStream;
import stowage.onchip.lmem.LmemAllocator;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.TpuMlirAllocator;
import stowage.onchip.lmem.TpuMlirManualAllocator;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.TimeSteps;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.LoadBound;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Staying;

/**
 * A sliced group as the rules of the documents or of today run it: constants of a cut group all
 * stay, or, today, are all loaded again for each slice where they would fill the lane; the steps
 * are a pipeline; addresses come from one pass without a way back.
 */
final class RuleBasedEvaluation {
  private final CostModel cost;
  private final TpuMlirManualAllocator document = new TpuMlirManualAllocator();
  private final TpuMlirAllocator today = new TpuMlirAllocator();

  RuleBasedEvaluation(CostModel cost) {
    this.cost = cost;
  }

  /** Whether today's rules load all constants again for each slice. */
  private static boolean reloadsAll(SlicedGroup sliced, GroupOptions.Lmem rules) {
    GroupModel group = sliced.group();
    if (rules != GroupOptions.Lmem.TODAY || !sliced.slicing().isCut()) {
      return false;
    }
    long inputs =
        IntStream.range(0, group.tensorCount())
            .filter(t -> group.isInput(t) && sliced.isConstant(t))
            .mapToLong(sliced::laneBytes)
            .sum();
    return inputs + group.weightLaneBytes() >= group.graph().chip().laneBytes();
  }

  private static Staying staying(SlicedGroup sliced, GroupOptions.Lmem rules) {
    return reloadsAll(sliced, rules) ? Staying.nothing(sliced) : Staying.all(sliced);
  }

  /** Bytes moved if the rules find a placement. */
  long traffic(SlicedGroup sliced, GroupOptions.Lmem rules) {
    return cost.groupTraffic(sliced, staying(sliced, rules));
  }

  /** The group as it runs, or null where the rules find no placement. */
  GroupOutcome run(SlicedGroup sliced, GroupOptions.Lmem rules) {
    boolean held = sliced.slicing().isCut() && !reloadsAll(sliced, rules);
    if (held && new LoadBound(sliced).leastReloaded() > 0) {
      return null; // no table leaves room for all constants
    }
    GroupRun run = new TimeSteps(sliced, cost).run(true, staying(sliced, rules));
    LmemProblem problem = run.problem();
    if (problem.exceedsLane()) {
      return null;
    }
    LmemAllocator allocator = rules == GroupOptions.Lmem.TODAY ? today : document;
    LmemPlacement placement = allocator.allocate(problem);
    return placement == null ? null : GroupOutcome.found(run, problem, placement, cost);
  }
}

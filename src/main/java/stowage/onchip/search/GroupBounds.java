package stowage.onchip.search;

import java.util.function.LongToDoubleFunction;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;

/** What a group costs at least, whatever its slices, steps and addresses; without a search. */
public record GroupBounds(CostModel cost) {
  /** The least cost under an objective. */
  public double of(GroupModel group, GroupOptions.GroupObjective objective) {
    return objective == GroupOptions.GroupObjective.CYCLES ? cycles(group) : traffic(group);
  }

  /** Bytes a group moves at least: its inputs, constants and results, once. */
  private static long traffic(GroupModel group) {
    return (long) moved(group, bytes -> bytes);
  }

  /** Cycles a group takes at least: the longer of all its computing and all its moves. */
  private double cycles(GroupModel group) {
    double computed = 0;
    for (int m = 0; m < group.size(); m++) {
      boolean whole = !group.graph().isCutShort(group.members()[m]);
      computed += whole ? cost.wholeCycles(group.graph(), group.layer(m)) : 0;
    }
    return Math.max(moved(group, cost::transferCycles), computed);
  }

  private static double moved(GroupModel group, LongToDoubleFunction price) {
    LayerGraph graph = group.graph();
    double sum = 0;
    for (int t = 0; t < group.tensorCount(); t++) {
      boolean whole = group.isInput(t) ? !graph.isSkipped(group.tensor(t)) : group.isStored(t);
      sum += whole ? price.applyAsDouble(graph.tensor(group.tensor(t)).bytes()) : 0;
    }
    for (int w = 0; w < group.weightCount(); w++) {
      sum += price.applyAsDouble(group.weightBytes(w));
    }
    return sum;
  }

  /**
   * Cycles of a sliced group at least, whatever its steps: the longer of all computing and all
   * moves. What may stay is moved once, all else with each slice.
   */
  double cycles(SlicedGroup sliced) {
    GroupModel group = sliced.group();
    long runs = sliced.slicing().count();
    double moved = 0;
    for (int t = 0; t < group.tensorCount(); t++) {
      double cycles = cost.transferCycles(CostModel.sliceBytes(sliced, t));
      if (group.isInput(t)) {
        moved += cycles * (sliced.isConstant(t) ? 1 : runs);
      }
      if (group.isStored(t)) {
        moved += cycles * runs;
      }
    }
    for (int w = 0; w < group.weightCount(); w++) {
      moved += cost.transferCycles(group.weightBytes(w));
    }
    double computed = 0;
    for (int m = 0; m < group.size(); m++) {
      computed += cost.memberCycles(sliced, m);
    }
    return Math.max(moved, computed * runs);
  }
}

package stowage.onchip.partition;

import java.util.Arrays;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupBounds;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupSearch;

/**
 * What groups of neighbours cost at least, without a search: the same as {@link GroupBounds}, for
 * all groups with one last op at once. The group grows towards the first op; each op that joins
 * changes only what it reads and makes itself. O(operands) an op.
 */
final class IntervalCosts {
  private final LayerGraph graph;
  private final CostModel cost;
  private final boolean cycles;
  private final double[] alone;
  private final double[] computed;
  private final int[] inputOf;
  private final int[] weightOf;
  private final double[] weightMoved;

  IntervalCosts(LayerGraph graph, CostModel cost, GroupOptions.GroupObjective objective) {
    this.graph = graph;
    this.cost = cost;
    this.cycles = objective == GroupOptions.GroupObjective.CYCLES;
    this.alone = new double[graph.size()];
    this.computed = new double[graph.size()];
    this.inputOf = new int[graph.tensorCount()];
    this.weightOf = new int[graph.tensorCount()];
    this.weightMoved = new double[graph.tensorCount()];
    for (int p = 0; p < alone.length; p++) {
      Layer layer = graph.layer(p);
      alone[p] = GroupSearch.alone(graph, cost, p, objective);
      boolean whole = layer.groupable() && !graph.isCutShort(p);
      computed[p] = whole ? cost.wholeCycles(graph, layer) : 0;
    }
  }

  double alone(int position) {
    return alone[position];
  }

  /**
   * By first op, what the group from there to the last op costs at least; infinite from the first
   * op on, going back, that cannot be grouped.
   */
  double[] endingIn(int last) {
    double[] least = new double[last + 1];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(inputOf, -1);
    Arrays.fill(weightOf, -1);
    double moved = 0;
    double worked = 0;
    for (int p = last; p >= 0 && graph.layer(p).groupable(); p--) {
      Layer layer = graph.layer(p);
      for (int result : layer.results()) {
        if (inputOf[result] == last) {
          inputOf[result] = -1;
          moved -= reading(result);
        }
        moved += isNeededAfter(result, last) ? moving(result) : 0;
      }
      for (Layer.Operand operand : layer.operands()) {
        if (inputOf[operand.tensor()] != last) {
          inputOf[operand.tensor()] = last;
          moved += reading(operand.tensor());
        }
      }
      for (Layer.WeightUse use : layer.weights()) {
        int tensor = use.tensor();
        moved -= weightOf[tensor] == last ? weightMoved[tensor] : 0;
        weightOf[tensor] = last;
        weightMoved[tensor] = moving(LaneSize.weightBytes(use, graph.tensor(tensor)));
        moved += weightMoved[tensor];
      }
      worked += computed[p];
      least[p] = cycles ? Math.max(moved, worked) : moved;
    }
    return least;
  }

  private boolean isNeededAfter(int tensor, int last) {
    int[] consumers = graph.consumers(tensor);
    return graph.isOutput(tensor)
        || consumers.length == 0
        || consumers[consumers.length - 1] > last;
  }

  private double reading(int tensor) {
    return graph.isSkipped(tensor) ? 0 : moving(tensor);
  }

  private double moving(int tensor) {
    return moving(graph.tensor(tensor).bytes());
  }

  private double moving(long bytes) {
    return cycles ? cost.transferCycles(bytes) : bytes;
  }
}

package stowage.onchip;

import java.util.List;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupPlan;

/**
 * A group of a finished grouping, or an op that runs by itself.
 *
 * @param members positions in the execution order, rising
 * @param plan how it runs; null for an op by itself
 * @param answer its addresses with bounds; null for an op by itself
 * @param trafficBytes bytes moved between GMEM and LMEM
 * @param cycles of the cost model
 * @param reason why an op runs by itself, as far as it is known; null for a group
 * @param remark where addresses do not come from the rule asked for, whose they are and why; null
 *     otherwise
 * @param violations what is wrong with addresses that came from elsewhere, one line each
 */
public record PlannedGroup(
    int[] members,
    GroupPlan plan,
    LmemAnswer answer,
    long trafficBytes,
    double cycles,
    String reason,
    String remark,
    List<String> violations) {

  public PlannedGroup {
    violations = List.copyOf(violations);
  }

  /** A group with its addresses; see the record for the remark and the violations. */
  public static PlannedGroup of(
      GroupPlan plan, LmemAnswer answer, String remark, List<String> violations) {
    int[] members = plan.group().members();
    return new PlannedGroup(
        members, plan, answer, plan.trafficBytes(), plan.cycles(), null, remark, violations);
  }

  /** An op by itself, and why. */
  public static PlannedGroup alone(LayerGraph graph, CostModel cost, int position, String reason) {
    Layer layer = graph.layer(position);
    long traffic = cost.layerTraffic(graph, layer);
    double cycles = cost.layerCycles(graph, layer);
    return new PlannedGroup(
        new int[] {position}, null, null, traffic, cycles, reason, null, List.of());
  }

  /** Whether ops run together in LMEM. */
  public boolean isGrouped() {
    return plan != null;
  }

  public int first() {
    return members[0];
  }

  public int last() {
    return members[members.length - 1];
  }

  /** Whether the positions follow each other without a gap. */
  public boolean isContiguous() {
    return last() - first() + 1 == members.length;
  }

  /** Bytes a lane in use; 0 for an op by itself. */
  public long lmemPeak() {
    return answer == null ? 0 : answer.score().peak();
  }
}

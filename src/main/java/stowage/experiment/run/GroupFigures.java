package stowage.experiment.run;

import java.util.List;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.lmem.LmemScore;

/**
 * What a network in layer groups costs.
 *
 * @param groups groups of more than one op
 * @param alone ops that run by themselves
 * @param trafficBytes bytes moved between GMEM and LMEM
 * @param cycles of the cost model
 * @param lmemPeak the most bytes a lane in use
 * @param clashes transfers that share a bank with an op computing in the same step, over all groups
 * @param operandClashes steps in which two operands of an op share a bank
 * @param bankCrossings buffers no larger than a bank across a border
 * @param provenGroups groups whose addresses are proven the best
 */
public record GroupFigures(
    int groups,
    int alone,
    long trafficBytes,
    long cycles,
    long lmemPeak,
    long clashes,
    long operandClashes,
    long bankCrossings,
    int provenGroups) {

  /** The figures of a grouping. O(groups). */
  static GroupFigures of(Grouping grouping) {
    List<PlannedGroup> real = grouping.groups().stream().filter(PlannedGroup::isGrouped).toList();
    long clashes = 0;
    long operandClashes = 0;
    long crossings = 0;
    int proven = 0;
    for (PlannedGroup group : real) {
      LmemScore score = group.answer().score();
      clashes += score.clashes();
      operandClashes += score.operandClashes();
      crossings += score.bankCrossings();
      proven += group.answer().isOptimal() ? 1 : 0;
    }
    return new GroupFigures(
        real.size(),
        grouping.groups().size() - real.size(),
        grouping.trafficBytes(),
        Math.round(grouping.cycles()),
        grouping.lmemPeak(),
        clashes,
        operandClashes,
        crossings,
        proven);
  }
}

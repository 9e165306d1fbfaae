package stowage.onchip.search;

import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.Staying;

/**
 * What was found out about running a set of ops as a group, for every group of its structure.
 *
 * @param pipelined whether slices overlap in time
 * @param staying what stays in LMEM for all slices
 * @param placement where the buffers are; null where no way of running it was found
 * @param trafficBytes bytes moved between GMEM and LMEM
 * @param cycles of the cost model
 * @param peak bytes a lane that the placement uses
 * @param lower no way of running the group costs less under the objective that it was sought for
 * @param reason why it does not fit: one line; null when it fits
 */
public record GroupOutcome(
    Slicing slicing,
    boolean pipelined,
    Staying staying,
    LmemPlacement placement,
    long trafficBytes,
    double cycles,
    long peak,
    double lower,
    String reason) {

  /** The group cannot run, or no way was found; then the bound still holds. */
  static GroupOutcome none(String reason, double lower) {
    return new GroupOutcome(null, false, null, null, 0, 0, 0, lower, reason);
  }

  /** The group cannot run: proven. */
  static GroupOutcome impossible(String reason) {
    return none(reason, Double.POSITIVE_INFINITY);
  }

  /** A way of running a sliced group that was found; it bounds nothing yet. */
  static GroupOutcome found(
      GroupRun run, LmemProblem problem, LmemPlacement placement, CostModel cost) {
    return new GroupOutcome(
        run.sliced().slicing(),
        run.table().stages() > 1,
        run.staying(),
        placement,
        cost.groupTraffic(run.sliced(), run.staying()),
        cost.groupCycles(run),
        placement.peak(problem),
        0,
        null);
  }

  /** Whether a way was found. */
  public boolean fits() {
    return placement != null;
  }

  GroupOutcome bounded(double least, GroupOptions.GroupObjective objective) {
    double proven = fits() ? Math.min(least, cost(objective)) : least;
    return new GroupOutcome(
        slicing, pipelined, staying, placement, trafficBytes, cycles, peak, proven, reason);
  }

  /** The figure that counts first under an objective. */
  public double cost(GroupOptions.GroupObjective objective) {
    return objective == GroupOptions.GroupObjective.CYCLES ? cycles : trafficBytes;
  }

  /** Whether this is better than another way of running the same group. */
  boolean isBetter(GroupOutcome other, GroupOptions.GroupObjective objective) {
    if (other == null || !other.fits()) {
      return true;
    }
    if (objective == GroupOptions.GroupObjective.LMEM_PEAK && peak != other.peak) {
      return peak < other.peak;
    }
    if (objective == GroupOptions.GroupObjective.CYCLES && cycles != other.cycles) {
      return cycles < other.cycles;
    }
    return trafficBytes != other.trafficBytes
        ? trafficBytes < other.trafficBytes
        : cycles < other.cycles;
  }
}

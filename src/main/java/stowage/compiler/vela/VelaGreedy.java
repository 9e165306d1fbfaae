package stowage.compiler.vela;

import java.util.Comparator;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * The greedy allocator of Vela, the compiler for Arm's Ethos-U.
 *
 * <p>Order: first step ascending, last step descending; ties in file order. Rule: an online
 * allocator. Before each buffer those that ended earlier are freed; the buffer takes the tightest
 * gap between the live ones, by what is from the unaligned end of one to the start of the next, the
 * lowest of equal ones; else it goes above the highest. Of those placed before, the live ones are
 * those alive with it, so this is best fit in that order.
 *
 * <p>Example: a 8 bytes [0, 4), b 4 bytes [0, 2), c 4 bytes [2, 4): a comes first for it ends last
 * and is at 0, b above it at 8; b is freed, c takes 8.
 *
 * <p>O(n k log k) for k buffers alive together.
 *
 * @see <a
 *     href="https://github.com/nxp-imx/ethos-u-vela/blob/bc6ee58dbbd50fe83adfb1726c868898e5cfb491/ethosu/vela/greedy_allocation.py">nxp-imx/ethos-u-vela@bc6ee58d:greedy_allocation.py</a>
 */
public final class VelaGreedy extends ListRule {
  /** The planner. */
  public VelaGreedy() {
    super(
        "vela-greedy",
        "as of December 2023",
        "Vela's greedy allocator: by start, online, tightest gap");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] order =
        all.sorted(
            Comparator.comparingInt((Integer r) -> all.start[r])
                .thenComparingInt(r -> -all.end[r]));
    return all.placedInOrder(order, Fit.BEST, control);
  }
}

package stowage.compiler.vela;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * The greedy allocator of Vela, the compiler for Arm's Ethos-U.
 *
 * <p>Order: first step ascending, last step descending; ties in file order. Rule: an online
 * allocator. Before each buffer those that ended earlier are freed; the buffer takes the tightest
 * gap between the live ones, by what is from the unaligned end of one to the start of the next, the
 * lowest of equal ones; else it goes above the highest.
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
    long[] offsets = new long[all.count()];
    List<Integer> live = new ArrayList<>();
    Comparator<Integer> byAddress = Comparator.comparingLong(r -> offsets[r]);
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int rectangle = order[k];
      live.removeIf(other -> all.end[other] <= all.start[rectangle]);
      offsets[rectangle] = offset(rectangle, live, all, offsets);
      live.add(rectangle);
      live.sort(byAddress);
    }
    return CasePlan.arena(all.placement(offsets));
  }

  private static long offset(int rectangle, List<Integer> live, HullList all, long[] offsets) {
    long best = live.stream().mapToLong(other -> offsets[other] + all.size[other]).max().orElse(0);
    long tightest = Long.MAX_VALUE;
    long current = 0;
    for (int other : live) {
      if (current + all.size[rectangle] <= offsets[other] && offsets[other] - current < tightest) {
        best = current;
        tightest = offsets[other] - current;
      }
      current = offsets[other] + all.size[other];
    }
    return best;
  }
}

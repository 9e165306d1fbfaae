package stowage.compiler;

import java.util.Comparator;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * XNNPACK's memory planner, the CPU's in LiteRT and ExecuTorch.
 *
 * <p>Order: size descending, ties in file order (the C library's sort is stable on Linux). Rule:
 * the placed buffers that are alive at the same time, sorted by offset and joined where they touch,
 * leave gaps; the smallest that holds the buffer takes it, the lowest of equal ones, else it goes
 * above them all. {@code xnnpack} counts the space below the lowest block as a gap; {@code
 * xnnpack-2025} is the rule before July 2026, which never does.
 *
 * <p>Example: a 100 bytes [0, 2), b 80 bytes [1, 3), c 60 bytes [2, 4): a at 0, b at 100, and c at
 * 0 today, at 180 before.
 *
 * <p>On a network sizes are rounded up to 64, as on x86; the run-time rounds to 16 on Arm, and adds
 * 32 bytes to the arena, which are not counted. Graph inputs and outputs are the caller's there
 * ({@code --inputs caller}); what is in place is what the case has in place. Complexity: see {@link
 * stowage.heuristic.GapPlacer}.
 *
 * @see <a
 *     href="https://github.com/google/XNNPACK/blob/75db3c09/src/memory-planner.c">google/XNNPACK@75db3c09:memory-planner.c</a>
 * @see <a
 *     href="https://github.com/google/XNNPACK/blob/0fd983b4c3a7f82d9d932a3fac6313237d444932/src/memory-planner.c">google/XNNPACK@0fd983b4:memory-planner.c,
 *     before the space below the lowest block counted</a>
 */
public final class Xnnpack extends ListRule {
  private static final long PADDING = 64;
  private final boolean leadingGap;

  /**
   * The planner of today, or of before July 2026: whether space below the lowest block is a gap.
   */
  public Xnnpack(boolean leadingGap) {
    super(
        leadingGap ? "xnnpack" : "xnnpack-2025",
        leadingGap ? "since July 2026" : "until July 2026",
        leadingGap
            ? "XNNPACK: largest first, tightest gap"
            : "XNNPACK before July 2026: largest first, tightest gap between two blocks");
    this.leadingGap = leadingGap;
  }

  @Override
  protected long granule(boolean network) {
    return network ? PADDING : 1;
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] order = all.sorted(Comparator.comparingLong(r -> -all.size[r]));
    return all.placedInOrder(order, leadingGap ? Fit.BEST : Fit.BEST_BETWEEN, control);
  }
}

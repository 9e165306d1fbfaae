package stowage.compiler.tvm;

import java.util.Arrays;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.SystemPlanner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * TVM's greedy planners of static memory: by size and by conflicts.
 *
 * <p>Source: src/tir/usmp/algo/greedy.cc of apache/tvm before a531d170b9. Order: by size: size,
 * then number of conflicts, then name, all descending; by conflicts: number of conflicts, then
 * size, then name. Rule: a buffer goes above <em>all</em> placed buffers it conflicts with, even
 * where a gap below would hold it; of several pools it takes the first, in its order of preference,
 * in which it then fits.
 *
 * <p>Example: a 4 bytes [0, 9), b 4 bytes [0, 2), c 4 bytes [1, 9), d 4 bytes [5, 9), placed in
 * this order: a at 0, b at 4, c at 8, d at 12, although 4 is free.
 *
 * <p>Names are compared as text. A buffer that fits nowhere, which stops the original, goes into
 * its last pool, and the capacity is judged outside. O(n log n + conflicts).
 *
 * @see <a
 *     href="https://github.com/apache/tvm/blob/b3f39b4c7b7d66513d186207401f16687199cc6f/src/tir/usmp/algo/greedy.cc">apache/tvm@b3f39b4c:greedy.cc</a>
 */
public final class TvmGreedy extends SystemPlanner {
  private final boolean byConflicts;

  /** A planner for which the number of conflicts may come before the size. */
  public TvmGreedy(boolean byConflicts) {
    super(
        byConflicts ? "tvm-conflicts" : "tvm-size",
        "until February 2025",
        byConflicts
            ? "TVM: most conflicts first, above all that it conflicts with"
            : "TVM: largest first, above all that it conflicts with");
    this.byConflicts = byConflicts;
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    TvmBuffers given = new TvmBuffers(name(), planningCase.problem());
    int[] order = given.all.sorted(byConflicts ? given.byConflicts() : given.bySize());
    long[] offsets = new long[order.length];
    int[] pools = new int[order.length];
    Arrays.fill(pools, -1);
    for (int r : order) {
      for (int pool : given.pools[r]) {
        long offset = 0;
        for (int other : given.conflicts[r]) {
          if (pools[other] == pool) {
            offset = Math.max(offset, offsets[other] + given.all.size[other]);
          }
        }
        offsets[r] = offset;
        pools[r] = pool;
        if (given.fits(pool, offset, given.all.size[r])) {
          break;
        }
      }
    }
    return CasePlan.arena(given.all.placement(offsets, pools));
  }
}

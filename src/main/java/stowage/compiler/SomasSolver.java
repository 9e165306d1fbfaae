package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * MindSpore's SOMAS solver: the best of eight runs of a fast heuristic.
 *
 * <p>Source: mindspore/ccsrc/backend/common/somas (somas_solver_core.cc, somas_solver_alg.cc). The
 * runs are two algorithms times two orders times two fits.
 *
 * <ul>
 *   <li><em>Shared objects</em>: a chain of footprints, each a stretch of memory as large as the
 *       first block put into it. A block goes into the first footprint whose first block it does
 *       not conflict with and where it finds a gap; it may not reach beyond the footprint. The
 *       chain ends with an empty stretch that takes any block. <em>Single object</em>: one
 *       footprint without an end.
 *   <li>Orders: graph outputs first, then size descending, then index; the second order has a flag
 *       of the graph, whether the peak's memory can be reused, as first key. Nothing says that flag
 *       here, so both orders are the same and are run once.
 *   <li>Fits: the tightest gap, of equal ones the lowest; or the lowest.
 * </ul>
 *
 * The smallest result counts, but single object must be smaller than shared objects by more than
 * 100 MiB. Buffers alive from the first step to the last are left out of it and are above the
 * result, in file order. Pairs kept apart by streams are extra conflicts, which the original has
 * too. Blocks of tensors that must be contiguous do not occur; sizes are rounded to the problem's
 * alignment, not to the original's 512.
 *
 * <p>A run stopped by a limit counts for nothing; the runs before it are given from. O(n²) a run.
 *
 * @see <a
 *     href="https://github.com/mindspore-ai/mindspore/blob/2e3e5d123b2f74db6f385cc729d51ff6994976a2/mindspore/ccsrc/backend/common/somas/somas_solver_core.cc">mindspore-ai/mindspore@2e3e5d12:somas_solver_core.cc</a>
 */
public final class SomasSolver extends ListRule {
  private static final long THRESHOLD = 100L << 20;

  public SomasSolver() {
    super(
        "somas",
        "as of 2025",
        "MindSpore SOMAS: largest first into footprints, best of tightest and lowest gap");
  }

  @Override
  protected HullList.ConstraintKind[] known() {
    return new HullList.ConstraintKind[] {HullList.ConstraintKind.CONFLICTS};
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    Set<String> outputs = planningCase.outputs();
    int first = Arrays.stream(all.start).min().orElse(0);
    int last = Arrays.stream(all.end).max().orElse(0);
    List<Integer> order = new ArrayList<>();
    List<Integer> lifelong = new ArrayList<>();
    for (int r = 0; r < all.count(); r++) {
      boolean whole = all.start[r] == first && all.end[r] == last;
      (whole ? lifelong : order).add(r);
    }
    order.sort(
        Comparator.comparing((Integer r) -> !planningCase.carries(all.index(r), outputs))
            .thenComparingLong(r -> -all.size[r]));
    Run shared = null;
    Run single = null;
    boolean cutShort = false;
    for (boolean best : new boolean[] {true, false}) {
      try {
        Run run = new Run(all, true, best).place(order, control);
        shared = shared == null || run.total < shared.total ? run : shared;
        run = new Run(all, false, best).place(order, control);
        single = single == null || run.total < single.total ? run : single;
      } catch (NotPlannableException stopped) {
        if (shared == null) {
          throw stopped;
        }
        cutShort = true;
        break;
      }
    }
    Run chosen = single != null && shared.total - single.total > THRESHOLD ? single : shared;
    long end = chosen.total;
    for (int r : lifelong) {
      chosen.offsets[r] = end;
      end += all.size[r];
    }
    return CasePlan.searched(all.placement(chosen.offsets), cutShort);
  }

  /** One run: a chain of footprints, or one without an end. */
  private static final class Run {
    private final HullList all;
    private final boolean sharedObjects;
    private final boolean bestFit;
    private final long[] offsets;
    private final List<Footprint> footprints = new ArrayList<>();
    private long total;

    Run(HullList all, boolean sharedObjects, boolean bestFit) {
      this.all = all;
      this.sharedObjects = sharedObjects;
      this.bestFit = bestFit;
      this.offsets = new long[all.count()];
    }

    Run place(List<Integer> order, RunControl control) {
      for (int k = 0; k < order.size(); k++) {
        NotPlannableException.throwIfStopped(control, k, order.size());
        placeOne(order.get(k));
      }
      return this;
    }

    private void placeOne(int r) {
      for (Footprint footprint : footprints) {
        if (sharedObjects && all.conflict(r, footprint.first())) {
          continue;
        }
        long offset = footprint.find(r, bestFit);
        if (offset >= 0) {
          put(r, footprint, offset);
          return;
        }
      }
      Footprint opened =
          new Footprint(all, total, sharedObjects ? total + all.size[r] : Long.MAX_VALUE);
      footprints.add(opened);
      put(r, opened, total);
    }

    private void put(int r, Footprint footprint, long offset) {
      offsets[r] = offset;
      footprint.add(r, offset);
      total = Math.max(total, offset + all.size[r]);
    }
  }

  /** A stretch of memory and what is in it, by address. */
  private static final class Footprint {
    private final HullList all;
    private final long low;
    private final long limit;
    private int first;
    private int count;
    private int[] members = new int[2];
    private int[] starts = new int[2];
    private int[] ends = new int[2];
    private long[] offsets = new long[2];

    Footprint(HullList all, long low, long limit) {
      this.all = all;
      this.low = low;
      this.limit = limit;
    }

    /** The block that made the footprint. */
    int first() {
      return first;
    }

    void add(int r, long offset) {
      if (count == 0) {
        first = r;
      }
      if (count == members.length) {
        members = Arrays.copyOf(members, 2 * count);
        starts = Arrays.copyOf(starts, 2 * count);
        ends = Arrays.copyOf(ends, 2 * count);
        offsets = Arrays.copyOf(offsets, 2 * count);
      }
      int found = Arrays.binarySearch(offsets, 0, count, offset);
      int at = found < 0 ? -found - 1 : found;
      int behind = count++ - at;
      System.arraycopy(members, at, members, at + 1, behind);
      System.arraycopy(starts, at, starts, at + 1, behind);
      System.arraycopy(ends, at, ends, at + 1, behind);
      System.arraycopy(offsets, at, offsets, at + 1, behind);
      members[at] = r;
      starts[at] = all.start[r];
      ends[at] = all.end[r];
      offsets[at] = offset;
    }

    /** The start of a gap among those that conflict with a block, or -1. */
    long find(int r, boolean bestFit) {
      int start = all.start[r];
      int end = all.end[r];
      long size = all.size[r];
      boolean pairs = all.extraConflicts(r).length > 0;
      long free = low;
      long found = -1;
      long tightest = Long.MAX_VALUE;
      for (int k = 0; k < count && (bestFit || found < 0); k++) {
        if ((starts[k] < end && start < ends[k]) || (pairs && all.conflict(r, members[k]))) {
          long left = offsets[k] - free - size;
          if (left >= 0 && left < tightest) {
            found = free;
            tightest = left;
          }
          free = Math.max(free, offsets[k] + all.size[members[k]]);
        }
      }
      boolean atTheEnd = limit - free - size >= 0 && limit - free - size < tightest;
      return atTheEnd && (bestFit || found < 0) ? free : found;
    }
  }
}

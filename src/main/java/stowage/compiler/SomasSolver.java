package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
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
 *       of the graph, whether the peak's memory can be reused, as first key. Nothing tells that
 *       flag here, so both orders are the same and are run once.
 *   <li>Fits: the tightest gap, of equal ones the lowest; or the lowest.
 * </ul>
 *
 * The smallest result counts, but single object must be smaller than shared objects by more than
 * 100 MiB. Buffers alive from the first step to the last are left out of it and stand above the
 * result, in file order. Pairs kept apart by streams are extra conflicts, which the original has
 * too. Blocks of tensors that must be contiguous do not occur; sizes are rounded to the problem's
 * alignment, not to the original's 512.
 *
 * <p>O(n² log n) for each run at worst.
 */
public final class SomasSolver implements CasePlanner {
  private static final long THRESHOLD = 100L << 20;

  @Override
  public String name() {
    return "somas";
  }

  @Override
  public String summary() {
    return "MindSpore SOMAS: largest first into footprints, best of tightest and lowest gap";
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    Rectangles all = Rectangles.of(name(), planningCase.problem(), Rectangles.Word.CONFLICTS);
    GraphOutputs outputs = new GraphOutputs(planningCase);
    int first = Arrays.stream(all.start).min().orElse(0);
    int last = Arrays.stream(all.end).max().orElse(0);
    List<Integer> order = new ArrayList<>();
    List<Integer> lifelong = new ArrayList<>();
    for (int r = 0; r < all.count(); r++) {
      boolean whole = all.start[r] == first && all.end[r] == last;
      (whole ? lifelong : order).add(r);
    }
    order.sort(
        Comparator.comparing((Integer r) -> !outputs.contains(all.index(r)))
            .thenComparingLong(r -> -all.size[r]));
    Run shared = null;
    Run single = null;
    for (boolean best : new boolean[] {true, false}) {
      Run run = new Run(all, true, best).place(order);
      shared = shared == null || run.total < shared.total ? run : shared;
      run = new Run(all, false, best).place(order);
      single = single == null || run.total < single.total ? run : single;
    }
    Run chosen = shared.total - single.total > THRESHOLD ? single : shared;
    long end = chosen.total;
    for (int r : lifelong) {
      chosen.offsets[r] = end;
      end += all.size[r];
    }
    return CasePlan.arena(all.placement(chosen.offsets));
  }

  /** One run: a chain of footprints, or one without an end. */
  private static final class Run {
    private final Rectangles all;
    private final boolean sharedObjects;
    private final boolean bestFit;
    private final long[] offsets;
    private final List<List<Integer>> footprints = new ArrayList<>();
    private final List<Long> bounds = new ArrayList<>(List.of(0L));
    private long total;

    Run(Rectangles all, boolean sharedObjects, boolean bestFit) {
      this.all = all;
      this.sharedObjects = sharedObjects;
      this.bestFit = bestFit;
      this.offsets = new long[all.count()];
    }

    Run place(List<Integer> order) {
      for (int r : order) {
        placeOne(r);
      }
      return this;
    }

    private void placeOne(int r) {
      for (int f = 0; f < footprints.size(); f++) {
        if (sharedObjects && all.conflict(r, footprints.get(f).get(0))) {
          continue;
        }
        long limit = sharedObjects ? bounds.get(f + 1) : Long.MAX_VALUE;
        long offset = find(r, footprints.get(f), bounds.get(f), limit);
        if (offset >= 0) {
          put(r, f, offset);
          return;
        }
      }
      footprints.add(new ArrayList<>());
      bounds.add(total);
      put(r, footprints.size() - 1, total);
    }

    private void put(int r, int footprint, long offset) {
      offsets[r] = offset;
      footprints.get(footprint).add(r);
      int next = footprint + 1;
      bounds.set(next, Math.max(bounds.get(next), offset + all.size[r]));
      total = Math.max(total, offset + all.size[r]);
    }

    /** A gap among the conflicting ones of a footprint, or -1. */
    private long find(int r, List<Integer> members, long low, long limit) {
      List<Integer> blocking = new ArrayList<>();
      for (int other : members) {
        if (all.conflict(r, other)) {
          blocking.add(other);
        }
      }
      blocking.sort(Comparator.comparingLong(other -> offsets[other]));
      long free = low;
      long found = -1;
      long tightest = Long.MAX_VALUE;
      for (int k = 0; k <= blocking.size(); k++) {
        long next = k < blocking.size() ? offsets[blocking.get(k)] : limit;
        long left = next - free - all.size[r];
        if (left >= 0 && (found < 0 || (bestFit && left < tightest))) {
          found = free;
          tightest = left;
        }
        if (k < blocking.size()) {
          free = Math.max(free, next + all.size[blocking.get(k)]);
        }
      }
      return found;
    }
  }
}

package stowage.compiler;

import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.heuristic.GapPlacer;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * XLA's heap simulator: decreasing size, best fit, the better of several runs.
 *
 * <p>Source: xla/service/heap_simulator/heap_simulator.cc (GlobalDecreasingSizeBestFitHeap,
 * ChooseBestHeapAlgorithm). Time advances at every allocation and every free: at a step all buffers
 * made there are allocated, in file order, then all last used there freed. Orders: <em>spatial</em>
 * is size descending, then duration descending, then file order; <em>temporal</em> is duration,
 * then size, then file order; <em>spatial-temporal</em>, of the newest version, is size times
 * duration, ties in file order (an assumption). Rule: the smallest free chunk that holds the
 * buffer, the lowest of equal ones, with the space above everything as the last; or, in the newest
 * version, also the lowest chunk. Of several runs the first of the smallest is taken.
 *
 * <p>{@code xla} is the default of many years, spatial and temporal by best fit; {@code
 * xla-spatial} and {@code xla-temporal} are its halves; {@code xla-search} is the newest search
 * over both fits and all three orders. O(n log n) and the overlapping pairs for each run.
 *
 * @see <a
 *     href="https://github.com/openxla/xla/blob/d492e8388d46b82c5bfe6d8c3187abbb86f369b2/xla/service/heap_simulator/heap_simulator.cc">openxla/xla@d492e838:heap_simulator.cc</a>
 */
public final class XlaHeap extends ListRule {
  /** Which runs are made. */
  public enum Search {
    /** Spatial and temporal, best fit. */
    DEFAULT("xla", "as of 2025", "tightest gap, the better of largest first and longest first"),
    /** Spatial alone. */
    SPATIAL("xla-spatial", "as of 2025", "largest first, tightest gap"),
    /** Temporal alone. */
    TEMPORAL("xla-temporal", "as of 2025", "longest alive first, tightest gap"),
    /** Best fit and lowest offset, each in the three orders. */
    NEWEST("xla-search", "as of 2026", "newest search, tightest and lowest gap in three orders");

    private final String label;
    private final String version;
    private final String rule;

    Search(String label, String version, String rule) {
      this.label = label;
      this.version = version;
      this.rule = rule;
    }
  }

  private final Search search;

  /** The planner with a set of runs. */
  public XlaHeap(Search search) {
    super(search.label, search.version, "XLA: " + search.rule);
    this.search = search;
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    long[] duration = durations(all);
    Comparator<Integer> spatial =
        Comparator.comparingLong((Integer r) -> -all.size[r]).thenComparingLong(r -> -duration[r]);
    Comparator<Integer> temporal =
        Comparator.comparingLong((Integer r) -> -duration[r]).thenComparingLong(r -> -all.size[r]);
    Comparator<Integer> both =
        Comparator.comparingDouble((Integer r) -> -(double) all.size[r] * duration[r]);
    List<Comparator<Integer>> orders =
        switch (search) {
          case DEFAULT -> List.of(spatial, temporal);
          case SPATIAL -> List.of(spatial);
          case TEMPORAL -> List.of(temporal);
          case NEWEST -> List.of(spatial, temporal, both);
        };
    List<Fit> fits = search == Search.NEWEST ? List.of(Fit.BEST, Fit.FIRST) : List.of(Fit.BEST);
    PackingProblem plain = all.asProblem();
    Placement best = null;
    boolean cutShort = false;
    for (int k = 0; k < fits.size() * orders.size() && !cutShort; k++) {
      int[] sorted = all.sorted(orders.get(k % orders.size()));
      try {
        Placement run = GapPlacer.inOrder(plain, sorted, fits.get(k / orders.size()), control);
        best = best == null || run.peak(plain, 0) < best.peak(plain, 0) ? run : best;
      } catch (NotPlannableException stopped) {
        if (best == null) {
          throw stopped;
        }
        cutShort = true;
      }
    }
    return CasePlan.searched(all.placement(best.offsets()), cutShort);
  }

  /** From allocation to free, counted in allocations and frees. */
  private static long[] durations(HullList all) {
    int[] events = all.events((one, other) -> 0);
    long[] duration = new long[all.count()];
    for (int k = 0; k < events.length; k++) {
      int r = events[k];
      duration[r < 0 ? ~r : r] += r < 0 ? k : -k;
    }
    return duration;
  }
}

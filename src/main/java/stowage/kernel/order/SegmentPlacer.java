package stowage.kernel.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.Openings;
import stowage.exact.Portfolio;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.kernel.model.KernelOps;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * Placement of residency segments: at a fixed order with fixed spills, each segment of a cache is a
 * rectangle over the ops from its first use to its last, and all have to fit below the capacity.
 * The quick planners go first, then the exact search, as for any packing problem.
 */
public final class SegmentPlacer {
  private SegmentPlacer() {}

  /**
   * Places the segments of one cache.
   *
   * @param leave the slots of uses after which a buffer leaves
   * @param cells takes the cell of each segment at the slot of its first use
   * @param limits of the search
   * @return whether all fit; without it {@code cells} is left as it was
   */
  public static boolean place(
      KernelOps graph, int[] order, boolean[] leave, int cache, int[] cells, RunControl limits) {
    List<Buffer> segments = new ArrayList<>();
    List<Integer> firstSlot = new ArrayList<>();
    int[] open = new int[graph.buffers];
    int[] openAt = new int[graph.buffers];
    NextUses uses = new NextUses(graph);
    uses.of(order);
    Arrays.fill(open, -1);
    for (int t = 0; t < graph.ops; t++) {
      for (int k = graph.useAt[order[t]]; k < graph.useAt[order[t] + 1]; k++) {
        int b = graph.use[k];
        if (graph.cache[b] != cache || graph.cells[b] == 0) {
          continue;
        }
        if (open[b] < 0) {
          open[b] = k;
          openAt[b] = t;
        }
        if (uses.next[k] == NextUses.NEVER || leave[k]) {
          segments.add(new Buffer("s" + segments.size(), graph.cells[b], openAt[b], t + 1));
          firstSlot.add(open[b]);
          open[b] = -1;
        }
      }
    }
    if (segments.isEmpty()) {
      return true;
    }
    PackingProblem problem =
        PackingProblem.of("segments", segments).withCapacity(0, graph.capacity[cache]);
    Incumbent incumbent = new Incumbent(problem);
    Portfolio.run(
        incumbent,
        limits,
        new Portfolio.Setup(
            Openings.of(problem),
            List.of(new SearchEngine()),
            EngineOptions.defaults().withFirstFit(true)));
    Placement placement = incumbent.placement();
    if (placement == null || placement.peak(problem, 0) > graph.capacity[cache]) {
      return false;
    }
    for (int s = 0; s < segments.size(); s++) {
      cells[firstSlot.get(s)] = (int) placement.offset(s);
    }
    return true;
  }
}

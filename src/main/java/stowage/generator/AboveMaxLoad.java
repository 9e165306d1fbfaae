package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.model.SearchListener;
import stowage.exact.search.model.SearchResult;
import stowage.packing.Buffer;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Whether an instance's optimum is above its max load, and if not, how far from it.
 *
 * <p>Buffers are stacked in a number of random orders, each at the lowest offset that is free. Once
 * one of the stacks reaches the max load, the optimum is the max load, and the difficulty is the
 * mean excess of the stacks, a number below 1 that leads the search to where plans of the max load
 * are rare. When none does, an exhaustive search decides.
 */
final class AboveMaxLoad implements Difficulty {
  private static final int ORDERS = 40;
  private static final long NODES = 2_000_000;

  private final long seed;

  AboveMaxLoad(long seed) {
    this.seed = seed;
  }

  @Override
  public double of(PackingProblem problem) {
    long load = LoadProfile.of(problem).maxLoad();
    if (load == 0) {
      return 0;
    }
    Draws draws = new Draws(seed);
    List<Buffer> order = new ArrayList<>(problem.buffers());
    double excess = 0;
    boolean reached = false;
    for (int k = 0; k < ORDERS; k++) {
      draws.shuffle(order);
      long peak = stackedPeak(order);
      reached |= peak == load;
      excess += (double) (peak - load) / peak;
    }
    return !reached && noneFits(problem, load) ? REACHED : excess / ORDERS;
  }

  /** The peak when each buffer, in order, is at the lowest offset that is free. O(n^3). */
  private static long stackedPeak(List<Buffer> order) {
    long[] offsets = new long[order.size()];
    long peak = 0;
    for (int i = 0; i < offsets.length; i++) {
      Buffer buffer = order.get(i);
      boolean moved = true;
      while (moved) {
        moved = false;
        for (int j = 0; j < i; j++) {
          Buffer other = order.get(j);
          if (buffer.live().overlaps(other.live())
              && offsets[i] < offsets[j] + other.size()
              && offsets[j] < offsets[i] + buffer.size()) {
            offsets[i] = offsets[j] + other.size();
            moved = true;
          }
        }
      }
      peak = Math.max(peak, offsets[i] + buffer.size());
    }
    return peak;
  }

  private static boolean noneFits(PackingProblem problem, long capacity) {
    ComponentBuilder rectangles = ComponentBuilder.ofOneMemory();
    for (Buffer buffer : problem.buffers()) {
      rectangles.add(buffer.size(), buffer.live().start(), buffer.live().end());
    }
    Component component = rectangles.build();
    SearchResult result =
        new SearchTeam(1, 1, true)
            .search(
                component,
                component.unitsBelow(capacity),
                SearchListener.SILENT,
                RunControl.ofWork(NODES, 1, 1));
    return result.status() == SearchResult.Status.INFEASIBLE;
  }
}

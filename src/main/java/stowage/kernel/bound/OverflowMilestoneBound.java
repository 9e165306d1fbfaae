package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import stowage.kernel.model.KernelOps;

/**
 * Lower bound of the spill traffic over all orders from milestones whose steps are priced by {@link
 * MomentTraffic}: asks for each kind of ops, the fewest first, whether some order of them passes
 * only moments that cost less than a target. Where none does, the target is a bound, and a higher
 * one is asked for. Kinds whose steps could not all be decided are asked again with more nodes.
 *
 * <p>Traffic is a sum of prices, so bounds are rounded up to a multiple of their greatest common
 * divisor.
 */
final class OverflowMilestoneBound {
  private static final int FIRST_NODES = 24;
  private static final int FIRST_CUTS = 400;
  private static final int GROWTH = 4;

  private final KernelOps graph;
  private final LongSupplier floor;
  private final LongSupplier known;
  private final BooleanSupplier stopped;
  private final Consumer<Long> bounds;
  private final KernelSymmetry symmetry;
  private final MomentTraffic moments;
  private final List<List<Integer>> open;
  private int nodes = FIRST_NODES;
  private long cuts = FIRST_CUTS;

  /**
   * @param floor a bound that is known already
   * @param known a value that is known to be reached
   * @param stopped ends the work
   * @param bounds takes each better bound; the floor is as much then
   */
  OverflowMilestoneBound(
      KernelOps graph,
      LongSupplier floor,
      LongSupplier known,
      BooleanSupplier stopped,
      Consumer<Long> bounds) {
    this.graph = graph;
    this.floor = floor;
    this.known = known;
    this.stopped = stopped;
    this.bounds = bounds;
    symmetry = new KernelSymmetry(graph);
    moments = new MomentTraffic(graph, MilestoneBounds.rates(graph), stopped);
    open = new ArrayList<>(MilestoneSets.of(graph, symmetry, false).sets());
    open.sort(Comparator.comparingInt(List::size));
  }

  /** Asks each kind, with more nodes and cuts from round to round; false when none is left. */
  boolean round() {
    for (List<Integer> kind : List.copyOf(open)) {
      if (!isOver() && !ask(kind)) {
        open.remove(kind);
      }
    }
    nodes *= GROWTH;
    cuts *= GROWTH;
    return !open.isEmpty();
  }

  private boolean isOver() {
    return stopped.getAsBoolean() || floor.getAsLong() >= known.getAsLong();
  }

  /** Raises the target by one kind as far as it goes; false where more nodes would not help. */
  private boolean ask(List<Integer> kind) {
    int[] milestones = kind.stream().mapToInt(v -> v).toArray();
    while (!isOver()) {
      long best = floor.getAsLong();
      long target = Math.min(known.getAsLong(), best + Math.max(1, best / 2));
      MomentPrice price = new MomentPrice(graph, moments, nodes);
      MilestoneSearch search =
          new MilestoneSearch(graph, price, symmetry, milestones, 0, () -> target, stopped);
      search.advance(cuts);
      long bound = KernelBounds.whole(graph, search.bound());
      if (bound > best) {
        bounds.accept(bound);
      }
      if (bound < target) {
        return !search.isDone() || price.isLimited() || stopped.getAsBoolean();
      }
    }
    return true;
  }
}

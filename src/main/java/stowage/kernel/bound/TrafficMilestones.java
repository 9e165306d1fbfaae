package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import stowage.kernel.model.KernelOps;

/**
 * Lower bound of the spill traffic over all orders by milestones whose steps are priced by {@link
 * MomentTraffic}.
 *
 * <p>For each kind of ops, the fewest first, it asks whether some order of them passes only moments
 * that cost less than a target. Where none does, the target is a bound, and a higher one is asked
 * for. Kinds whose steps could not all be decided are asked again with more nodes and cuts. Traffic
 * is a sum of prices, so bounds are rounded up to a multiple of their greatest common divisor. Not
 * thread-safe.
 */
public final class TrafficMilestones {
  private static final int FIRST_NODES = 24;
  private static final int FIRST_CUTS = 400;
  private static final int GROWTH = 4;

  private final KernelOps graph;
  private final LongSupplier known;
  private final BooleanSupplier stopped;
  private final Consumer<Long> bounds;
  private final KernelSymmetry symmetry;
  private final MomentTraffic moments;
  private long best;

  /**
   * @param floor a bound that is known already
   * @param stopped ends the work
   * @param bounds takes each better bound
   */
  public TrafficMilestones(
      KernelOps graph,
      long floor,
      LongSupplier known,
      BooleanSupplier stopped,
      Consumer<Long> bounds) {
    this.graph = graph;
    this.known = known;
    this.stopped = stopped;
    this.bounds = bounds;
    best = KernelBounds.whole(graph, floor);
    symmetry = new KernelSymmetry(graph);
    moments = new MomentTraffic(graph, stopped);
  }

  /** Raises the bound until stopped or out of questions; returns the best. */
  public long traffic() {
    List<List<Integer>> open = new ArrayList<>(ResidencyMilestones.kinds(graph, symmetry, false));
    open.sort(Comparator.comparingInt(List::size));
    int nodes = FIRST_NODES;
    for (long cuts = FIRST_CUTS; !open.isEmpty() && !isOver(); cuts *= GROWTH) {
      for (List<Integer> kind : List.copyOf(open)) {
        if (!isOver() && !ask(kind, nodes, cuts)) {
          open.remove(kind);
        }
      }
      nodes *= GROWTH;
    }
    return best;
  }

  private boolean isOver() {
    return stopped.getAsBoolean() || best >= known.getAsLong();
  }

  /** Raises the target by one kind as far as it goes; false where more nodes would not help. */
  private boolean ask(List<Integer> kind, int nodes, long cuts) {
    int[] milestones = kind.stream().mapToInt(v -> v).toArray();
    while (!isOver()) {
      long target = Math.min(known.getAsLong(), best + Math.max(1, best / 2));
      MomentPrice price = new MomentPrice(moments, nodes);
      MilestoneSearch search =
          new MilestoneSearch(graph, price, symmetry, milestones, 0, () -> target, stopped);
      search.advance(cuts);
      long bound = KernelBounds.whole(graph, search.bound());
      if (bound > best) {
        best = bound;
        bounds.accept(bound);
      }
      if (bound < target) {
        return !search.isDone() || price.isLimited() || stopped.getAsBoolean();
      }
    }
    return true;
  }

  /** Price of a step by {@link MomentTraffic}. Not thread-safe. */
  private static final class MomentPrice implements StepPrice {
    private final MomentTraffic moments;
    private final int mostNodes;
    private boolean limited;

    /**
     * @param moments with nothing pinned; shared by searches that run one after another
     * @param mostNodes nodes of its search for each step
     */
    MomentPrice(MomentTraffic moments, int mostNodes) {
      this.moments = moments;
      this.mostNodes = mostNodes;
    }

    /** Whether some step might cost more than it was taken to, because its search ended early. */
    boolean isLimited() {
      return limited;
    }

    @Override
    public LiveCut cut() {
      return moments.cut();
    }

    @Override
    public long step(long worth, long most) {
      MomentTraffic.Answer answer = moments.least(worth, most, mostNodes);
      limited |= !answer.reached() && answer.bound() < most;
      return answer.bound();
    }
  }
}

package stowage.exact.search;

import java.util.SplittableRandom;
import stowage.exact.search.local.IteratedGreedy;
import stowage.exact.search.local.WindowRepair;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.model.SharedIncumbent;
import stowage.packing.RunControl;

/**
 * Worker that brings in small buffers window by window, as {@link WindowRepair} does, at capacities
 * between the target and the best peak.
 *
 * <p>Where all buffers are placed it goes on from there half way to the target; where many windows
 * bring nothing the capacity rises towards the best peak, and after that all begins again at
 * another capacity, now and then at the target.
 *
 * <p>A lower peak is lowered further by a round of {@link IteratedGreedy}: the buffers left out lie
 * on top of all, and other orders often have room for them.
 */
final class RepairWorker implements Worker {
  private static final int WEIGHT = 24;

  /** Windows in vain before the capacity rises, or all is given up. */
  private static final int PATIENCE = 400;

  /** Moves after each lower peak. */
  private static final int MOVES = 5_000;

  private final RunControl control;
  private final WindowRepair repair;
  private final IteratedGreedy greedy;
  private final SplittableRandom random;
  private long target = -1;
  private int begun;
  private long moves;

  RepairWorker(SearchModel model, RunControl control, long seed) {
    this.control = control;
    this.greedy = new IteratedGreedy(model, seed);
    this.repair = new WindowRepair(model, control, seed);
    this.random = new SplittableRandom(seed);
  }

  @Override
  public void advance(SharedIncumbent incumbent, long nodes) {
    long end = nodes() + nodes;
    while (!incumbent.ended() && nodes() < end) {
      long room = incumbent.best() - 1 - repair.capacity();
      if (incumbent.target() != target || repair.windowsInVain() > PATIENCE && room <= 1) {
        target = incumbent.target();
        double share = begun++ % 4 == 3 ? 0 : 0.25 + 0.5 * random.nextDouble();
        repair.begin(target + (long) (share * range(incumbent)));
      } else if (repair.isComplete() || room < 0) {
        repair.move(target + range(incumbent) / 2);
      } else if (repair.windowsInVain() > PATIENCE) {
        repair.move(repair.capacity() + Math.max(1, room / 3));
      }
      if (repair.repair()) {
        long[] stacked = repair.stacked();
        if (incumbent.offer(stacked, "repair")) {
          greedy.improve(stacked, target, MOVES, control);
          moves += MOVES;
          incumbent.offer(stacked, "repair, iterated greedy");
        }
      }
    }
  }

  /** What the best peak can be lowered by, a thirty-second of the target at most. */
  private long range(SharedIncumbent incumbent) {
    return Math.min(incumbent.best() - 1 - target, target / 32);
  }

  @Override
  public int weight() {
    return WEIGHT;
  }

  @Override
  public long nodes() {
    return LearningWorker.NODES_A_PROPAGATION * repair.propagations()
        + IteratedGreedy.NODES_A_MOVE * moves;
  }

  @Override
  public long restarts() {
    return repair.windows();
  }
}

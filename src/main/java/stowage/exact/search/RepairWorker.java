package stowage.exact.search;

import java.util.SplittableRandom;
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
 */
final class RepairWorker implements Worker {
  private static final int WEIGHT = 24;

  /** Windows in vain before the capacity rises, or all is given up. */
  private static final int PATIENCE = 400;

  private final WindowRepair repair;
  private final SplittableRandom random;
  private long target = -1;
  private int begun;

  RepairWorker(SearchModel model, RunControl control, long seed) {
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
        incumbent.offer(repair.stacked(), "repair");
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
    return LearningWorker.NODES_A_PROPAGATION * repair.propagations();
  }

  @Override
  public long restarts() {
    return repair.windows();
  }
}

package stowage.exact.search;

import java.util.SplittableRandom;
import stowage.exact.search.local.IteratedGreedy;
import stowage.exact.search.local.WindowRepair;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Worker that brings in small buffers window by window, as {@link WindowRepair} does, at capacities
 * between the target and the best peak.
 *
 * <p>Where all buffers are placed it continues half way to the target. Where many windows bring
 * nothing, a round of {@link IteratedGreedy} lowers the lowest placement since the beginning: the
 * buffers left out lie on top of all, and other orders often have room for them. If that is the
 * best of all, repair continues from it, else all begins again at another capacity, now and then at
 * the target: how low a beginning leads is a matter of chance, so that many short ones do better
 * than a few long ones.
 */
final class RepairWorker implements Worker {
  private static final int WEIGHT = 24;

  /** Windows in vain before all is given up. */
  private static final int PATIENCE = 150;

  private static final int MOVES = 5_000;

  private final SearchModel model;
  private final RunControl control;
  private final int number;
  private final WindowRepair repair;
  private final IteratedGreedy greedy;
  private final SplittableRandom random;

  /** The lowest placement since the beginning, and its peak. */
  private long[] lowest;

  private long least;
  private long target = -1;
  private int begun;
  private long moves;

  /** A worker with {@code number} of its kind before it, which wait less long. */
  RepairWorker(SearchModel model, RunControl control, long seed, int number) {
    this.model = model;
    this.control = control;
    this.number = number;
    this.greedy = new IteratedGreedy(model, seed + number);
    this.repair = new WindowRepair(model, control, seed + number);
    this.random = new SplittableRandom(seed + number);
  }

  @Override
  public void advance(ComponentIncumbent incumbent, long nodes) {
    long end = nodes() + nodes;
    while (!incumbent.ended() && nodes() < end) {
      if (incumbent.target() != target) {
        target = incumbent.target();
        begin(incumbent);
      } else if (repair.windowsInVain() > PATIENCE) {
        moves += MOVES;
        least = greedy.improve(lowest, target, MOVES, control);
        if (incumbent.offer(lowest, "repair, iterated greedy")) {
          repair.begin(target + (long) (random.nextDouble() * range(incumbent)), lowest);
        } else {
          begin(incumbent);
        }
      } else if (repair.isComplete() || repair.capacity() >= incumbent.best()) {
        repair.move(target + range(incumbent) / 2);
      }
      if (repair.repair()) {
        long[] stacked = repair.stacked();
        incumbent.offer(stacked, "repair");
        if (model.peak(stacked) < least) {
          least = model.peak(stacked);
          lowest = stacked;
        }
      }
    }
  }

  private void begin(ComponentIncumbent incumbent) {
    double share = begun++ % 4 == 3 ? 0 : 0.25 + 0.5 * random.nextDouble();
    repair.begin(target + (long) (share * range(incumbent)));
    lowest = repair.stacked();
    least = model.peak(lowest);
  }

  /** What the best peak can be lowered by, a thirty-second of the target at most. */
  private long range(ComponentIncumbent incumbent) {
    return Math.min(incumbent.best() - 1 - target, target / 32);
  }

  @Override
  public int weight() {
    return WEIGHT;
  }

  /** A second one is for what still resists after some seconds. */
  @Override
  public double patience() {
    return LATE + number / 2.0;
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

package stowage.exact.search;

import stowage.exact.search.local.WindowGrowth;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Worker that places window by window, as {@link WindowGrowth} does, from the target upwards.
 *
 * <p>A growth whose capacity reaches the best peak is given up, and after each the next begins at
 * the target again, elsewhere in time and with more patience before its capacity rises. So the
 * first ones find a peak a few percent above the target within seconds, and later ones lower it.
 */
final class GrowthWorker implements Worker {
  private static final int WEIGHT = 12;

  /** With fewer buffers one search of all of them is as good. */
  private static final int LEAST_BUFFERS = 150;

  private final WindowGrowth growth;
  private long target = -1;
  private int begun;

  /** A worker with {@code number} of its kind before it, which have less patience. */
  GrowthWorker(SearchModel model, RunControl control, long seed, int number) {
    this.growth = new WindowGrowth(model, control, seed + number);
    this.begun = number;
  }

  /** Whether a model is worth such workers: one with few buffers at a time, but many in all. */
  static boolean isWorth(SearchModel model) {
    return model.count >= LEAST_BUFFERS && LearningWorker.worth(model) > 1;
  }

  @Override
  public void advance(ComponentIncumbent incumbent, long nodes) {
    long end = nodes() + nodes;
    while (!incumbent.ended() && nodes() < end) {
      if (incumbent.target() != target || growth.capacity() >= incumbent.best()) {
        target = incumbent.target();
        growth.begin(target, begun++);
      }
      if (growth.grow()) {
        incumbent.offer(growth.offsets(), "windows");
        target = -1;
      }
    }
  }

  @Override
  public int weight() {
    return WEIGHT;
  }

  @Override
  public long nodes() {
    return LearningWorker.NODES_A_PROPAGATION * growth.propagations();
  }

  @Override
  public long restarts() {
    return growth.windows();
  }
}

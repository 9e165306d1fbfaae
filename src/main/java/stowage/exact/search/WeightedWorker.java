package stowage.exact.search;

import java.util.SplittableRandom;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.FailureWeights;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.tree.CanonicalSearch;
import stowage.exact.search.tree.Ordering;
import stowage.exact.search.tree.Ranker;
import stowage.packing.RunControl;

/**
 * The canonical search restarted with weights learnt from failures: what the bound keeps failing on
 * is placed first. This reaches peaks that fixed orderings do not.
 *
 * <p>A capacity is tried a few dozen times, with limits that grow slowly, since the weights need
 * that long to settle on it. One that {@link Capacities#AIMS} stays at the target, also while the
 * best peak is far above it: most problems whose optimum is their max load are placed there within
 * a few hundred restarts, far sooner than by steps towards it. One that {@link Capacities#STEPS}
 * follows a success by the capacity a quarter of the way to the target below; a capacity that
 * resists is given up for the one half way back to the best peak. Steps of one unit take longer to
 * the same depth, and weights learnt at a capacity far too low do not help at another. {@link
 * #beginAnew} forgets the weights, for placements that are not alike.
 */
final class WeightedWorker extends TreeWorker {
  /** What capacities are searched. */
  enum Capacities {
    /** The target alone. */
    AIMS,
    /** Those between the best peak and the target. */
    STEPS
  }

  private static final double DECAY = 0.9;
  private static final double GROWTH = 1.05;
  private static final int RESTARTS_A_CAPACITY = 50;

  /** What share of the way to the target a success is followed by. */
  private static final double STEP = 0.25;

  /** Without a placement the first step is from this share of the target above it. */
  private static final double FIRST = 0.1;

  private final Capacities capacities;
  private final FailureWeights failures;
  private Ranker ranker;
  private double firstLimit;
  private long capacity = -1;
  private long best = -1;
  private double limit;
  private int tries;
  private boolean weighing;

  WeightedWorker(SearchModel model, RunControl control, Capacities capacities) {
    super(model, control);
    this.capacities = capacities;
    this.ranker = rankers[Ordering.TWA.ordinal()];
    this.failures = new FailureWeights(model.count);
    this.firstLimit = firstLimit();
  }

  /**
   * Forgets what was learnt and begins again with an ordering and a node limit at random: what the
   * same weights lead to is much alike, however often they do.
   */
  void beginAnew(SplittableRandom random) {
    ranker = rankers[random.nextInt(rankers.length)];
    failures.clear();
    weighing = false;
    firstLimit = firstLimit() * (1 + random.nextDouble());
    capacity = -1;
    best = -1;
  }

  private double firstLimit() {
    return 2.0 * Math.max(8, model.count);
  }

  @Override
  public void advance(ComponentIncumbent incumbent, long nodes) {
    long end = search.totalNodes() + nodes;
    while (!incumbent.ended() && search.totalNodes() < end) {
      choose(incumbent);
      if (!search.representable(capacity)) {
        return;
      }
      ranker.weigh(weighing ? failures.weights() : null);
      weighing = true;
      tries++;
      int answer = search(capacity, limit, ranker, true, failures);
      if (answer == CanonicalSearch.FOUND) {
        incumbent.offer(search.offsets(), "weights");
      } else if (answer == CanonicalSearch.FAILED) {
        incumbent.raise(search.nextCapacity(), "weights");
      } else {
        failures.decay(DECAY);
        limit *= GROWTH;
      }
    }
  }

  /** Steps are for problems that are not placed at the target at once. */
  @Override
  public double patience() {
    return capacities == Capacities.STEPS ? LATE / 2 : 0;
  }

  /** Chooses the capacity of the next try. */
  private void choose(ComponentIncumbent incumbent) {
    long target = incumbent.target();
    long above = target + 1;
    if (capacities == Capacities.STEPS) {
      above = incumbent.best();
      if (above == Long.MAX_VALUE) {
        above = target + 1 + (long) (target * FIRST);
      }
    }
    if (above != best || capacity < target) {
      best = above;
      capacity = Math.max(target, above - 1 - (long) (STEP * (above - 1 - target)));
      limit = firstLimit;
      tries = 0;
    } else if (tries >= RESTARTS_A_CAPACITY) {
      if (capacity == best - 1) {
        firstLimit *= 2;
      }
      capacity =
          Math.max(capacity, Math.min(best - 1, capacity + Math.max(1, (best - capacity) / 2)));
      limit = firstLimit;
      tries = 0;
    }
  }
}

package stowage.exact.search.local;

import java.util.SplittableRandom;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Improvement of a placement's order: takes out a few buffers of the tallest chains and puts each
 * back where the chain through it becomes shortest, and accepts worse orders at falling heat.
 *
 * <p>The cost of an order is the sum, over all buffers, of how far the tallest chain through the
 * buffer exceeds a level just below the best peak; it falls long before the peak does. Chains are
 * exact where a buffer is put back first; for the others of the same move the buffers put back
 * before them count, but not what those push. A move costs four passes over the order.
 */
public final class IteratedGreedy {
  /** A move costs about as much as so many nodes of the search, which makes shares comparable. */
  public static final int NODES_A_MOVE = 4;

  /** Temperatures at the ends of a round, in thousandths of the best peak. */
  private static final double HOT = 2;

  private static final double COLD = 0.1;

  /** How far below the best peak a chain begins to count, as a part of the peak. */
  private static final int LEVEL = 100;

  private static final int POLL_MASK = 63;

  private final SearchModel model;
  private final SplittableRandom random;
  private final StackingOrder current;
  private final StackingOrder trial;
  private final int[] taken = new int[4];
  private final int[] critical;

  /** The places of a buffer's neighbours in the order, from the last one. */
  private final int[] places;

  /** Per place before a neighbour: the tallest chain above the buffer put there. */
  private final long[] suffix;

  private final long[] bestOffsets;
  private long best;
  private long target;
  private double cost;

  public IteratedGreedy(SearchModel model, long seed) {
    this.model = model;
    this.random = new SplittableRandom(seed);
    this.current = new StackingOrder(model);
    this.trial = new StackingOrder(model);
    this.critical = new int[model.count];
    this.places = new int[model.count];
    this.suffix = new long[model.count];
    this.bestOffsets = new long[model.count];
  }

  /**
   * Works for one round of moves, or until the target is reached or the control ends it, from a
   * placement that stacking can rebuild; replaces it by one that is no higher, and gives its peak.
   */
  public long improve(long[] offsets, long lowEnough, int moves, RunControl control) {
    target = lowEnough;
    current.read(offsets);
    best = current.stack();
    current.hang();
    System.arraycopy(current.head, 0, bestOffsets, 0, bestOffsets.length);
    cost = cost(current, level());
    for (int done = 0; done < moves && best > target; done++) {
      if ((done & POLL_MASK) == 0 && control.isStopped()) {
        break;
      }
      move(HOT * StrictMath.pow(COLD / HOT, (double) done / moves));
    }
    System.arraycopy(bestOffsets, 0, offsets, 0, offsets.length);
    return best;
  }

  /** From where on a chain counts as too tall: never below the target, which is good enough. */
  private long level() {
    return Math.max(target, best - Math.max(1, best / LEVEL));
  }

  private static double cost(StackingOrder stacking, long level) {
    double sum = 0;
    for (int k = 0; k < stacking.length; k++) {
      sum += Math.max(0, stacking.path(stacking.order[k]) - level);
    }
    return sum;
  }

  private void move(double heat) {
    long level = level();
    int candidates = 0;
    for (int k = 0; k < current.length; k++) {
      if (current.path(current.order[k]) > level) {
        critical[candidates++] = current.order[k];
      }
    }
    if (candidates == 0) {
      return;
    }
    trial.copy(current);
    int count = 1 + random.nextInt(Math.min(taken.length, candidates));
    for (int k = 0; k < count; k++) {
      int pick = random.nextInt(candidates);
      taken[k] = critical[pick];
      critical[pick] = critical[--candidates];
      trial.remove(taken[k]);
    }
    trial.stack();
    trial.hang();
    for (int k = 0; k < count; k++) {
      insert(taken[k]);
    }
    long peak = trial.stack();
    trial.hang();
    double next = cost(trial, level);
    double temperature = heat * Math.max(1, best / 1000.0);
    if (next <= cost || random.nextDouble() < StrictMath.exp((cost - next) / temperature)) {
      current.copy(trial);
      cost = next;
      // As low is as good: the next round then begins somewhere else.
      if (peak <= best) {
        System.arraycopy(current.head, 0, bestOffsets, 0, bestOffsets.length);
        if (peak < best) {
          best = peak;
          cost = cost(current, level());
        }
      }
    }
  }

  /** Puts a buffer back where the tallest chain through it is shortest, ties at random. */
  private void insert(int buffer) {
    int[] order = trial.order;
    int row = buffer * model.words;
    int neighbours = 0;
    long above = 0;
    for (int k = trial.length - 1; k >= 0; k--) {
      int other = order[k];
      // Half of the buffers are neighbours, at random: no branch guesses which.
      long meets = model.conflicts[row + (other >> 6)] >>> other & 1;
      above = Math.max(above, -meets & trial.tail[other] + model.size[other]);
      places[neighbours] = k;
      suffix[neighbours] = above;
      neighbours += (int) meets;
    }
    long below = 0;
    long least = Long.MAX_VALUE;
    int ties = 0;
    long bottom = 0;
    int chosen = 0;
    for (int k = neighbours - 1; k >= -1; k--) {
      long path = below + (k < 0 ? 0 : suffix[k]);
      if (path < least || path == least && random.nextInt(++ties) == 0) {
        ties = path < least ? 1 : ties;
        least = path;
        chosen = k;
        bottom = below;
      }
      if (k >= 0) {
        int other = order[places[k]];
        below = Math.max(below, trial.head[other] + model.size[other]);
      }
    }
    int place = chosen < 0 ? trial.length : places[chosen];
    trial.head[buffer] = bottom;
    trial.tail[buffer] = chosen < 0 ? 0 : suffix[chosen];
    trial.insert(buffer, place);
  }
}

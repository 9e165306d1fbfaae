package stowage.kernel.bound;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import stowage.kernel.model.KernelOps;

/**
 * Lower bound of the spill traffic over all orders, from the moments of {@link LiveCut}.
 *
 * <p>At each moment the buffers of a cache that are live beyond its capacity K are off chip, and
 * each of them was spilled. Whatever they are, they cost at least the sum over the live buffers of
 * min(a * size, price), minus a * K, for any rate a from 0 to 2: what stays has at most K units and
 * so counts at most a * K. With a rate for each cache, the sum over the caches is a cut function
 * minus a constant, and its least value over all downsets with the moment's pins bounds the traffic
 * of every order that passes the moment.
 *
 * <p>The best rates are found by subgradient ascent: the least cut for given rates shows which
 * caches overflow there (raise their rates) and which do not (lower them). Any rates give a valid
 * bound, so rounding them to 1/16 loses nothing but strength. Of a family of moments, one of which
 * each order passes, the least bound counts; rates carry over from one to the next.
 */
final class OverflowBound implements KernelBounds.Moment {
  private static final int SCALE = 16;
  private static final int MOST_RATE = 2 * SCALE;
  private static final int STEPS = 14;

  private final KernelOps graph;
  private final BooleanSupplier stopped;
  private final LiveCut cut;
  private final long[] room;
  private double[] rates;
  private final double[] overflow;

  OverflowBound(KernelOps graph, BooleanSupplier stopped) {
    this.graph = graph;
    this.stopped = stopped;
    cut = new LiveCut(graph, new long[graph.buffers]);
    room = new long[graph.caches];
    rates = new double[graph.caches];
    overflow = new double[graph.caches];
    for (int c = 0; c < graph.caches; c++) {
      room[c] = graph.capacity[c] * graph.unit[c];
    }
  }

  /** The cut on which moments are pinned. */
  LiveCut cut() {
    return cut;
  }

  @Override
  public long least(long enough, long worth, boolean fresh) {
    if (fresh) {
      restart();
    }
    long value = ascend(enough, worth);
    if (value <= worth && !fresh) {
      restart();
      value = Math.max(value, ascend(enough, worth));
    }
    return value;
  }

  private void restart() {
    Arrays.fill(rates, SCALE);
  }

  /**
   * Raises the bound of the moment that is pinned.
   *
   * @param enough the ascent ends once it is reached
   * @param worth where no cut of the moment costs more, the ascent ends
   */
  private long ascend(long enough, long worth) {
    long best = Long.MIN_VALUE;
    double[] bestRates = rates.clone();
    long upper = Long.MAX_VALUE;
    for (int step = 0; step < STEPS; step++) {
      long value = value();
      if (value > best) {
        best = value;
        bestRates = rates.clone();
      }
      upper = Math.min(upper, cost());
      if (best >= enough || upper <= worth || best >= upper || stopped.getAsBoolean()) {
        break;
      }
      double norm = 0;
      for (double part : overflow) {
        norm += part * part;
      }
      // Polyak's step towards the least cost that a cut has shown, shrinking
      double length = (Math.max(upper, best + 1) - value) * SCALE / Math.max(1e-9, norm);
      for (int c = 0; c < graph.caches; c++) {
        double moved = rates[c] + length * overflow[c] * (step < 4 ? 1 : 0.6);
        rates[c] = Math.max(0, Math.min(MOST_RATE, moved));
      }
    }
    rates = bestRates;
    return Math.max(0, best);
  }

  /** The bound by the current rates, rounded up to whole units; the traffic is whole. */
  private long value() {
    long constant = 0;
    long[] whole = new long[graph.caches];
    for (int c = 0; c < graph.caches; c++) {
      whole[c] = Math.round(rates[c]);
      constant += whole[c] * room[c];
    }
    for (int b = 0; b < graph.buffers; b++) {
      cut.weigh(b, Math.min(whole[graph.cache[b]] * graph.size[b], SCALE * graph.price[b]));
    }
    long scaled = cut.run() - constant;
    return Math.floorDiv(scaled + SCALE - 1, SCALE);
  }

  /** What the cut found last costs at least, with the overflow of each cache as a side result. */
  private long cost() {
    long[] units = new long[graph.caches];
    long[] prices = new long[graph.caches];
    for (int b = 0; b < graph.buffers; b++) {
      if (cut.isLive(b)) {
        units[graph.cache[b]] += graph.size[b];
        prices[graph.cache[b]] += graph.price[b];
      }
    }
    long cost = 0;
    for (int c = 0; c < graph.caches; c++) {
      long once = units[c] - room[c];
      long twice = prices[c] - 2 * room[c];
      cost += Math.max(0, Math.max(once, twice));
      overflow[c] = rates[c] > SCALE ? prices[c] - units[c] - room[c] : once;
    }
    return cost;
  }
}

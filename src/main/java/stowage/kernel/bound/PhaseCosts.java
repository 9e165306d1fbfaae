package stowage.kernel.bound;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;

/**
 * Costs of items and links under rates of caches, for {@link PhaseBound}; in parts of a unit, as
 * the rates are.
 */
final class PhaseCosts {
  /** Numbers of items up to this are looked at one by one, higher ones by levels. */
  private static final int ONE_BY_ONE = 96;

  private static final double GROWTH = 1.02;

  /** By class and number, the least cost of so many items. */
  private final long[][] least;

  private final int[][] levels;
  private final long room;
  private final long all;
  private final long free;
  private final long link;

  PhaseCosts(KernelOps graph, int[][][] items, int[] rates, List<List<PhaseNeeds.Link>> links) {
    least = new long[items.length][];
    levels = new int[items.length][];
    long sum = 0;
    for (int c = 0; c < items.length; c++) {
      long[] costs =
          Arrays.stream(items[c])
              .mapToLong(item -> Arrays.stream(item).mapToLong(b -> cost(graph, rates, b)).sum())
              .sorted()
              .toArray();
      least[c] = new long[costs.length + 1];
      for (int i = 0; i < costs.length; i++) {
        least[c][i + 1] = least[c][i] + costs[i];
      }
      sum += least[c][costs.length];
      levels[c] =
          IntStream.iterate(1, i -> i < costs.length, i -> i < ONE_BY_ONE ? i + 1 : grown(i))
              .toArray();
      levels[c] = Arrays.copyOf(levels[c], levels[c].length + 1);
      levels[c][levels[c].length - 1] = costs.length;
    }
    all = sum;
    long held = 0;
    for (int c = 0; c < graph.caches; c++) {
      held += rates[c] * graph.capacity[c] * graph.unit[c];
    }
    room = held;
    long[] smallest = new long[graph.caches];
    long paid = Long.MAX_VALUE;
    for (List<PhaseNeeds.Link> own : links) {
      for (PhaseNeeds.Link next : own) {
        int b = next.buffer();
        int c = graph.cache[b];
        long price = PhaseBound.SCALE * graph.price[b];
        paid = Math.min(paid, rates[c] > 0 ? Math.min(price, rates[c] * graph.size[b]) : price);
        smallest[c] = smallest[c] == 0 ? graph.size[b] : Math.min(smallest[c], graph.size[b]);
      }
    }
    link = paid;
    long fit = 0;
    for (int c = 0; c < graph.caches; c++) {
      if (rates[c] == 0 && smallest[c] > 0) {
        fit += graph.capacity[c] * graph.unit[c] / smallest[c];
      }
    }
    free = fit;
  }

  private static int grown(int level) {
    return (int) Math.ceil(level * GROWTH);
  }

  private static long cost(KernelOps graph, int[] rates, int b) {
    return Math.min(rates[graph.cache[b]] * graph.size[b], PhaseBound.SCALE * graph.price[b]);
  }

  /** The least cost of some items of a class. */
  long of(int c, int items) {
    return least[c][items];
  }

  /** The number of items of a class. */
  int items(int c) {
    return least[c].length - 1;
  }

  /** The numbers of items of a class that are looked at, the last being all. */
  int[] levels(int c) {
    return levels[c];
  }

  /** What the caches hold at a moment, at most. */
  long room() {
    return room;
  }

  /** The cost of all items. */
  long all() {
    return all;
  }

  /** How many links the caches without a rate hold at a moment, at most. */
  long free() {
    return free;
  }

  /** The least cost of a link that is held at a rate or spilled; the largest number for none. */
  long link() {
    return link;
  }
}

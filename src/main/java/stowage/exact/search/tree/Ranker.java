package stowage.exact.search.tree;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.exact.search.model.SearchModel;
import stowage.packing.IndexOrder;

/**
 * Ranking of the buffers of a part for one worker: by learnt weights first where it has them, then
 * by an {@link Ordering}. Rank 0 is tried first among equal offsets.
 */
public final class Ranker {
  private final SearchModel model;
  private final Ordering ordering;
  private final long[] total;
  private final long[] change;
  private final long[] sorted;
  private int[] byTies;

  /** Place of each buffer in the order that breaks ties of the section totals. */
  private int[] tie;

  /** Larger goes first, before everything else; null where nothing was learnt. */
  private double[] weight;

  /** Whether the order for ties is yet to be made: most rankers of a short run are never asked. */
  private boolean stale = true;

  Ranker(SearchModel model, Ordering ordering) {
    this.model = model;
    this.ordering = ordering;
    this.total = new long[model.sections + 1];
    this.change = new long[model.sections + 1];
    this.sorted = new long[model.count];
  }

  /** A ranker for each {@link Ordering}, in their order. */
  public static Ranker[] ofAll(SearchModel model) {
    return Arrays.stream(Ordering.values())
        .map(ordering -> new Ranker(model, ordering))
        .toArray(Ranker[]::new);
  }

  /** Sets the learnt weights, or null for none. */
  public void weigh(double[] weights) {
    this.weight = weights;
    stale = true;
  }

  /** Whether a part may be ranked differently from the whole. */
  boolean dynamic() {
    return ordering != Ordering.WAT && weight == null;
  }

  /** Ranks the first {@code count} of some buffers; writes each one's rank at its own index. */
  void rank(int[] buffers, int count, int[] rank) {
    if (stale) {
      rankTies();
      stale = false;
    }
    boolean byTotal = dynamic();
    if (byTotal) {
      sumTotals(buffers, count);
    }
    for (int k = 0; k < count; k++) {
      int buffer = buffers[k];
      long highest = byTotal ? highestTotal(buffer) : 0;
      sorted[k] =
          (Long.MAX_VALUE / SearchModel.LARGEST - highest) * SearchModel.LARGEST + tie[buffer];
    }
    Arrays.sort(sorted, 0, count);
    for (int k = 0; k < count; k++) {
      rank[byTies[(int) sorted[k] & SearchModel.LARGEST - 1]] = k;
    }
  }

  private void sumTotals(int[] buffers, int count) {
    Arrays.fill(change, 0);
    for (int k = 0; k < count; k++) {
      int buffer = buffers[k];
      for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
        change[model.spanStart[p]] += model.size[buffer];
        change[model.spanEnd[p]] -= model.size[buffer];
      }
    }
    long running = 0;
    for (int section = 0; section < model.sections; section++) {
      running += change[section];
      total[section] = running;
    }
  }

  private long highestTotal(int buffer) {
    long highest = 0;
    for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
      for (int section = model.spanStart[p]; section < model.spanEnd[p]; section++) {
        highest = Math.max(highest, total[section]);
      }
    }
    return highest;
  }

  private void rankTies() {
    int[] all = IntStream.range(0, model.count).toArray();
    sumTotals(all, model.count);
    long[] totals = new long[model.count];
    for (int i = 0; i < model.count; i++) {
      totals[i] = highestTotal(i);
    }
    byTies = IndexOrder.of(Arrays.stream(all), (i, j) -> compare(i, j, totals));
    tie = IndexOrder.places(byTies, model.count);
  }

  private int compare(int i, int j, long[] totals) {
    int learnt = weight == null ? 0 : Double.compare(weight[j], weight[i]);
    int total = Long.compare(totals[j], totals[i]);
    int width = Integer.compare(model.width[j], model.width[i]);
    int area = Long.compare(model.size[j] * model.width[j], model.size[i] * model.width[i]);
    return switch (ordering) {
      case TWA -> first(learnt, total, width, area);
      case WAT -> first(learnt, width, area, total);
      case TAW -> first(learnt, total, area, width);
    };
  }

  private static int first(int one, int two, int three, int four) {
    return one != 0 ? one : two != 0 ? two : three != 0 ? three : four;
  }
}

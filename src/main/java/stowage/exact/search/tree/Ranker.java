package stowage.exact.search.tree;

import java.util.Arrays;
import stowage.exact.search.model.SearchModel;

/**
 * Ranks the buffers of a part for one worker: by learnt weights first where it has them, then by an
 * {@link Ordering}. Rank 0 is tried first among equal offsets.
 */
public final class Ranker {
  private final SearchModel model;
  private final Ordering ordering;
  private final long[] total;
  private final long[] change;
  private final long[] sorted;
  private final int[] byTies;

  /** Place of each buffer in the order that breaks ties of the section totals. */
  private final int[] tie;

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
    this.byTies = new int[model.count];
    this.tie = new int[model.count];
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

  /** Ranks the first so many of some buffers; each one's rank is written at its own index. */
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
    Integer[] order = new Integer[model.count];
    Arrays.setAll(order, buffer -> buffer);
    Arrays.setAll(byTies, buffer -> buffer);
    sumTotals(byTies, model.count);
    long[] totals = new long[model.count];
    Arrays.setAll(totals, this::highestTotal);
    Arrays.sort(order, (one, other) -> compare(one, other, totals));
    for (int place = 0; place < model.count; place++) {
      byTies[place] = order[place];
      tie[order[place]] = place;
    }
  }

  private int compare(int one, int other, long[] totals) {
    int result = weight == null ? 0 : Double.compare(weight[other], weight[one]);
    if (result == 0 && ordering != Ordering.WAT) {
      result = Long.compare(totals[other], totals[one]);
    }
    long area = model.size[one] * model.width[one];
    long otherArea = model.size[other] * model.width[other];
    if (result == 0 && ordering == Ordering.TAW) {
      result = Long.compare(otherArea, area);
    }
    if (result == 0) {
      result = Integer.compare(model.width[other], model.width[one]);
    }
    if (result == 0) {
      result = Long.compare(otherArea, area);
    }
    if (result == 0) {
      result = Long.compare(totals[other], totals[one]);
    }
    return result != 0 ? result : Integer.compare(one, other);
  }
}

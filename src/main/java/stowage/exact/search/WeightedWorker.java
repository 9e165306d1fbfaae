package stowage.exact.search;

import java.util.List;

/**
 * Searches at capacities below the best peak, restarting with weights learnt from failures: what
 * the bound keeps failing on is placed first. This reaches peaks that fixed orderings do not.
 */
final class WeightedWorker implements Worker {
  private static final double DECAY = 0.9;
  private static final double GROWTH = 1.05;
  private static final int RESTARTS_A_CAPACITY = 8;

  private final SearchModel model;
  private final SearchOptions options;
  private final CanonicalSearch search;
  private final Ranker ranker;
  private final FailureWeights failures;
  private final boolean perArea;
  private final List<int[]> parts;
  private final long[] offsets;
  private final long[] lowest;
  private final double[] weights;
  private final CapacitySpread spread = new CapacitySpread();
  private long capacity = Long.MAX_VALUE;
  private double limit;
  private long restarts;

  /**
   * @param perArea whether a weight counts size / width times: for tall, short-lived buffers first
   */
  WeightedWorker(SearchModel model, SearchOptions options, SearchControl control, boolean perArea) {
    this.model = model;
    this.options = options;
    this.search = new CanonicalSearch(model, options, control);
    this.ranker = new Ranker(model, Ordering.TWA);
    this.failures = new FailureWeights(model.count);
    this.perArea = perArea;
    this.parts = TimeParts.of(model);
    this.offsets = new long[model.count];
    this.lowest = new long[model.count];
    this.weights = new double[model.count];
    this.limit = 2.0 * Math.max(8, model.count);
  }

  @Override
  public void advance(Board board, long nodes) {
    long end = search.totalNodes() + nodes;
    while (!board.ended() && search.totalNodes() < end) {
      if (restarts % RESTARTS_A_CAPACITY == 0
          || capacity >= board.best()
          || capacity < board.target()) {
        capacity = spread.next(board);
      }
      if (!search.representable(capacity)) {
        return;
      }
      rank();
      restarts++;
      int answer = searchParts();
      if (answer == CanonicalSearch.FOUND) {
        board.offer(offsets, perArea ? "weights per width" : "weights");
      } else if (answer == CanonicalSearch.FAILED) {
        board.raise(search.nextCapacity(), "weights");
        capacity = Long.MAX_VALUE;
      } else {
        failures.decay(DECAY);
        limit *= GROWTH;
      }
    }
  }

  @Override
  public long nodes() {
    return search.totalNodes();
  }

  @Override
  public long nogoodHits() {
    return search.nogoodHits();
  }

  @Override
  public long restarts() {
    return restarts;
  }

  private int searchParts() {
    for (int[] part : parts) {
      int answer =
          search.search(
              part, lowest, capacity, (long) limit, ranker, options.reranking(), failures);
      if (answer != CanonicalSearch.FOUND) {
        return answer;
      }
      for (int buffer : part) {
        offsets[buffer] = search.offsets()[buffer];
      }
    }
    return CanonicalSearch.FOUND;
  }

  private void rank() {
    if (restarts == 0) {
      return;
    }
    for (int buffer = 0; buffer < model.count; buffer++) {
      double weight = failures.weights()[buffer];
      weights[buffer] =
          perArea ? weight * model.size[buffer] / Math.max(1, model.width[buffer]) : weight;
    }
    ranker.weigh(weights);
  }
}

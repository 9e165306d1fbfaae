package stowage.exact.search;

import java.util.stream.IntStream;
import stowage.exact.search.model.FailureWeights;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.tree.CanonicalSearch;
import stowage.exact.search.tree.Ranker;
import stowage.packing.RunControl;

/** A worker that begins the canonical search again and again, by one ordering or another. */
abstract class TreeWorker implements Worker {
  final SearchModel model;
  final CanonicalSearch search;
  final Ranker[] rankers;
  private final int[] all;
  private final long[] bottom;

  /** Searches begun so far. */
  private long restarts;

  TreeWorker(SearchModel model, RunControl control) {
    this.model = model;
    this.search = new CanonicalSearch(model, control);
    this.rankers = Ranker.ofAll(model);
    this.all = IntStream.range(0, model.count).toArray();
    this.bottom = new long[model.count];
  }

  /** Searches for a placement of all buffers, as {@link CanonicalSearch#search} does. */
  final int search(
      long capacity, double limit, Ranker ranker, boolean reranking, FailureWeights failures) {
    restarts++;
    return search.search(all, bottom, null, capacity, (long) limit, ranker, reranking, failures);
  }

  @Override
  public final long nodes() {
    return search.totalNodes();
  }

  @Override
  public final long nogoodHits() {
    return search.nogoodHits();
  }

  @Override
  public final long restarts() {
    return restarts;
  }
}

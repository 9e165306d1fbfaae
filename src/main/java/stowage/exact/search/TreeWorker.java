package stowage.exact.search;

import stowage.exact.search.model.SearchModel;
import stowage.exact.search.tree.PartwiseSearch;
import stowage.exact.search.tree.Ranker;
import stowage.packing.RunControl;

/** A worker that begins the canonical search again and again, by one ordering or another. */
abstract class TreeWorker implements Worker {
  final SearchModel model;
  final PartwiseSearch search;
  final Ranker[] rankers;

  /** Searches begun so far. */
  long restarts;

  TreeWorker(SearchModel model, RunControl control) {
    this.model = model;
    this.search = new PartwiseSearch(model, control);
    this.rankers = Ranker.ofAll(model);
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

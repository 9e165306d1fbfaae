package stowage.exact.search.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.search.model.FailureWeights;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * The canonical search of a whole problem: one search for each part that no buffer connects to
 * another in time, into one placement. Not for several threads.
 */
public final class PartwiseSearch {
  private final CanonicalSearch search;
  private final List<int[]> parts;
  private final long[] offsets;
  private final long[] lowest;

  public PartwiseSearch(SearchModel model, RunControl control) {
    this.search = new CanonicalSearch(model, control);
    this.parts = parts(model);
    this.offsets = new long[model.count];
    this.lowest = new long[model.count];
  }

  /** The parts in time order, each the indices of its buffers in ascending order. */
  private static List<int[]> parts(SearchModel model) {
    TimeCuts cuts = new TimeCuts(model);
    for (int buffer = 0; buffer < model.count; buffer++) {
      cuts.add(buffer);
    }
    int parts = cuts.number(0, model.sections);
    List<int[]> found = new ArrayList<>();
    int[] members = new int[model.count];
    for (int part = 0; part < parts; part++) {
      int count = 0;
      for (int buffer = 0; buffer < model.count; buffer++) {
        if (cuts.partOf(buffer, 0, model.sections, parts) == part) {
          members[count++] = buffer;
        }
      }
      if (count > 0) {
        found.add(Arrays.copyOf(members, count));
      }
    }
    return found;
  }

  /** How many parts there are. */
  public int parts() {
    return parts.size();
  }

  /** The buffers of a part, ascending; not to be changed. */
  public int[] members(int part) {
    return parts.get(part);
  }

  /** Where each buffer lay in the last placement that was found of its part, in units. */
  public long[] offsets() {
    return offsets;
  }

  /** Whether a capacity can be searched at all. */
  public boolean representable(long capacity) {
    return search.representable(capacity);
  }

  /**
   * Searches one part.
   *
   * @param limit the number of nodes after which to give up
   * @param reranking whether parts left by a cut in time are ranked again
   * @param failures where to count failures, or null
   * @return what {@link CanonicalSearch#search} answers
   */
  public int search(
      int part,
      long capacity,
      long limit,
      Ranker ranker,
      boolean reranking,
      FailureWeights failures) {
    int[] members = parts.get(part);
    int answer = search.search(members, lowest, null, capacity, limit, ranker, reranking, failures);
    if (answer == CanonicalSearch.FOUND) {
      for (int buffer : members) {
        offsets[buffer] = search.offsets()[buffer];
      }
    }
    return answer;
  }

  /** Searches all parts, each with the whole limit, until one of them is not found. */
  public int searchAll(
      long capacity, long limit, Ranker ranker, boolean reranking, FailureWeights failures) {
    int answer = CanonicalSearch.FOUND;
    for (int part = 0; part < parts.size() && answer == CanonicalSearch.FOUND; part++) {
      answer = search(part, capacity, limit, ranker, reranking, failures);
    }
    return answer;
  }

  /** After a failure the least capacity that may succeed. */
  public long nextCapacity() {
    return search.nextCapacity();
  }

  /** Nodes of all searches so far. */
  public long totalNodes() {
    return search.totalNodes();
  }

  /** States found among the nogoods so far. */
  public long nogoodHits() {
    return search.nogoodHits();
  }
}

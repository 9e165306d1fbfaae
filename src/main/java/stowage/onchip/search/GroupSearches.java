package stowage.onchip.search;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.CachedFit;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.schedule.CostModel;
import stowage.packing.RunControl;

/**
 * The searches for ways of running groups of one network, one for each {@link GroupOptions}. They
 * share what they find: a search starts a group from what those whose ways are also its own have
 * found, so that its answer is never worse than theirs; whether buffers fit is asked once for all.
 *
 * <p>Not thread-safe.
 */
public final class GroupSearches {
  final LayerGraph graph;
  final CostModel cost;
  final GroupIndex index;
  final RuleBasedEvaluation ruled;
  final ExactEvaluation exact;
  private final Map<GroupOptions, GroupSearch> searches = new LinkedHashMap<>();
  private RunControl limits;

  /**
   * @param engine answers what the rules cannot; used with exact addresses alone
   * @param limits of the searches, until {@link #limit}
   * @param secondsPerQuestion how long the engine may think about one question
   */
  public GroupSearches(
      LayerGraph graph, LmemEngine engine, RunControl limits, double secondsPerQuestion) {
    this.graph = graph;
    this.cost = new CostModel(graph.chip());
    this.index = new GroupIndex(graph.size());
    this.limits = limits;
    this.ruled = new RuleBasedEvaluation(cost);
    this.exact =
        new ExactEvaluation(cost, new CachedFit(engine, this::limits, secondsPerQuestion), ruled);
  }

  /** The search for groups built in a certain way. */
  public GroupSearch of(GroupOptions options) {
    return searches.computeIfAbsent(options, key -> new GroupSearch(this, key));
  }

  /** Sets how long searches may go on from now. */
  public void limit(RunControl control) {
    limits = control;
  }

  RunControl limits() {
    return limits;
  }

  /** The searches so far whose ways are also ways under the options; not their own. */
  List<GroupSearch> included(GroupOptions options) {
    return searches.values().stream()
        .filter(other -> !other.options().equals(options) && options.include(other.options()))
        .toList();
  }
}

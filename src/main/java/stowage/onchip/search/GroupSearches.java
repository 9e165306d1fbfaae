package stowage.onchip.search;

import java.util.ArrayList;
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
  private final LayerGraph graph;
  private final CostModel cost;
  private final GroupIndex index;
  private final RuleBasedEvaluation ruled;
  private final ExactEvaluation exact;
  private final Map<GroupOptions, GroupSearch> searches = new LinkedHashMap<>();
  private RunControl limits;

  /**
   * @param graph the network
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

  /** How long searches may go on. */
  RunControl limits() {
    return limits;
  }

  /** The searches so far whose ways are also ways under the options; not their own. */
  List<GroupSearch> included(GroupOptions options) {
    List<GroupSearch> included = new ArrayList<>();
    for (GroupSearch search : searches.values()) {
      if (!search.options().equals(options) && options.include(search.options())) {
        included.add(search);
      }
    }
    return included;
  }

  /** The network. */
  LayerGraph graph() {
    return graph;
  }

  /** What things cost. */
  CostModel cost() {
    return cost;
  }

  /** The numbers of groups. */
  GroupIndex index() {
    return index;
  }

  /** Groups as rules run them. */
  RuleBasedEvaluation ruled() {
    return ruled;
  }

  /** Groups with addresses found by search. */
  ExactEvaluation exact() {
    return exact;
  }
}

package stowage.onchip.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.TimeSteps;
import stowage.onchip.slice.BackwardSlicer;
import stowage.onchip.slice.GroupCuts;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.LoadBound;
import stowage.onchip.slice.QuickSlicings;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.packing.RunControl;

/**
 * Search for how a group runs best: its slices, what stays in LMEM, and whether it fits at all.
 *
 * <p>The quick search tries the few slicings of {@link QuickSlicings}; under the document's and
 * today's rules the first whose addresses are found is taken. With exact addresses both rules'
 * answers are the start, the tries go on beyond those where the rules stopped, and the best is
 * taken. The exact search starts from the quick one and continues with {@link SlicingSweep}.
 * Whatever other searches have found that is a way here, too, is a start as well; so an answer is
 * never worse than theirs.
 *
 * <p>When time is over, what is known is all that is given: of groups that no search has met it is
 * said that time ran out.
 *
 * <p>Not thread-safe: it remembers what it found, by structure, so that repeated blocks of a
 * network cost once.
 */
public final class GroupSearch {
  /** Cuts along the rows that are tried to find why an op runs by itself. */
  private static final int MOST_ROW_CUTS = 8;

  /** Work units of cutting a group once and giving it addresses by rules, for each op. */
  static final long WORK_OF_AN_OP = 5;

  private final GroupSearches searches;
  private final LayerGraph graph;
  private final GroupOptions options;
  private final CostModel cost;
  private final GroupBounds bounds;
  final RuleBasedEvaluation ruled;
  final ExactEvaluation exact;
  private final Map<Integer, Known> known = new HashMap<>();
  private double[] alone;

  GroupSearch(GroupSearches searches, GroupOptions options) {
    this.searches = searches;
    this.graph = searches.graph;
    this.options = options;
    this.cost = searches.cost;
    this.bounds = new GroupBounds(cost);
    this.ruled = searches.ruled;
    this.exact = searches.exact;
  }

  /** An outcome with the limit below which it was looked for, and whether time was enough. */
  private record Known(GroupOutcome outcome, double limit, boolean complete) {}

  public LayerGraph graph() {
    return graph;
  }

  public GroupOptions options() {
    return options;
  }

  public CostModel cost() {
    return cost;
  }

  /** The cost of an op by itself under the objective. */
  public double alone(int position) {
    if (alone == null) {
      double[] costs = new double[graph.size()];
      Arrays.setAll(costs, p -> alone(graph, cost, p, options.objective()));
      alone = costs;
    }
    return alone[position];
  }

  /** The cost of an op by itself under an objective. */
  public static double alone(
      LayerGraph graph, CostModel cost, int position, GroupOptions.GroupObjective objective) {
    Layer layer = graph.layer(position);
    return objective == GroupOptions.GroupObjective.CYCLES
        ? cost.layerCycles(graph, layer)
        : cost.layerTraffic(graph, layer);
  }

  /** How long the search may go on. */
  public RunControl limits() {
    return searches.limits();
  }

  /** The best way of running a group of two ops or more that was found. */
  public GroupOutcome search(int[] members) {
    return search(members, Double.POSITIVE_INFINITY);
  }

  /**
   * The best way found of running a group of rising positions in the execution order, if it costs
   * less than a limit; ways that cost as much or more may be left out, so that a group may seem not
   * to fit.
   */
  public GroupOutcome search(int[] members, double limit) {
    for (int member : members) {
      Layer layer = graph.layer(member);
      if (!layer.groupable()) {
        return GroupOutcome.impossible(
            "op \"" + layer.op().name() + "\" runs by itself: " + layer.obstacle());
      }
    }
    GroupOutcome before = answer(searches.index.known(members), limit);
    if (before != null) {
      return before;
    }
    if (isOver()) {
      GroupOutcome recalled = recalled(members);
      return recalled != null ? recalled : GroupOutcome.none("time ran out", 0);
    }
    GroupModel group = new GroupModel(graph, members);
    int number = searches.index.of(group);
    before = answer(number, limit);
    if (before != null) {
      return before;
    }
    GroupOutcome outcome = find(group, number, limit);
    known.put(number, new Known(outcome, limit, !isOver()));
    return outcome;
  }

  /** What an earlier search in full has answered, or null. */
  private GroupOutcome answer(int number, double limit) {
    Known before = known.get(number);
    boolean answered =
        before != null
            && before.complete
            && (limit <= before.limit || costOf(before.outcome) < before.limit);
    return answered ? before.outcome : null;
  }

  /** Whether no more groups are searched. */
  boolean isOver() {
    return limits().isStopped();
  }

  /** What this search has found out about a group in full; null when it has not. */
  public GroupOutcome known(int[] members) {
    Known before = known.get(searches.index.known(members));
    return before == null || !before.complete ? null : before.outcome;
  }

  /** The best way of running a group that any search has found and that is a way here, or null. */
  public GroupOutcome recalled(int[] members) {
    return recalled(searches.index.known(members));
  }

  private GroupOutcome recalled(int number) {
    Known own = known.get(number);
    GroupOutcome best = own == null ? null : own.outcome;
    for (GroupSearch other : searches.included(options)) {
      Known theirs = other.known.get(number);
      if (theirs != null
          && theirs.outcome.fits()
          && theirs.outcome.isBetter(best, options.objective())) {
        best = theirs.outcome;
      }
    }
    if (own == null || best == own.outcome) {
      return best;
    }
    return best.bounded(Math.max(best.lower(), own.outcome.lower()), options.objective());
  }

  /** The quick search for the same objective by a given way of finding addresses. */
  public GroupSearch quickly(GroupOptions.Lmem lmem) {
    GroupOptions quick = options.with(GroupOptions.SlicingSearch.QUICK);
    return searches.of(lmem == options.lmem() ? quick : quick.with(lmem));
  }

  /** What a group costs at least under the objective, without a search. */
  public double leastCost(GroupModel group) {
    limits().did(group.size());
    return bounds.of(group, options.objective());
  }

  /** Why an op runs by itself: no rule, no room, or nothing to gain; one line. */
  public String whyAlone(int position) {
    Layer layer = graph.layer(position);
    if (!layer.groupable()) {
      return layer.obstacle();
    }
    GroupModel alone = new GroupModel(graph, new int[] {position});
    LoadBound least = new GroupCuts(alone, options.rules()).finest();
    String why =
        least != null && least.exceedsLane()
            ? "even cut most finely, " + least.reason()
            : "no group with it was found that costs less";
    String overlap = overlapRefusal(position);
    return overlap == null
        ? why
        : "%s; the limit of repeated rows forbids to cut finer: %s (--overlap-limit off lifts it)"
            .formatted(why, overlap);
  }

  /**
   * What the limit of repeated rows says against cutting an op, or an op and a neighbour, along the
   * rows, where the op does not fit whole; null where it says nothing or does not hold.
   */
  private String overlapRefusal(int position) {
    if (!options.overlapLimit()) {
      return null;
    }
    for (int first = Math.max(0, position - 1); first <= position; first++) {
      int last = Math.min(graph.size() - 1, first + 1);
      if (!graph.layer(first).groupable() || !graph.layer(last).groupable()) {
        continue;
      }
      int[] members = first == last ? new int[] {first} : new int[] {first, last};
      GroupModel pair = new GroupModel(graph, members);
      int most = Math.min(MOST_ROW_CUTS, BackwardSlicer.most(pair).h());
      for (int h = 2; h <= most; h++) {
        Slicing rows = new Slicing(1, 1, 1, h, 1);
        try {
          new BackwardSlicer(options.rules()).slice(pair, rows);
        } catch (SlicingException limited) {
          try {
            BackwardSlicer.Rules rules = options.rules();
            BackwardSlicer free =
                new BackwardSlicer(new BackwardSlicer.Rules(rules.union(), false));
            free.slice(pair, rows);
            return limited.getMessage();
          } catch (SlicingException otherReason) {
            // not the limit's doing
          }
        }
      }
    }
    return null;
  }

  /** A group as an outcome says, ready to run. */
  public GroupPlan plan(int[] members, GroupOutcome outcome) {
    GroupModel group = new GroupModel(graph, members);
    SlicedGroup sliced;
    try {
      sliced = new BackwardSlicer(options.rules()).slice(group, outcome.slicing());
    } catch (SlicingException changed) {
      throw new IllegalStateException("a group was found that cannot be cut", changed);
    }
    GroupRun run = new TimeSteps(sliced, cost).run(outcome.pipelined(), outcome.staying());
    return GroupPlan.of(run, run.problem(), outcome.placement(), cost);
  }

  private GroupOutcome find(GroupModel group, int number, double limit) {
    limits().did(WORK_OF_AN_OP * group.size());
    GroupCuts cuts = new GroupCuts(group, options.rules());
    LoadBound least = cuts.finest();
    if (least != null && least.exceedsLane()) {
      return GroupOutcome.impossible("even cut most finely, " + least.reason());
    }
    double lower = bounds.of(group, options.objective());
    boolean peak = options.objective() == GroupOptions.GroupObjective.LMEM_PEAK;
    boolean exactly = options.isExact();
    double most = peak ? Double.POSITIVE_INFINITY : limit;
    GroupOutcome best = GroupOutcome.impossible("no slicing that was tried fits");
    best = better(best, recalled(number));
    if (options.slicing() == GroupOptions.SlicingSearch.EXACT) {
      best = better(best, quickly(options.lmem()).search(group.members(), most));
      SlicingSweep sweep = new SlicingSweep(this);
      best = sweep.best(cuts, best, most);
      lower = exactly && !peak ? Math.max(lower, sweep.floor()) : lower;
    } else if (exactly) {
      best = searchedFromRules(cuts, best, most);
    } else {
      best = firstByRules(cuts, best, most);
    }
    return best.bounded(lower, options.objective());
  }

  /** The first of the quick slicings for which the rules find addresses. */
  private GroupOutcome firstByRules(GroupCuts cuts, GroupOutcome start, double limit) {
    GroupOutcome best = start;
    List<Slicing> tries = QuickSlicings.of(cuts.group(), cuts.canCut(Axis.C), options.rules());
    for (int k = 0; mayGain(cuts, tries, k, limit) && !isOver(); k++) {
      SlicedGroup sliced = cuts.slice(tries.get(k));
      if (sliced == null) {
        return better(best, GroupOutcome.impossible("it cannot be cut into " + tries.get(k)));
      }
      LoadBound load = new LoadBound(sliced);
      GroupOutcome found = load.exceedsLane() ? null : ruled.run(sliced, options.lmem());
      if (found != null) {
        return better(best, found);
      }
      best = load.exceedsLane() ? better(best, tooLarge(tries.get(k), load)) : best;
    }
    return best;
  }

  /** The best of the quick slicings, up to those of both rules, with addresses by search. */
  private GroupOutcome searchedFromRules(GroupCuts cuts, GroupOutcome start, double limit) {
    int[] members = cuts.group().members();
    GroupOutcome today = quickly(GroupOptions.Lmem.TODAY).search(members, limit);
    GroupOutcome document = quickly(GroupOptions.Lmem.DOCUMENT).search(members, limit);
    GroupOutcome best = better(better(start, today), document);
    long enough = Long.MAX_VALUE;
    if (today.fits() && document.fits()) {
      enough = Math.max(today.slicing().count(), document.slicing().count());
    }
    List<Slicing> tries = QuickSlicings.of(cuts.group(), cuts.canCut(Axis.C), options.rules());
    for (int k = 0; mayGain(cuts, tries, k, Math.min(limit, costOf(best))) && !isOver(); k++) {
      SlicedGroup sliced = cuts.slice(tries.get(k));
      if (sliced == null) {
        return better(best, GroupOutcome.impossible("it cannot be cut into " + tries.get(k)));
      }
      LoadBound load = new LoadBound(sliced);
      best =
          better(
              best,
              load.exceedsLane()
                  ? tooLarge(tries.get(k), load)
                  : exactly(sliced, Math.min(limit, costOf(best))));
      boolean least = best.fits() && costOf(best) <= leastCost(cuts.group());
      if (least || (best.fits() && tries.get(k).count() >= enough)) {
        break;
      }
    }
    return best;
  }

  private static GroupOutcome tooLarge(Slicing slicing, LoadBound load) {
    return GroupOutcome.impossible("cut into " + slicing + ", " + load.reason());
  }

  /** Whether one of the tries from the k-th on can cost less than a limit. */
  private boolean mayGain(GroupCuts cuts, List<Slicing> tries, int k, double limit) {
    for (Slicing slicing : tries.subList(k, tries.size())) {
      SlicedGroup sliced = cuts.slice(slicing);
      if (sliced != null && leastCost(sliced) < limit) {
        return true;
      }
    }
    return false;
  }

  /** What a sliced group costs at least under the objective, as far as bytes and ops say. */
  double leastCost(SlicedGroup sliced) {
    return switch (options.objective()) {
      case TRAFFIC ->
          options.isExact() ? exact.traffic(sliced) : ruled.traffic(sliced, options.lmem());
      case CYCLES -> bounds.cycles(sliced);
      case LMEM_PEAK -> 0;
    };
  }

  private double costOf(GroupOutcome outcome) {
    boolean peak = options.objective() == GroupOptions.GroupObjective.LMEM_PEAK;
    return outcome.fits() && !peak ? outcome.cost(options.objective()) : Double.POSITIVE_INFINITY;
  }

  private GroupOutcome better(GroupOutcome best, GroupOutcome found) {
    boolean other = found != null && (found.fits() || !best.fits());
    return other && found.isBetter(best, options.objective()) ? found : best;
  }

  /** A sliced group with exact addresses, if it can cost less than a limit; else null. */
  private GroupOutcome exactly(SlicedGroup sliced, double limit) {
    boolean cycles = options.objective() == GroupOptions.GroupObjective.CYCLES;
    double least = cycles ? exact.cycles(sliced) : leastCost(sliced);
    if (least >= limit || isOver()) {
      return null;
    }
    GroupOutcome staying = exact.staying(sliced);
    if (staying != null || !ExactEvaluation.mayReload(sliced)) {
      return staying;
    }
    boolean bytes = options.objective() == GroupOptions.GroupObjective.TRAFFIC;
    long reloaded = new LoadBound(sliced).leastReloaded();
    return bytes && least + reloaded >= limit ? null : exact.reloading(sliced);
  }
}

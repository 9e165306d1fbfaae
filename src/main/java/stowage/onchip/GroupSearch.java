package stowage.onchip;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.RunControl;

/**
 * Finds how a group runs best: its slices, what stays in LMEM, and whether it fits at all.
 *
 * <p>The quick search tries the few slicings of {@link QuickSlicings}; under the document's and
 * today's rules the first whose addresses are found is taken. With exact addresses the tries go on
 * until those rules would have stopped, and the best is taken, theirs included, so that the answer
 * is never worse than theirs. The exact search starts from there and goes on with {@link
 * SlicingSweep}.
 *
 * <p>When time is over, rules alone are asked for a while, so that there is an answer no worse than
 * theirs; at last no more groups are looked at.
 *
 * <p>Not thread-safe: it remembers what it found, by structure, so that repeated blocks of a
 * network cost once.
 */
public final class GroupSearch {
  /** How long rules are still asked after the time of the run is over. */
  private static final double GRACE_SECONDS = 3;

  private final GroupOptions options;
  private final CostModel cost;
  private final LmemEngine engine;
  private final RunControl control;
  private final double secondsPerQuestion;
  private final GroupBounds bounds;
  private final RuledTrial ruled;
  private final ExactTrial exact;
  private final Map<GroupStructure, Known> known = new HashMap<>();
  private RunControl grace;
  private final Map<GroupOptions.Lmem, GroupSearch> quick = new EnumMap<>(GroupOptions.Lmem.class);

  /**
   * @param engine answers what the rules cannot; used with exact addresses alone
   * @param secondsPerQuestion how long the engine may think about one question
   */
  public GroupSearch(
      GroupOptions options,
      CostModel cost,
      LmemEngine engine,
      RunControl control,
      double secondsPerQuestion) {
    this.options = options;
    this.cost = cost;
    this.engine = engine;
    this.control = control;
    this.secondsPerQuestion = secondsPerQuestion;
    this.bounds = new GroupBounds(cost);
    this.ruled = new RuledTrial(cost);
    this.exact = new ExactTrial(cost, new FitSearch(engine, control, secondsPerQuestion));
  }

  /** How groups are built. */
  public GroupOptions options() {
    return options;
  }

  /** What things cost. */
  public CostModel cost() {
    return cost;
  }

  /** The best way of running a group of two ops or more that was found. */
  public GroupOutcome search(GroupModel group) {
    return search(group, Double.POSITIVE_INFINITY);
  }

  /**
   * The best way of running a group that was found, if it costs less than a limit.
   *
   * @param limit under the objective; ways that cost as much or more may be left out, so that a
   *     group may seem not to fit
   */
  public GroupOutcome search(GroupModel group, double limit) {
    Layer obstacle = group.obstacle();
    if (obstacle != null) {
      return GroupOutcome.impossible(
          "op \"" + obstacle.op().name() + "\" runs by itself: " + obstacle.obstacle());
    }
    GroupStructure structure = GroupStructure.of(group);
    Known before = known.get(structure);
    if (before != null && (limit <= before.limit() || costOf(before.outcome()) < before.limit())) {
      return before.outcome();
    }
    if (isOver()) {
      return GroupOutcome.none("time ran out", bounds.traffic(group), bounds.cycles(group));
    }
    GroupOutcome outcome = find(group, limit);
    known.put(structure, new Known(outcome, limit));
    return outcome;
  }

  /** Whether not even rules are asked any more. */
  boolean isOver() {
    if (!control.isStopped()) {
      return false;
    }
    if (grace == null) {
      grace = RunControl.ofSeconds(GRACE_SECONDS, 1, control.seed());
    }
    return grace.isStopped();
  }

  /** What an earlier search found out about a group of this structure; null when there was none. */
  public GroupOutcome recalled(GroupModel group) {
    Known before = known.get(GroupStructure.of(group));
    return before == null ? null : before.outcome();
  }

  /** An outcome with the limit below which it was looked for. */
  private record Known(GroupOutcome outcome, double limit) {}

  /**
   * Whether a group is valid where no cost is looked at: one of the quick slicings fits by the
   * given way of finding addresses.
   */
  boolean admits(GroupModel group, GroupOptions.Lmem lmem) {
    return quickly(lmem).search(group).fits();
  }

  /** The quick search for the same objective by a given way of finding addresses. */
  public GroupSearch quickly(GroupOptions.Lmem lmem) {
    return quick.computeIfAbsent(lmem, this::quickSearch);
  }

  private GroupSearch quickSearch(GroupOptions.Lmem lmem) {
    boolean limited = options.overlapLimit() || lmem == GroupOptions.Lmem.DOCUMENT;
    GroupOptions other =
        new GroupOptions(lmem, GroupOptions.SlicingSearch.QUICK, options.objective(), limited);
    boolean same = other.equals(options);
    return same ? this : new GroupSearch(other, cost, engine, control, secondsPerQuestion);
  }

  /** What a group costs at least under the objective, without a search. */
  public double leastCost(GroupModel group) {
    return bounds.of(group, options.objective());
  }

  /** Why an op runs by itself: no rule, no room, or nothing to gain; one line. */
  public String whyAlone(LayerGraph graph, int position) {
    Layer layer = graph.layer(position);
    if (!layer.groupable()) {
      return layer.obstacle();
    }
    GroupModel alone = new GroupModel(graph, new int[] {position});
    LoadBound least = new GroupCuts(alone, options.rules()).finest();
    return least != null && least.exceedsLane()
        ? "even cut most finely, " + least.reason()
        : "no group with it was found that costs less";
  }

  /** Whether a group cannot fit even cut most finely; false where that is not known. */
  public boolean cannotFit(GroupModel group) {
    if (group.obstacle() != null) {
      return true;
    }
    LoadBound least = new GroupCuts(group, options.rules()).finest();
    return least != null && least.exceedsLane();
  }

  /** A group as an outcome says, ready to run. */
  public GroupPlan plan(GroupModel group, GroupOutcome outcome) {
    SlicedGroup sliced;
    try {
      sliced = new BackwardSlicer(options.rules()).slice(group, outcome.slicing());
    } catch (SlicingException changed) {
      throw new IllegalStateException("a group was found that cannot be cut", changed);
    }
    TimeTable table = new TimeSteps(sliced, cost).table(outcome.pipelined());
    LmemProblem problem =
        LmemBuilder.problem(sliced, table, outcome.heldInputs(), outcome.heldWeights());
    return new GroupPlan(
        sliced,
        table,
        outcome.heldInputs(),
        outcome.heldWeights(),
        problem,
        outcome.placement(),
        outcome.trafficBytes(),
        outcome.cycles());
  }

  private GroupOutcome find(GroupModel group, double limit) {
    GroupCuts cuts = new GroupCuts(group, options.rules());
    LoadBound least = cuts.finest();
    if (least != null && least.exceedsLane()) {
      return GroupOutcome.impossible("even cut most finely, " + least.reason());
    }
    double lowerTraffic = bounds.traffic(group);
    double lowerCycles = bounds.cycles(group);
    boolean peak = options.objective() == GroupOptions.GroupObjective.LMEM_PEAK;
    double most = peak ? Double.POSITIVE_INFINITY : limit;
    GroupOutcome best = quick(cuts, most);
    if (options.slicing() == GroupOptions.SlicingSearch.EXACT) {
      SlicingSweep sweep = new SlicingSweep(options, bounds, ruled, exact, control);
      best = sweep.best(cuts, best, most);
      boolean exactly = options.lmem() == GroupOptions.Lmem.EXACT;
      if (exactly && options.objective() == GroupOptions.GroupObjective.CYCLES) {
        lowerCycles = Math.max(lowerCycles, sweep.floor());
      } else if (exactly && !peak) {
        lowerTraffic = Math.max(lowerTraffic, sweep.floor());
      }
    }
    return best.bounded(lowerTraffic, lowerCycles);
  }

  private GroupOutcome quick(GroupCuts cuts, double limit) {
    GroupOutcome best = GroupOutcome.impossible("no slicing that was tried fits");
    boolean exactly = options.lmem() == GroupOptions.Lmem.EXACT;
    boolean todayDone = !exactly;
    boolean documentDone = !exactly;
    List<Slicing> tries = QuickSlicings.of(cuts.group(), cuts.canCut(Axis.C));
    double[] rest = leastOfRest(cuts, tries);
    for (int k = 0; k < tries.size(); k++) {
      Slicing slicing = tries.get(k);
      SlicedGroup sliced = cuts.slice(slicing);
      if (sliced == null) {
        best = best.fits() ? best : GroupOutcome.impossible("it cannot be cut into " + slicing);
        break;
      }
      if (rest[k] >= limit) {
        break;
      }
      LoadBound load = LoadBound.of(sliced);
      if (load.exceedsLane()) {
        best =
            best.fits()
                ? best
                : GroupOutcome.impossible("cut into " + slicing + ", " + load.reason());
        continue;
      }
      if (!exactly) {
        best = better(best, ruled.run(sliced, options.lmem()));
      } else {
        best = better(best, exactly(sliced, Math.min(limit, costOf(best))));
        GroupOutcome byToday = todayDone ? null : ruled.run(sliced, GroupOptions.Lmem.TODAY);
        GroupOutcome byDocument =
            documentDone ? null : ruled.run(sliced, GroupOptions.Lmem.DOCUMENT);
        todayDone |= byToday != null;
        documentDone |= byDocument != null;
        best = better(better(best, byToday), byDocument);
      }
      boolean least = best.fits() && costOf(best) <= leastCost(cuts.group());
      if (least || (best.fits() && todayDone && documentDone)) {
        break;
      }
    }
    return best;
  }

  /** By try, what it and those after it cost at least; 0 where that is not told. */
  private double[] leastOfRest(GroupCuts cuts, List<Slicing> tries) {
    double[] rest = new double[tries.size()];
    double least = Double.POSITIVE_INFINITY;
    for (int k = rest.length - 1; k >= 0; k--) {
      SlicedGroup sliced = cuts.slice(tries.get(k));
      if (sliced != null) {
        double cost =
            switch (options.objective()) {
              case TRAFFIC ->
                  options.lmem() == GroupOptions.Lmem.EXACT
                      ? exact.traffic(sliced)
                      : ruled.traffic(sliced, options.lmem());
              case CYCLES -> bounds.cycles(sliced);
              case LMEM_PEAK -> 0;
            };
        least = Math.min(least, cost);
      }
      rest[k] = least;
    }
    return rest;
  }

  private double costOf(GroupOutcome outcome) {
    boolean peak = options.objective() == GroupOptions.GroupObjective.LMEM_PEAK;
    return outcome.fits() && !peak ? outcome.cost(options.objective()) : Double.POSITIVE_INFINITY;
  }

  private GroupOutcome better(GroupOutcome best, GroupOutcome found) {
    return found != null && found.isBetter(best, options.objective()) ? found : best;
  }

  /** A sliced group with exact addresses, if it can cost less than a limit; else null. */
  private GroupOutcome exactly(SlicedGroup sliced, double limit) {
    double least =
        switch (options.objective()) {
          case TRAFFIC -> exact.traffic(sliced);
          case CYCLES -> exact.cycles(sliced);
          case LMEM_PEAK -> 0;
        };
    if (least >= limit || control.isStopped()) {
      return null;
    }
    GroupOutcome staying = exact.staying(sliced);
    if (staying != null || !sliced.slicing().isCut() || sliced.group().weightCount() == 0) {
      return staying;
    }
    boolean bytes = options.objective() == GroupOptions.GroupObjective.TRAFFIC;
    long reloaded = LoadBound.of(sliced).leastReloaded(ExactTrial.reloads(sliced));
    return bytes && least + reloaded >= limit ? null : exact.reloading(sliced);
  }
}

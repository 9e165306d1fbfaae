package stowage.onchip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import stowage.packing.RunControl;

/**
 * Finds how a group runs best: its slices, what stays in LMEM, and whether it fits at all.
 *
 * <p>The quick search tries the few slicings of {@link QuickSlicings}; under the document's and
 * today's rules the first whose addresses are found is taken. With exact addresses the tries go on
 * until those rules would have stopped, and the best is taken, so that the answer is never worse
 * than theirs. The exact search lists all slicings that differ in the size of a slice, cheapest
 * first, and takes the first that fits: the minimum, proven where every cheaper one was proven not
 * to fit.
 *
 * <p>Not thread-safe: it remembers what it found.
 */
public final class GroupSearch {
  /** The most slicings that the exact search looks at in one group. */
  private static final int MOST_SLICINGS = 4000;

  private final GroupOptions options;
  private final CostModel cost;
  private final LmemEngine engine;
  private final RunControl control;
  private final double secondsPerQuestion;
  private final Map<GroupStructure, Known> known = new HashMap<>();
  private final Map<List<Long>, LmemEngine.Fit> fits = new HashMap<>();
  private final DocumentAllocator document = new DocumentAllocator();
  private final TodayAllocator today = new TodayAllocator();
  private boolean open;
  private double worth;
  private boolean skipped;

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
   * @param limit under the objective; ways that cost as much or more are not worked out, so that a
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
    if (before != null && (before.outcome().fits() || limit <= before.limit())) {
      return before.outcome();
    }
    if (control.isStopped()) {
      return GroupOutcome.none("time ran out", lowerTraffic(group), lowerCycles(group));
    }
    worth = limit;
    GroupOutcome outcome = find(group);
    known.put(structure, new Known(outcome, limit));
    return outcome;
  }

  /** An outcome with the limit below which it was looked for. */
  private record Known(GroupOutcome outcome, double limit) {}

  /** What a group costs at least under the objective, without a search. */
  public double leastCost(GroupModel group) {
    return options.objective() == GroupOptions.GroupObjective.CYCLES
        ? lowerCycles(group)
        : lowerTraffic(group);
  }

  /** Why an op runs by itself: no rule, no room, or nothing to gain; one line. */
  public String whyAlone(LayerGraph graph, int position) {
    Layer layer = graph.layer(position);
    if (!layer.groupable()) {
      return layer.obstacle();
    }
    LoadBound least = finest(new GroupModel(graph, new int[] {position}));
    return least != null && least.exceedsLane()
        ? "even cut most finely, " + least.reason()
        : "no group with it was found that costs less";
  }

  /** Whether a group cannot fit even cut most finely; false where that is not known. */
  public boolean cannotFit(GroupModel group) {
    if (group.obstacle() != null) {
      return true;
    }
    LoadBound least = finest(group);
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

  private GroupOutcome find(GroupModel group) {
    double lowerTraffic = lowerTraffic(group);
    double lowerCycles = lowerCycles(group);
    LoadBound least = finest(group);
    if (least != null && least.exceedsLane()) {
      return GroupOutcome.impossible("even cut most finely, " + least.reason());
    }
    open = false;
    skipped = false;
    boolean channels = canCut(group, Axis.C);
    GroupOutcome best =
        options.slicing() == GroupOptions.SlicingSearch.QUICK
            ? quick(group, channels)
            : exhaustive(group, channels);
    if (!best.fits()) {
      if (open || options.slicing() == GroupOptions.SlicingSearch.QUICK) {
        return GroupOutcome.none(best.reason(), lowerTraffic, lowerCycles);
      }
      if (!skipped) {
        return best;
      }
      // Every way that fits costs the limit or more.
      boolean byCycles = options.objective() == GroupOptions.GroupObjective.CYCLES;
      return GroupOutcome.none(
          best.reason(),
          byCycles ? lowerTraffic : Math.max(lowerTraffic, worth),
          byCycles ? Math.max(lowerCycles, worth) : lowerCycles);
    }
    boolean proven =
        options.slicing() == GroupOptions.SlicingSearch.EXACT
            && options.lmem() == GroupOptions.Lmem.EXACT
            && !open;
    boolean cycles = options.objective() == GroupOptions.GroupObjective.CYCLES;
    return best.bounded(
        proven && !cycles ? best.trafficBytes() : lowerTraffic,
        proven && cycles ? best.cycles() : lowerCycles);
  }

  /** Bytes a group moves at least: its inputs, constants and results, once. */
  private long lowerTraffic(GroupModel group) {
    LayerGraph graph = group.graph();
    long sum = 0;
    for (int t = 0; t < group.tensorCount(); t++) {
      boolean moved = group.isInput(t) || group.isStored(t);
      sum += moved ? graph.tensor(group.tensor(t)).bytes() : 0;
    }
    for (int w = 0; w < group.weightCount(); w++) {
      Layer.WeightUse use = group.weight(w);
      sum += CostModel.weightBytes(use, graph.tensor(use.tensor()));
    }
    return sum;
  }

  /** Cycles a group takes at least: the longer of all its computing and all its moves. */
  private double lowerCycles(GroupModel group) {
    LayerGraph graph = group.graph();
    double moved = 0;
    double computed = 0;
    for (int t = 0; t < group.tensorCount(); t++) {
      if (group.isInput(t) || group.isStored(t)) {
        moved += cost.transferCycles(graph.tensor(group.tensor(t)).bytes());
      }
    }
    for (int w = 0; w < group.weightCount(); w++) {
      Layer.WeightUse use = group.weight(w);
      moved += cost.transferCycles(CostModel.weightBytes(use, graph.tensor(use.tensor())));
    }
    for (int m = 0; m < group.size(); m++) {
      Layer layer = group.layer(m);
      int bits = 8;
      for (Layer.Operand operand : layer.operands()) {
        bits = Math.max(bits, graph.bits(operand.tensor()));
      }
      double most = 0;
      for (int result : layer.sharedResults()) {
        most = Math.max(most, cost.computeCycles(layer, graph.extents(result), bits));
      }
      computed += most;
    }
    return Math.max(moved, computed);
  }

  /** The load of the finest slices; null when it is not known which those are. */
  private LoadBound finest(GroupModel group) {
    Slicing finest = BackwardSlicer.most(group);
    for (Axis axis : Axis.values()) {
      int count = finest.along(axis);
      if (count > 1 && !canCut(group, axis, count)) {
        if (canCut(group, axis, 2)) {
          return null;
        }
        finest = finest.with(axis, 1);
      }
    }
    SlicedGroup sliced = slice(group, finest);
    return sliced == null ? null : LoadBound.of(sliced);
  }

  private boolean canCut(GroupModel group, Axis axis) {
    return BackwardSlicer.most(group).along(axis) > 1 && canCut(group, axis, 2);
  }

  private boolean canCut(GroupModel group, Axis axis, int count) {
    return slice(group, Slicing.WHOLE.with(axis, count)) != null;
  }

  private SlicedGroup slice(GroupModel group, Slicing slicing) {
    try {
      return new BackwardSlicer(options.rules()).slice(group, slicing);
    } catch (SlicingException cannot) {
      return null;
    }
  }

  private GroupOutcome quick(GroupModel group, boolean channels) {
    GroupOutcome best = GroupOutcome.impossible("no quick slicing fits");
    boolean exact = options.lmem() == GroupOptions.Lmem.EXACT;
    boolean todayDone = !exact;
    boolean documentDone = !exact;
    for (Slicing slicing : QuickSlicings.of(group, channels)) {
      SlicedGroup sliced = slice(group, slicing);
      if (sliced == null) {
        if (!best.fits()) {
          best = GroupOutcome.impossible("it cannot be cut into " + slicing);
        }
        break;
      }
      LoadBound load = LoadBound.of(sliced);
      if (load.exceedsLane()) {
        if (!best.fits()) {
          best = GroupOutcome.impossible("cut into " + slicing + ", " + load.reason());
        }
        continue;
      }
      GroupOutcome found = attempt(sliced, best);
      if (found != null && found.isBetter(best, options.objective())) {
        best = found;
      }
      todayDone |= exact && ruled(sliced, GroupOptions.Lmem.TODAY) != null;
      documentDone |= exact && ruled(sliced, GroupOptions.Lmem.DOCUMENT) != null;
      if (best.fits() && todayDone && documentDone) {
        break;
      }
    }
    return best;
  }

  /** A slicing with its cost where everything stays: no way of running it costs less. */
  private record Priced(SlicedGroup sliced, long traffic, double cycles, long peak) {}

  private GroupOutcome exhaustive(GroupModel group, boolean channels) {
    List<Priced> all = new ArrayList<>();
    for (Slicing slicing : distinct(group, channels)) {
      SlicedGroup sliced = slice(group, slicing);
      if (sliced == null || LoadBound.of(sliced).exceedsLane()) {
        continue;
      }
      boolean[] inputs = constantInputs(sliced);
      boolean[] weights = new boolean[group.weightCount()];
      Arrays.fill(weights, true);
      long traffic = cost.groupTraffic(sliced, inputs, weights);
      double cycles = 0;
      if (options.objective() == GroupOptions.GroupObjective.CYCLES) {
        TimeTable table = new TimeSteps(sliced, cost).table(slicing.isCut());
        cycles = cost.groupCycles(sliced, table, inputs, weights);
      }
      all.add(new Priced(sliced, traffic, cycles, LoadBound.of(sliced).bytes()));
    }
    Comparator<Priced> order =
        switch (options.objective()) {
          case TRAFFIC -> Comparator.comparingLong(Priced::traffic);
          case CYCLES -> Comparator.comparingDouble(Priced::cycles);
          case LMEM_PEAK -> Comparator.comparingLong(Priced::peak);
        };
    all.sort(order.thenComparingLong(priced -> priced.sliced().slicing().count()));
    GroupOutcome best = GroupOutcome.impossible("no slicing of the group fits");
    for (Priced priced : all) {
      if (best.fits() && !canImprove(priced, best)) {
        break;
      }
      GroupOutcome found = attempt(priced.sliced(), best);
      if (found != null && found.isBetter(best, options.objective())) {
        best = found;
      }
      if (control.isStopped()) {
        open = true;
        break;
      }
    }
    return best;
  }

  private boolean canImprove(Priced priced, GroupOutcome best) {
    return switch (options.objective()) {
      case TRAFFIC -> priced.traffic() < best.trafficBytes();
      case CYCLES -> priced.cycles() < best.cycles();
      case LMEM_PEAK -> priced.peak() < best.peak();
    };
  }

  /** All slicings with different slice sizes; cut off when they are very many. */
  private List<Slicing> distinct(GroupModel group, boolean channels) {
    Slicing most = BackwardSlicer.most(group);
    List<Slicing> slicings = new ArrayList<>();
    slicings.add(Slicing.WHOLE);
    for (Axis axis : Axis.values()) {
      if (axis == Axis.C && !channels) {
        continue;
      }
      int limit = most.along(axis);
      TreeSet<Integer> counts = new TreeSet<>();
      long least = Long.MAX_VALUE;
      for (int count = 1; count <= limit; count++) {
        long size = LaneSize.ceilDiv(limit, count);
        if (size < least) {
          least = size;
          counts.add(count);
        }
      }
      List<Slicing> more = new ArrayList<>();
      for (Slicing slicing : slicings) {
        for (int count : counts) {
          if (more.size() < MOST_SLICINGS) {
            more.add(slicing.with(axis, count));
          } else {
            open = true;
          }
        }
      }
      slicings = more;
    }
    return slicings;
  }

  private static boolean[] constantInputs(SlicedGroup sliced) {
    GroupModel group = sliced.group();
    boolean[] held = new boolean[group.tensorCount()];
    if (sliced.slicing().isCut()) {
      for (int t = 0; t < held.length; t++) {
        held[t] = group.isInput(t) && sliced.isConstant(t);
      }
    }
    return held;
  }

  private GroupOutcome attempt(SlicedGroup sliced, GroupOutcome best) {
    return options.lmem() == GroupOptions.Lmem.EXACT
        ? exact(sliced, best)
        : ruled(sliced, options.lmem());
  }

  /** The group as the document's or today's rules run it, or null. */
  private GroupOutcome ruled(SlicedGroup sliced, GroupOptions.Lmem rules) {
    boolean cut = sliced.slicing().isCut();
    boolean[] inputs = constantInputs(sliced);
    boolean[] weights = new boolean[sliced.group().weightCount()];
    Arrays.fill(weights, cut);
    if (rules == GroupOptions.Lmem.TODAY && cut && heldBytes(sliced, inputs) >= lane(sliced)) {
      Arrays.fill(weights, false);
      Arrays.fill(inputs, false);
    }
    TimeTable table = new TimeSteps(sliced, cost).table(true);
    LmemProblem problem = LmemBuilder.problem(sliced, table, inputs, weights);
    LmemAllocator allocator = rules == GroupOptions.Lmem.TODAY ? today : document;
    LmemPlacement placement =
        problem.load(problem.fullestStep()) > lane(sliced) ? null : allocator.allocate(problem);
    return placement == null
        ? null
        : outcome(sliced, true, table, inputs, weights, problem, placement);
  }

  private static long lane(SlicedGroup sliced) {
    return sliced.group().graph().chip().laneBytes();
  }

  private static long heldBytes(SlicedGroup sliced, boolean[] inputs) {
    long sum = 0;
    for (int t = 0; t < inputs.length; t++) {
      sum += inputs[t] ? sliced.laneBytes(t) : 0;
    }
    for (int w = 0; w < sliced.group().weightCount(); w++) {
      sum += sliced.weightLaneBytes(w);
    }
    return sum;
  }

  private GroupOutcome exact(SlicedGroup sliced, GroupOutcome best) {
    boolean cut = sliced.slicing().isCut();
    boolean[] inputs = constantInputs(sliced);
    boolean[] weights = new boolean[sliced.group().weightCount()];
    Arrays.fill(weights, cut);
    TimeTable table = new TimeSteps(sliced, cost).table(cut);
    if (!isWorth(sliced, table, inputs, weights, 0, best)) {
      skipped = true;
      return null;
    }
    LmemProblem problem = LmemBuilder.problem(sliced, table, inputs, weights);
    LmemEngine.Fit fit = fit(problem);
    if (fit.verdict() == LmemEngine.Verdict.FITS) {
      return outcome(sliced, cut, table, inputs, weights, problem, fit.placement());
    }
    open |= fit.verdict() == LmemEngine.Verdict.UNKNOWN;
    return cut && weights.length > 0 ? reloading(sliced, table, inputs, best) : null;
  }

  /**
   * Whether a way of running a group could cost less than the best and than the limit.
   *
   * @param reloaded bytes known to be loaded again besides
   */
  private boolean isWorth(
      SlicedGroup sliced,
      TimeTable table,
      boolean[] inputs,
      boolean[] weights,
      long reloaded,
      GroupOutcome best) {
    switch (options.objective()) {
      case TRAFFIC:
        boolean[] staying = new boolean[weights.length];
        Arrays.fill(staying, true);
        long traffic = cost.groupTraffic(sliced, inputs, staying) + reloaded;
        return traffic < worth && (!best.fits() || traffic < best.trafficBytes());
      case CYCLES:
        double cycles = cost.groupCycles(sliced, table, inputs, weights);
        return cycles < worth && (!best.fits() || cycles < best.cycles());
      default:
        return true;
    }
  }

  /** The group with as few constants loaded again as fit, or null. */
  private GroupOutcome reloading(
      SlicedGroup sliced, TimeTable table, boolean[] inputs, GroupOutcome best) {
    GroupModel group = sliced.group();
    boolean[] none = new boolean[group.weightCount()];
    LmemBuilder.Built built = LmemBuilder.built(sliced, table, inputs, none, null);
    LmemProblem problem = built.problem();
    if (problem.load(problem.fullestStep()) > lane(sliced)) {
      return null;
    }
    int[] buffers = built.weights();
    long[] reloads = new long[problem.size()];
    for (int w = 0; w < none.length; w++) {
      Layer.WeightUse use = group.weight(w);
      long bytes = CostModel.weightBytes(use, group.graph().tensor(use.tensor()));
      reloads[buffers[w]] = bytes * (sliced.slicing().count() - 1);
    }
    Residency residency = new Residency(problem, reloads);
    boolean[] all = new boolean[none.length];
    Arrays.fill(all, true);
    if (!isWorth(sliced, table, inputs, all, residency.leastReloaded(), best)) {
      skipped = true;
      return null;
    }
    boolean[] held = residency.greedy(trial -> fit(trial).verdict() == LmemEngine.Verdict.FITS);
    if (held == null || residency.reloaded(held) > residency.leastReloaded()) {
      LmemEngine.Holding holding =
          engine.hold(problem, reloads, control.within(secondsPerQuestion));
      open |= holding.verdict() == LmemEngine.Verdict.UNKNOWN || !holding.optimal();
      boolean better =
          holding.verdict() == LmemEngine.Verdict.FITS
              && (held == null || residency.reloaded(holding.held()) < residency.reloaded(held));
      held = better ? holding.held() : held;
    }
    if (held == null) {
      return null;
    }
    boolean[] weights = new boolean[none.length];
    for (int w = 0; w < weights.length; w++) {
      weights[w] = held[buffers[w]];
    }
    LmemProblem chosen = LmemBuilder.problem(sliced, table, inputs, weights);
    LmemEngine.Fit fit = fit(chosen);
    return fit.verdict() == LmemEngine.Verdict.FITS
        ? outcome(sliced, true, table, inputs, weights, chosen, fit.placement())
        : null;
  }

  /** Whether a problem has a placement: by the rules first, then by the engine; remembered. */
  private LmemEngine.Fit fit(LmemProblem problem) {
    if (problem.load(problem.fullestStep()) > problem.chip().laneBytes()) {
      return LmemEngine.Fit.CANNOT;
    }
    for (LmemAllocator allocator : List.of(today, document)) {
      LmemPlacement placement = allocator.allocate(problem);
      if (placement != null) {
        return new LmemEngine.Fit(LmemEngine.Verdict.FITS, placement);
      }
    }
    return fits.computeIfAbsent(signature(problem), key -> searched(problem));
  }

  private LmemEngine.Fit searched(LmemProblem problem) {
    LmemEngine.Fit fit = LmemFit.fit(problem, control.within(secondsPerQuestion));
    return fit.verdict() == LmemEngine.Verdict.UNKNOWN
        ? engine.fit(problem, control.within(secondsPerQuestion))
        : fit;
  }

  /** Sizes, lives and sharing: what a placement depends on. */
  private static List<Long> signature(LmemProblem problem) {
    List<Long> signature = new ArrayList<>();
    signature.add((long) problem.steps());
    for (LmemBuffer buffer : problem.buffers()) {
      signature.add(buffer.size());
      signature.add((long) buffer.start());
      signature.add((long) buffer.end());
    }
    for (LmemProblem.Sharing sharing : problem.sharings()) {
      signature.add((long) sharing.result());
      signature.add((long) sharing.operand());
    }
    return signature;
  }

  private GroupOutcome outcome(
      SlicedGroup sliced,
      boolean pipelined,
      TimeTable table,
      boolean[] inputs,
      boolean[] weights,
      LmemProblem problem,
      LmemPlacement placement) {
    boolean[] staying = weights;
    if (!sliced.slicing().isCut()) {
      staying = new boolean[weights.length];
      Arrays.fill(staying, true);
    }
    return new GroupOutcome(
        true,
        sliced.slicing(),
        pipelined,
        inputs,
        weights,
        placement,
        cost.groupTraffic(sliced, inputs, staying),
        cost.groupCycles(sliced, table, inputs, weights),
        problem.peakBound(),
        0,
        0,
        null);
  }
}

package stowage.onchip;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.network.InvalidNetworkException;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemAllocator;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.lmem.PackedLane;
import stowage.onchip.lmem.TpuMlirAllocator;
import stowage.onchip.lmem.TpuMlirManualAllocator;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.partition.IntervalPartitioner;
import stowage.onchip.partition.Partition;
import stowage.onchip.partition.PartitionLadder;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.TimeSteps;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOptions.Lmem;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.search.GroupSearch;
import stowage.packing.RunControl;

/**
 * Planner of a network's groups from end to end: it divides the network, builds the groups and
 * brings down the figures of their addresses.
 */
public final class GroupPlanner {
  /** Of the time for addresses no group gets more than this. */
  private static final double MOST_SECONDS_PER_GROUP = 5;

  /** Of more buffers, addresses by rules take seconds: none once time is over. */
  private static final int MANY_BUFFERS = 1000;

  /** Costs are sums of many numbers, and so not exact to the last digit. */
  private static final double ROUNDING = 1e-9;

  private final LayerGraph graph;
  private final GroupOptions options;
  private final LmemEngine engine;
  private final RunControl control;
  private final PartitionLadder ladder;
  private final CostModel cost;
  private final Map<List<Object>, LmemAnswer> answers = new HashMap<>();

  /**
   * A planner whose engine decides what the rules cannot, and brings figures down; the engine is
   * used with exact addresses alone.
   */
  public GroupPlanner(
      LayerGraph graph, GroupOptions options, LmemEngine engine, RunControl control) {
    this(
        graph,
        options,
        engine,
        control,
        new PartitionLadder(graph, options.objective(), engine, control));
  }

  /** The same with what earlier runs on the graph have found for the same objective. */
  public GroupPlanner(
      LayerGraph graph,
      GroupOptions options,
      LmemEngine engine,
      RunControl control,
      PartitionLadder ladder) {
    this.graph = graph;
    this.ladder = ladder;
    this.options = options;
    this.engine = engine;
    this.control = control;
    this.cost = new CostModel(graph.chip());
  }

  /** Divides the network, builds its groups and brings the figures of their addresses down. */
  public Grouping plan(Partitioner partitioner) {
    return plan(partitioner, true);
  }

  /**
   * As {@link #plan(Partitioner)} with the usual partitioner, or with a stronger one that includes
   * it where its groups cost less within its share of the time: what costs the same keeps the usual
   * one's proof, and none is asked where the usual one's groups are proven the cheapest of all.
   */
  public Grouping planCheaper(Partitioner usual, Partitioner stronger) {
    Partition first = ladder.climb(usual, options, control);
    GroupSearch search = ladder.search(options);
    double least = Partitioner.recalledCost(search, first.groups());
    if (first.isBestOfAll(least)) {
      return plan(usual, true);
    }
    Partition second = ladder.climb(stronger, options, control, true);
    boolean cheaper = Partitioner.recalledCost(search, second.groups()) < least * (1 - ROUNDING);
    return plan(cheaper ? stronger : usual, true);
  }

  /** Divides the network and builds its groups; addresses stay as they were first found. */
  public Grouping divide(Partitioner partitioner) {
    return plan(partitioner, false);
  }

  private Grouping plan(Partitioner partitioner, boolean improving) {
    Partition partition = ladder.climb(partitioner, options, control);
    GroupSearch search = ladder.search(options);
    List<PlannedGroup> groups = new ArrayList<>();
    int left = (int) partition.groups().stream().filter(members -> members.length > 1).count();
    for (int[] members : partition.groups()) {
      if (members.length == 1) {
        groups.add(PlannedGroup.alone(graph, cost, members[0], search.whyAlone(members[0])));
      } else {
        GroupPlan plan = search.plan(members, search.recalled(members));
        groups.add(improving ? finished(plan, left--) : asFound(plan));
      }
    }
    return grouping(partitioner.name(), groups, partition.lowerBound(), partition.scope());
  }

  /**
   * The grouping of planned groups; {@code lower} is the bound of the objective over {@code scope},
   * unless that is the peak of the groups' addresses, whose bound the groups give. A search does
   * not look at stores moved away from the ops that read them; where these cost less than its
   * bound, only the bound over the whole network holds.
   */
  private Grouping grouping(
      String partition, List<PlannedGroup> groups, double lower, BoundScope scope) {
    boolean peak = options.objective() == GroupOptions.GroupObjective.LMEM_PEAK;
    long peaks =
        groups.stream()
            .filter(PlannedGroup::isGrouped)
            .mapToLong(group -> group.plan().problem().peakBound())
            .max()
            .orElse(0);
    if (peak) {
      return new Grouping(graph, partition, options, groups, peaks, BoundScope.GROUPS);
    }
    Grouping all = new Grouping(graph, partition, options, groups, lower, scope);
    if (all.objective() >= lower * (1 - ROUNDING)) {
      return all;
    }
    double network = IntervalPartitioner.lowerBound(graph, options.objective());
    return new Grouping(graph, partition, options, groups, network, BoundScope.NETWORK);
  }

  private static PlannedGroup asFound(GroupPlan plan) {
    LmemAnswer answer = LmemAnswer.of(plan.problem(), plan.placement());
    return PlannedGroup.of(plan, answer, null, List.of());
  }

  private PlannedGroup finished(GroupPlan plan, int groupsLeft) {
    if (!options.isExact()) {
      return asFound(plan);
    }
    GroupPlan chosen = withoutSelfClashes(plan);
    LmemAnswer answer = improved(chosen.problem(), chosen.placement(), groupsLeft);
    if (options.objective() == GroupOptions.GroupObjective.LMEM_PEAK
        && plan.placement().peak(plan.problem()) < answer.score().peak()) {
      return asFound(plan); // fewer clashes cost a higher peak
    }
    return PlannedGroup.of(chosen.with(answer.placement()), answer, null, List.of());
  }

  /** The group with stores moved away from the ops that read them, where all still fits. */
  private GroupPlan withoutSelfClashes(GroupPlan plan) {
    GroupRun moved = new TimeSteps(plan.sliced(), cost).withoutSelfClashes(plan.run());
    if (moved == plan.run()) {
      return plan;
    }
    LmemProblem problem = moved.problem();
    LmemEngine.Fit fit = PackedLane.fit(problem, control.within(0.5));
    return fit.verdict() == LmemEngine.Verdict.FITS
        ? GroupPlan.of(moved, problem, fit.placement(), cost)
        : plan;
  }

  private LmemAnswer improved(LmemProblem problem, LmemPlacement start, int groupsLeft) {
    if (problem.buffers().size() > MANY_BUFFERS && control.isStopped()) {
      return LmemAnswer.of(problem, start);
    }
    LmemPlacement best = start;
    for (LmemAllocator rule : List.of(new TpuMlirAllocator(), new TpuMlirManualAllocator())) {
      LmemPlacement other = rule.allocate(problem);
      boolean better =
          other != null && LmemScore.of(problem, other).compareTo(LmemScore.of(problem, best)) < 0;
      best = better ? other : best;
    }
    LmemPlacement first = best;
    if (control.isStopped()) {
      return LmemAnswer.of(problem, first);
    }
    double share = control.secondsLeft() / Math.max(1, groupsLeft);
    return answers.computeIfAbsent(
        structure(problem),
        key ->
            engine.improve(
                problem, first, control.within(Math.min(MOST_SECONDS_PER_GROUP, share))));
  }

  /** All that the figures of a placement depend on, without names. */
  private static List<Object> structure(LmemProblem problem) {
    List<Object> structure = new ArrayList<>();
    structure.add(problem.steps());
    for (LmemBuffer buffer : problem.buffers()) {
      structure.add(List.of(buffer.kind(), buffer.start(), buffer.end(), buffer.size()));
    }
    for (int s = 0; s < problem.steps(); s++) {
      LmemProblem.Step step = problem.step(s);
      step.computes().forEach(c -> structure.add(List.of(c.reads(), c.writes(), c.scratch())));
      structure.add(step.loads().stream().map(LmemProblem.Move::buffer).toList());
      structure.add(step.stores().stream().map(LmemProblem.Move::buffer).toList());
    }
    structure.add(problem.sharings());
    return structure;
  }

  /** Keeps the groups, slices and steps of a file and gives them addresses of our own. */
  public Grouping plan(List<FileGroup> files) {
    return ofFile(files, false);
  }

  /** The groups, slices, steps and addresses of a file. */
  public Grouping baseline(List<FileGroup> files) {
    return ofFile(files, true);
  }

  private Grouping ofFile(List<FileGroup> files, boolean addresses) {
    Map<Integer, FileGroup> byFirst = new HashMap<>();
    boolean[] inside = new boolean[graph.size()];
    for (FileGroup file : files) {
      byFirst.put(file.group().members()[0], file);
      for (int member : file.group().members()) {
        inside[member] = true;
      }
    }
    List<PlannedGroup> groups = new ArrayList<>();
    int left = files.size();
    for (int p = 0; p < graph.size(); p++) {
      if (byFirst.containsKey(p)) {
        FileGroup file = byFirst.get(p);
        groups.add(addresses ? audited(file) : ours(file, left--));
      } else if (!inside[p]) {
        groups.add(PlannedGroup.alone(graph, cost, p, graph.layer(p).obstacle()));
      }
    }
    double lower = IntervalPartitioner.lowerBound(graph, options.objective());
    return grouping("file", groups, lower, BoundScope.NETWORK);
  }

  /** A file's group with the file's addresses, and what is wrong with them. */
  private PlannedGroup audited(FileGroup file) {
    List<String> wrong = file.violations();
    LmemAnswer answer = LmemAnswer.ofAnother(file.problem(), file.placement());
    return PlannedGroup.of(
        file.plan(cost, wrong.isEmpty() ? file.placement() : null), answer, null, wrong);
  }

  private PlannedGroup ours(FileGroup file, int groupsLeft) {
    if (!file.faults().isEmpty()) {
      throw new InvalidNetworkException(
          "group of op \"%s\": its steps do not hold: %s"
              .formatted(file.group().layer(0).op().name(), file.faults().get(0)));
    }
    Start start = start(file);
    LmemAnswer answer =
        options.isExact()
            ? improved(file.problem(), start.placement, groupsLeft)
            : LmemAnswer.of(file.problem(), start.placement);
    return PlannedGroup.of(file.plan(cost, answer.placement()), answer, start.remark, List.of());
  }

  /**
   * Addresses to begin with.
   *
   * @param remark whose they are where the rule asked for gives none; null where it does
   */
  private record Start(LmemPlacement placement, String remark) {}

  /** A placement of a file's group: by the rules asked for, else the file's own, else any. */
  private Start start(FileGroup file) {
    boolean exact = options.isExact();
    boolean valid = file.violations().isEmpty();
    if (exact && valid) {
      return new Start(file.placement(), null);
    }
    LmemAllocator rule =
        options.lmem() == Lmem.DOCUMENT ? new TpuMlirManualAllocator() : new TpuMlirAllocator();
    LmemPlacement placement = rule.allocate(file.problem());
    if (placement != null) {
      return new Start(placement, null);
    }
    String none = "the rule " + rule.name() + " finds no place for all its buffers; ";
    if (valid) {
      return new Start(file.placement(), none + "the addresses are the file's own");
    }
    LmemEngine.Fit fit = PackedLane.fit(file.problem(), control);
    if (fit.verdict() != LmemEngine.Verdict.FITS) {
      throw new InvalidNetworkException(
          "group of op \"%s\": with the file's steps %s"
              .formatted(
                  file.group().layer(0).op().name(), file.problem().whyNoFit(fit.verdict())));
    }
    return new Start(fit.placement(), exact ? null : none + "the addresses are those of a search");
  }
}

package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.exact.engine.EngineOptions;
import stowage.heuristic.EjectionDescent;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Op;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.planning.fit.piece.OpRuns;
import stowage.planning.fit.piece.PieceTurns;
import stowage.rewrite.BarrierException;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitModel;
import stowage.rewrite.Splitter;

/** Rewritings of a network by runs, with their buffers placed. */
final class FitPlaces {
  /** The engine that places what quick rules do not. */
  static final String SEARCH = "search";

  private static final List<GreedyPlanner> QUICK =
      List.of(
          new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST),
          new GreedyPlanner(GreedyPlanner.Order.URGENCY, Fit.FIRST),
          new GreedyPlanner(GreedyPlanner.Order.AREA, Fit.FIRST),
          new GreedyPlanner(GreedyPlanner.Order.LIFETIME, Fit.FIRST),
          new GreedyPlanner(GreedyPlanner.Order.START, Fit.FIRST));

  private final FitRequest request;
  private final Rewriting base;
  private final RunControl control;
  private final SplitModel model;
  private final PieceTurns turns = new PieceTurns();
  private final boolean takesTurns;
  private final LivenessOptions sharing;

  /** Places rewritings of a network, given in the order that is rewritten, until a stop soon. */
  FitPlaces(FitRequest request, Rewriting base, RunControl control) {
    this.request = request;
    this.base = base;
    this.control = control;
    this.model = new SplitModel(base.network());
    this.takesTurns = PieceTurns.mayBeTaken(base.network());
    this.sharing = request.liveness(request.levers()).withAliases(List.of());
  }

  /** Runs of one op each, in the order that is rewritten. */
  OpRuns opRuns() {
    return new OpRuns(model);
  }

  /** Whether pieces of runs that follow each other take turns, see {@link PieceTurns}. */
  boolean takesTurns() {
    return takesTurns;
  }

  /**
   * A plan with some runs, placed by quick rules: where pieces take turns, the lower one of that
   * and of runs one after the other, on two threads if there are.
   *
   * @param runs by places in the base's order
   * @return null where the runs cannot be executed
   */
  FitPlan of(List<RunSplit> runs) {
    Rewriting cut = cut(runs);
    if (cut == null) {
      return null;
    }
    Rewriting turned = inTurns(cut, Long.MAX_VALUE);
    if (turned.network() == cut.network()) {
      return placed(turned, runs);
    }
    Stream<Rewriting> ways = Stream.of(turned, base.then(cut));
    return (control.threads() > 1 ? ways.parallel() : ways)
        .map(way -> placed(way, runs))
        .min(Comparator.comparingLong(FitPlan::peak))
        .orElseThrow();
  }

  /** Plans of several choices, made side by side; null for one that cannot be executed. */
  List<FitPlan> all(List<List<RunSplit>> ways) {
    return (ways.size() > 1 ? ways.parallelStream() : ways.stream())
        .map(way -> Optional.ofNullable(of(way))).toList().stream()
            .map(plan -> plan.orElse(null))
            .toList();
  }

  /** The order that is rewritten with runs one after the other; null where it cannot be. */
  Rewriting cut(List<RunSplit> runs) {
    try {
      return Splitter.split(model, runs);
    } catch (BarrierException barrier) {
      return null;
    }
  }

  /**
   * The given network rewritten so, with pieces in turns where that takes less; null where its live
   * bytes are more than some.
   */
  Rewriting inTurns(Rewriting cut, long most) {
    boolean whole = cut.ops().stream().allMatch(op -> op.run() < 0);
    Rewriting turned = takesTurns && !whole ? turns.of(cut, sharing, most) : cut;
    return turned == null ? null : base.then(turned);
  }

  /** A plan of a rewriting of the given network, placed by quick rules. */
  FitPlan placed(Rewriting rewriting, List<RunSplit> runs) {
    return placed(rewriting, request.buffers(rewriting.network()), runs);
  }

  /** The same, with the rewritten network's buffers. */
  FitPlan placed(Rewriting rewriting, PlanningCase planned, List<RunSplit> runs) {
    Incumbent placement = new Incumbent(planned.problem());
    PlannerRun.quick(placement, QUICK, control);
    return FitPlan.of(request, rewriting, planned, placement, described(runs));
  }

  /**
   * Places plans by exact engines, those of least load first, until one is taken or the stage is
   * over.
   *
   * @param taken whether a plan is within the target
   */
  boolean exact(List<FitPlan> plans, long target, SplitClock clock, Predicate<FitPlan> taken) {
    List<FitPlan> low = plans.stream().sorted(Comparator.comparingLong(FitPlan::load)).toList();
    for (FitPlan plan : low) {
      if (!clock.isOver() && taken.test(improved(request, plan, target, SEARCH, clock.placing()))) {
        return true;
      }
    }
    return false;
  }

  /** The same plan with another placement. */
  private static FitPlan placedAt(FitRequest request, FitPlan plan, Placement found, String who) {
    Incumbent better = new Incumbent(plan.planned().problem());
    better.offer(found, who);
    return FitPlan.of(request, plan.rewriting(), plan.planned(), better, plan.runs());
  }

  /** The same plan placed lower until a target is reached. */
  FitPlan settled(FitPlan plan, long target, RunControl control) {
    return placedLower(request, plan, target, SEARCH, control);
  }

  /**
   * The same plan placed by an engine, or {@code portfolio}: until the target is reached where the
   * load leaves room, else as low as can be.
   */
  static FitPlan improved(
      FitRequest request, FitPlan plan, long target, String planner, RunControl control) {
    PackingProblem free = plan.planned().problem();
    if (target <= LoadProfile.of(free).maxLoad() || ejects(planner, free)) {
      return placedLower(request, plan, target, planner, control);
    }
    Incumbent placement = new Incumbent(free.withCapacity(0, target));
    PlanningCase planned = plan.planned().withProblem(placement.problem());
    EngineOptions engines = request.engines().withFirstFit(true);
    PlannerRun.of(planned, placement, control, List.of(PlannerCatalogue.named(planner)), engines);
    return better(request, plan, placement);
  }

  /**
   * The same plan placed lower from its placement on, until the target is reached: by ejections
   * where buffers are many, else by an engine.
   */
  static FitPlan placedLower(
      FitRequest request, FitPlan plan, long target, String planner, RunControl control) {
    RunControl own = control.within(Double.POSITIVE_INFINITY);
    PackingProblem problem = plan.planned().problem();
    Incumbent placement = new Incumbent(problem);
    if (plan.placement().placement() != null) {
      placement.offer(plan.placement().placement(), plan.placement().finder());
    }
    placement.addListener(
        event -> {
          if (placement.placement() != null && placement.placement().peak(problem, 0) <= target) {
            own.stop();
          }
        });
    if (ejects(planner, problem)) {
      EjectionDescent.lower(problem, placement, control.threads(), own);
    } else {
      List<PlannerCatalogue.Choice> planners = List.of(PlannerCatalogue.named(planner));
      PlannerRun.of(plan.planned(), placement, own, planners, request.engines());
    }
    return better(request, plan, placement);
  }

  /** Whether ejections alone place so many buffers, in place of the search. */
  private static boolean ejects(String planner, PackingProblem problem) {
    return planner.equals(SEARCH) && problem.size() > EjectionDescent.MANY;
  }

  /** A plan with the placement found, where that is lower. */
  private static FitPlan better(FitRequest request, FitPlan plan, Incumbent found) {
    Placement placement = found.placement();
    boolean lower =
        placement != null
            && (plan.placement().placement() == null
                || placement.peak(found.problem(), 0) < plan.peak());
    return lower ? placedAt(request, plan, placement, found.finder()) : plan;
  }

  /**
   * A plan's runs by places in the base's order, whichever order the plan was made in; null where
   * the ops of one do not follow each other here as they do there.
   */
  List<RunSplit> runs(FitPlan plan) {
    List<String> names = base.network().ops().stream().map(Op::name).toList();
    List<RunSplit> runs = new ArrayList<>();
    for (FitPlan.Run run : plan.runs()) {
      int first = names.indexOf(run.ops().get(0));
      int end = first + run.ops().size();
      if (end > names.size() || !names.subList(first, end).equals(run.ops())) {
        return null;
      }
      int[] ops = IntStream.range(first, end).toArray();
      runs.add(new RunSplit(ops, run.split().axes(), run.split().topDown(), run.split().pads()));
    }
    runs.sort(Comparator.comparingInt(run -> run.ops()[0]));
    return runs;
  }

  private List<FitPlan.Run> described(List<RunSplit> runs) {
    List<Op> ops = base.network().ops();
    return runs.stream()
        .map(
            run ->
                new FitPlan.Run(
                    IntStream.of(run.ops()).mapToObj(op -> ops.get(op).name()).toList(), run))
        .toList();
  }
}

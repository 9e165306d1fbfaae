package stowage.exact.reuse.cpsat;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.cpsat.NativeLibraries;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.SolveContext;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.SolverClaim;
import stowage.packing.StackedRoom;

/**
 * CP-SAT on the model of {@link PairModel}: the engine for whatever a problem can say, and for
 * every objective. Its figures are lowered one after the other; each is kept at its optimum while
 * the next is lowered, and the first that stays open ends the run.
 */
public final class PairEngine implements Engine {
  /** Pairs are modelled one by one; with more buffers the model is too large to be useful. */
  private static final int MOST_BUFFERS = 1_000;

  @Override
  public String name() {
    return "pairs";
  }

  @Override
  public String kind() {
    return "cp-sat";
  }

  @Override
  public String version() {
    return "CP-SAT " + NativeLibraries.VERSION;
  }

  @Override
  public String summary() {
    return "CP-SAT on every pair of buffers: all relations and objectives, up to 1,000 buffers";
  }

  @Override
  public boolean knowsRelations() {
    return true;
  }

  @Override
  public boolean lowers(Goal goal) {
    return true;
  }

  @Override
  public EngineReport run(SolveContext context) {
    PackingProblem problem = context.problem();
    Incumbent incumbent = context.incumbent();
    double begin = incumbent.seconds();
    RunControl control = context.control();
    EngineOptions options = context.options();
    if (problem.size() > MOST_BUFFERS) {
      throw new NotPlannableException(
          "pairs is given at most %s buffers, and the problem has %s"
              .formatted(MOST_BUFFERS, problem.size()));
    }
    NativeLibraries.load();
    options.hints().forEach(hint -> incumbent.offer(hint, name() + " (hint)"));
    SortedMap<String, Long> statistics = new TreeMap<>(Map.of("branches", 0L, "conflicts", 0L));
    int figures = incumbent.objective().parts().size();
    int figure = 0;
    while (figure < figures && !control.isStopped() && incumbent.infeasibility() == null) {
      if (!lower(problem, incumbent, control, figure, statistics)) {
        break;
      }
      if (options.firstFit() && incumbent.placement() != null) {
        break;
      }
      figure++;
    }
    double seconds = incumbent.seconds() - begin;
    return new EngineReport(name(), seconds, version(), statistics, incumbent.bestBound(), "");
  }

  /** Lowers one figure with those before it at their optima; whether its optimum was proven. */
  private boolean lower(
      PackingProblem problem,
      Incumbent incumbent,
      RunControl control,
      int figure,
      SortedMap<String, Long> statistics) {
    Bound known = incumbent.bound(figure);
    if (incumbent.score() != null
        && known != null
        && known.value() >= incumbent.score().figure(figure)) {
      return true;
    }
    long[] rooms = rooms(problem, incumbent);
    long[] ceilings = ceilings(problem, incumbent, rooms);
    PairModel pairs = new PairModel(problem, incumbent.objective(), ceilings, rooms);
    for (int earlier = 0; earlier < figure; earlier++) {
      pairs.atMost(earlier, incumbent.score().figure(earlier));
    }
    pairs.minimize(figure);
    Placement start = incumbent.placement();
    if (start != null) {
      pairs.hint(start);
    }
    CpSatRun.Result result = CpSatRun.solve(pairs.model(), control, Double.MAX_VALUE);
    statistics.merge("branches", result.solver().numBranches(), Long::sum);
    statistics.merge("conflicts", result.solver().numConflicts(), Long::sum);
    Certificate word = SolverClaim.of(kind(), version(), statistics);
    if (result.hasSolution()) {
      incumbent.offer(pairs.placement(result.solver()), name());
    }
    if (Arrays.stream(ceilings).anyMatch(ceiling -> ceiling >= StackedRoom.LARGEST)) {
      incumbent.remark("alignments have no common multiple in reach, so pairs proves nothing");
      return false;
    }
    if (result.isInfeasible()) {
      incumbent.provenInfeasible(word, name());
      return false;
    }
    incumbent.offer(new Bound(figure, pairs.value(figure, result.bound(0)), word), name());
    Bound bound = incumbent.bound(figure);
    return incumbent.score() != null && bound.value() >= incumbent.score().figure(figure);
  }

  /** For each memory a height that some optimal placement does not exceed, capacity aside. */
  private static long[] rooms(PackingProblem problem, Incumbent incumbent) {
    boolean wholeBanks = incumbent.objective().indexOf(Goal.BANKS) >= 0;
    long[] rooms = new long[problem.memories().size()];
    Arrays.setAll(rooms, m -> StackedRoom.of(problem, m, wholeBanks));
    return rooms;
  }

  /** The same within the capacities, and where a peak comes first, within the best plan's. */
  private static long[] ceilings(PackingProblem problem, Incumbent incumbent, long[] rooms) {
    long[] ceilings = new long[rooms.length];
    int last = rooms.length - 1;
    Arrays.setAll(ceilings, m -> Math.min(problem.memories().get(m).capacity(), rooms[m]));
    if (incumbent.objective().indexOf(Goal.PEAK) == 0 && incumbent.score() != null) {
      ceilings[last] = Math.min(ceilings[last], incumbent.score().figure(0));
    }
    return ceilings;
  }
}

package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.rewrite.recompute.RecomputeAnswer;
import stowage.rewrite.recompute.RecomputeSolver;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;
import stowage.rewrite.recompute.search.Checkpoints;

/**
 * The least extra compute for falling limits of live bytes: from the load of the order down to the
 * least that any sequence needs. Each step begins with the sequence of the one before, and asks for
 * less than that has; its bound holds for every sequence within its load. Where the question is the
 * least peak at a price, dearer steps are left out and the last one is the answer.
 */
final class RecomputeCurve {
  private static final int STEPS = 16;

  /** Values above which half of the steps get twice the time. */
  private static final int MANY = 100;

  /** Seconds for placing a sequence within the limit of its live bytes, where quick rules fail. */
  private static final double PLACING = 3;

  private final RecomputeFit fit;
  private final RecomputeProblem problem;

  RecomputeCurve(RecomputeFit fit) {
    this.fit = fit;
    this.problem = fit.problem();
  }

  FitAnswer run() {
    long least = least();
    int[] sequence = problem.once();
    long load = Timeline.of(problem, sequence).peak;
    long top = load;
    List<FitAnswer.Point> curve = new ArrayList<>();
    List<FitPlan> plans = new ArrayList<>();
    List<long[]> limits = new ArrayList<>();
    long most = fit.request().maxExtra();
    FitPlan plan = fit.improved(fit.plan(sequence), -1, 1);
    plans.add(plan);
    curve.add(new FitAnswer.Point(plan.peak(), 0, 0));
    int steps = problem.values > MANY ? STEPS / 2 : STEPS;
    for (int step = 1; step <= steps && !fit.control().isStopped() && load > least; step++) {
      long limit = Math.min(load - 1, top - (long) ((top - least) * (step / (double) steps)));
      double part = fit.control().secondsLeft() / (steps - step + 1.0);
      RecomputeAnswer found = solve(limit, sequence, 0.6 * part);
      if (found.status() == Status.INFEASIBLE) {
        break;
      }
      if (found.sequence() == null) {
        continue;
      }
      sequence = found.sequence();
      load = Timeline.of(problem, sequence).peak;
      plan = fit.improved(fit.plan(sequence), -1, 0.5);
      if (plan.peak() > limit) {
        plan = fit.improved(plan, limit, PLACING);
      }
      fit.say(
          "live bytes within "
              + ByteText.both(limit)
              + ": peak "
              + ByteText.both(plan.peak())
              + ", extra "
              + ByteText.plain(plan.extra())
              + ", bound "
              + ByteText.plain(found.bound()));
      if (most >= 0 && plan.extra() > most) {
        continue;
      }
      limits.add(new long[] {limit, fit.bound(limit, found)});
      if (plan.peak() > limit) {
        RecomputeAnswer placed = solve(plan.peak(), sequence, 0.3 * part);
        limits.add(new long[] {plan.peak(), fit.bound(plan.peak(), placed)});
      }
      add(curve, plans, plan, boundOf(plan.peak(), limits));
    }
    boolean proven = curve.stream().allMatch(point -> point.status() == Status.OPTIMAL);
    FitPlan shown = plans.get(plans.size() - 1);
    return fit.answer(
        shown,
        proven ? Status.OPTIMAL : Status.FEASIBLE,
        curve.get(curve.size() - 1).extraBound(),
        null,
        curve,
        checkpoints());
  }

  private RecomputeAnswer solve(long limit, int[] known, double seconds) {
    return RecomputeSolver.solve(problem, limit, known, fit.control().within(seconds));
  }

  /** What checkpointing by rules reaches: by square root, and of the greedy ones the best. */
  private List<RecomputeFacts.Checkpointing> checkpoints() {
    List<RecomputeFacts.Checkpointing> found = new ArrayList<>();
    int[] root = Checkpoints.squareRoot(problem);
    if (!Timeline.isInOrder(problem, root)) {
      return found;
    }
    found.add(checkpointing("square root", root));
    Checkpoints.greedy(problem).stream()
        .filter(sequence -> Timeline.isInOrder(problem, sequence))
        .map(sequence -> checkpointing("greedy", sequence))
        .sorted(
            Comparator.comparingLong(RecomputeFacts.Checkpointing::extra)
                .thenComparingLong(RecomputeFacts.Checkpointing::peak))
        .filter(one -> found.size() == 1 || one.peak() < found.get(found.size() - 1).peak())
        .forEachOrdered(found::add);
    return found;
  }

  private RecomputeFacts.Checkpointing checkpointing(String rule, int[] sequence) {
    FitPlan plan = fit.plan(sequence);
    return new RecomputeFacts.Checkpointing(rule, plan.peak(), plan.extra());
  }

  /** Adds a step that is below all others in memory; takes out those that it makes needless. */
  private static void add(
      List<FitAnswer.Point> curve, List<FitPlan> plans, FitPlan plan, long bound) {
    if (plan.peak() >= curve.get(curve.size() - 1).peak()) {
      return;
    }
    while (!curve.isEmpty() && curve.get(curve.size() - 1).extra() >= plan.extra()) {
      curve.remove(curve.size() - 1);
      plans.remove(plans.size() - 1);
    }
    curve.add(new FitAnswer.Point(plan.peak(), plan.extra(), Math.min(bound, plan.extra())));
    plans.add(plan);
  }

  /** The largest bound of those that hold for all plans of a peak: of limits not below it. */
  private static long boundOf(long peak, List<long[]> limits) {
    return limits.stream()
        .filter(pair -> pair[0] >= peak)
        .mapToLong(pair -> pair[1])
        .max()
        .orElse(0);
  }

  /** Bytes below which no sequence can be. */
  private long least() {
    GapProblem gaps = new GapProblem(problem, 0);
    long[] all = new long[problem.ops];
    Arrays.setAll(all, gaps::least);
    return Arrays.stream(all).max().orElse(0);
  }
}

package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.packing.ByteText;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.rewrite.recompute.RecomputeAnswer;
import stowage.rewrite.recompute.RecomputeSolver;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;
import stowage.rewrite.recompute.search.Checkpoints;

/**
 * The least extra compute for falling limits of live bytes: from the load of the order down to the
 * least that is not proven to be too little. Each step begins with the sequence of the one before;
 * its bound holds for every sequence within its limit. Time is left for the steps at which found
 * and proven are far apart, and for placing. Where the question is the least peak at a price,
 * dearer steps are left out and the last one is the answer.
 */
final class RecomputeCurve {
  private static final int STEPS = 16;

  /** Values above which half of the steps get twice the time. */
  private static final int MANY = 100;

  /** Shares of the time for all steps once, and for the widest gaps again. */
  private static final double FIRST = 0.35;

  private static final double SECOND = 0.45;

  /** Questions after the least limit. */
  private static final int HALVINGS = 7;

  /** Seconds for placing a sequence within the limit of its live bytes, where quick rules fail. */
  private static final double PLACING = 3;

  private final RecomputeFit fit;
  private final RecomputeProblem problem;

  RecomputeCurve(RecomputeFit fit) {
    this.fit = fit;
    this.problem = fit.problem();
  }

  FitAnswer run() {
    long[] limits = limits();
    RecomputeAnswer[] found = new RecomputeAnswer[limits.length];
    int[] sequence = problem.once();
    double left = fit.control().secondsLeft();
    for (int step = 0; step < limits.length && !fit.control().isStopped(); step++) {
      found[step] = solve(limits[step], sequence, FIRST * left / limits.length);
      if (found[step].status() == Status.INFEASIBLE) {
        break;
      }
      sequence = found[step].sequence() == null ? sequence : found[step].sequence();
    }
    again(limits, found, left);
    return placed(limits, found);
  }

  /** Falling limits from below the load of the order to the least that is not proven too little. */
  private long[] limits() {
    long top = Timeline.of(problem, problem.once()).peak;
    long least = least();
    long open = top;
    double seconds = Math.min(2, fit.control().secondsLeft() / 60);
    for (int k = 0; k < HALVINGS && least < open; k++) {
      long limit = k == 0 ? least : least + (open - least) / 2;
      if (RecomputeSolver.isImpossible(problem, limit, fit.control(), seconds)) {
        least = limit + 1;
      } else {
        open = limit;
      }
    }
    int steps = problem.values > MANY ? STEPS / 2 : STEPS;
    long[] limits = new long[(int) Math.min(steps, Math.max(0, top - open))];
    for (int step = 1; step <= limits.length; step++) {
      long down = (long) ((top - open) * (step / (double) limits.length));
      limits[step - 1] = step == limits.length ? open : top - down;
    }
    return limits;
  }

  /** Asks again for the steps at which found and proven are far apart, the widest first. */
  private void again(long[] limits, RecomputeAnswer[] found, double left) {
    int[] asked = new int[limits.length];
    double end = (1 - FIRST - SECOND) * left;
    while (fit.control().secondsLeft() > end) {
      int widest = -1;
      long gap = 0;
      int open = 0;
      for (int step = 0; step < limits.length; step++) {
        long wide = gap(found[step]);
        open += wide > 0 && asked[step] < 2 ? 1 : 0;
        if (asked[step] < 2 && wide > gap) {
          widest = step;
          gap = wide;
        }
      }
      if (widest < 0) {
        return;
      }
      asked[widest]++;
      double seconds = Math.max(1, (fit.control().secondsLeft() - end) / Math.min(open, 4));
      int[] known = found[widest].sequence();
      for (int step = widest; known == null && step > 0; step--) {
        known = found[step - 1].sequence();
      }
      RunControl time = fit.control().within(seconds);
      found[widest] = RecomputeSolver.solve(problem, limits[widest], known, found[widest], time);
      for (int step = widest - 1; step >= 0; step--) {
        int[] lower = found[step + 1] == null ? null : found[step + 1].sequence();
        if (lower != null && gap(found[step]) > 0 && isDearer(found[step], lower)) {
          found[step] = found[step].with(solve(limits[step], lower, 0));
        }
      }
    }
  }

  private boolean isDearer(RecomputeAnswer answer, int[] sequence) {
    return answer.sequence() == null || answer.extra() > problem.extra(sequence);
  }

  private static long gap(RecomputeAnswer answer) {
    if (answer == null || answer.status() == Status.INFEASIBLE) {
      return 0;
    }
    return answer.sequence() == null ? Long.MAX_VALUE : answer.extra() - answer.bound();
  }

  private FitAnswer placed(long[] asked, RecomputeAnswer[] found) {
    List<FitAnswer.Point> curve = new ArrayList<>();
    List<FitPlan> plans = new ArrayList<>();
    List<long[]> limits = new ArrayList<>();
    long most = fit.request().maxExtra();
    FitPlan plan = fit.improved(fit.plan(problem.once()), -1, 1);
    plans.add(plan);
    curve.add(new FitAnswer.Point(plan.peak(), 0, 0));
    for (int step = 0; step < asked.length; step++) {
      if (found[step] == null || found[step].sequence() == null) {
        continue;
      }
      long limit = asked[step];
      double part = fit.control().secondsLeft() / (asked.length - step);
      int[] sequence = found[step].sequence();
      plan = fit.improved(fit.plan(sequence), -1, Math.min(0.5, part / 2));
      if (plan.peak() > limit) {
        plan = fit.improved(plan, limit, Math.min(PLACING, part / 2));
      }
      fit.say(
          "live bytes within %s: peak %s, extra %s, bound %s"
              .formatted(
                  ByteText.both(limit),
                  ByteText.both(plan.peak()),
                  ByteText.plain(plan.extra()),
                  ByteText.plain(found[step].bound())));
      if (most >= 0 && plan.extra() > most) {
        continue;
      }
      limits.add(new long[] {limit, fit.bound(limit, found[step])});
      if (plan.peak() > limit) {
        RecomputeAnswer placed = solve(plan.peak(), sequence, part / 2);
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

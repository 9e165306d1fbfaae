package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import stowage.packing.ByteText;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.rewrite.recompute.RecomputeAnswer;
import stowage.rewrite.recompute.RecomputeSolver;
import stowage.rewrite.recompute.model.GapCertificate;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;
import stowage.rewrite.recompute.search.Checkpoints;
import stowage.rewrite.recompute.search.Evictions;

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

  /** Shares of the time for all steps once, for placing them, and for the widest gaps again. */
  private static final double FIRST = 0.35;

  private static final double PLACED = 0.1;
  private static final double SECOND = 0.45;

  /** Shares of the time that are kept for placing when widest gaps have been asked for again. */
  private static final double[] KEPT = {1 - FIRST - PLACED - SECOND, 0.02};

  /** Parts of all ops' cost of which one is a wide gap. */
  private static final int WIDE = 100;

  /** Parts of a limit of which one is little enough for a certificate to say something there. */
  private static final int NEAR = 10;

  /** Seconds for which a step with a wide gap is asked for afresh. */
  private static final double PATIENT = 10;

  /** Share of the time for which a step is asked for again at least. */
  private static final double LEAST_ASK = 1.0 / 15;

  /** Sequences by eviction that are tried for a limit. */
  private static final int EVICTIONS = 100;

  /** Questions after the least limit. */
  private static final int HALVINGS = 7;

  /** Seconds for placing a sequence within the limit of its live bytes, where quick rules fail. */
  private static final double PLACING = 3;

  /** Seconds with which a plan is placed again at least. */
  private static final double LEAST_PLACING = 0.5;

  /** A limit, what is known of it, and the sequence last placed. */
  private static final class Step {
    private long limit;
    private RecomputeAnswer answer;
    private int[] placed;
    private int asked;

    private Step(long limit) {
      this.limit = limit;
    }

    private long gap() {
      if (answer == null || answer.status() == Status.INFEASIBLE) {
        return 0;
      }
      return answer.sequence() == null ? 1 : answer.extra() - answer.bound();
    }

    /** Whether the gap is wider than so much, and what is proven is the integers' word. */
    private boolean isOfIntegers(long wide) {
      return gap() > wide && answer.proof() == RecomputeAnswer.Proof.SOLVER;
    }

    /** The gap a time that it has been asked for; 0 where nothing was found at the second time. */
    private long worth() {
      return asked > 0 && answer.sequence() == null ? 0 : gap() / (1 + asked);
    }
  }

  private record Proof(long limit, RecomputeAnswer answer) {}

  private final RecomputeFit fit;
  private final RecomputeProblem problem;
  private final long wide;
  private final List<FitPlan> plans = new ArrayList<>();
  private final List<Proof> proofs = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  /** Whether time ended before every step was asked for. */
  private boolean cut;

  RecomputeCurve(RecomputeFit fit) {
    this.fit = fit;
    this.problem = fit.problem();
    this.wide = Arrays.stream(problem.cost).sum() / WIDE;
  }

  FitAnswer run() {
    double left = fit.control().secondsLeft();
    plans.add(fit.improved(fit.plan(problem.once()), -1, 1));
    for (long limit : limits()) {
      steps.add(new Step(limit));
    }
    int[] sequence = problem.once();
    for (Step step : steps) {
      cut = fit.control().isStopped();
      if (cut) {
        break;
      }
      RunControl time = fit.control().within(FIRST * left / steps.size());
      know(step, RecomputeSolver.solve(problem, step.limit, sequence, time));
      if (step.answer.status() == Status.INFEASIBLE) {
        break;
      }
      sequence = step.answer.sequence() == null ? sequence : step.answer.sequence();
    }
    place(PLACED * left);
    for (double share : KEPT) {
      again(share * left, left);
      place(fit.control().secondsLeft());
      placeLower();
    }
    return answer();
  }

  /**
   * Falling limits from below the load of the order to the least within which evictions lead to a
   * sequence, then half way from there to the least that is not proven too little, and that one;
   * where evictions lead to none in the lower half of this range, evenly over all of it.
   */
  private long[] limits() {
    long top = new Timeline(problem, problem.once()).peak;
    long least = Arrays.stream(new GapProblem(problem, 0).least()).max().orElse(0);
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
    long found = reached(open, top);
    long reached = found > open + (top - open) / 2 ? open : found;
    int steps = (int) Math.min(problem.values > MANY ? STEPS / 2 : STEPS, top - reached);
    LongStream.Builder limits = LongStream.builder();
    for (int step = 1; step <= steps; step++) {
      long down = (long) ((top - reached) * (step / (double) steps));
      limits.add(step == steps ? reached : top - down);
    }
    if (open < reached) {
      limits.add(open + (reached - open) / 2).add(open);
    }
    return limits.build().distinct().toArray();
  }

  private long reached(long open, long top) {
    RunControl time = fit.control().within(fit.control().secondsLeft() / 30);
    Random random = new Random(time.seed());
    long low = open;
    long high = top;
    for (int k = 0; k < HALVINGS && low < high; k++) {
      long limit = k == 0 ? low : low + (high - low) / 2;
      int[] found = Evictions.sequence(problem, limit, EVICTIONS, random, time);
      low = found == null ? limit + 1 : low;
      high = found == null ? high : limit;
    }
    return high;
  }

  /**
   * Asks again for the steps at which found and proven are far apart, the widest first. Where the
   * gap stays wide and integers proved most, it is asked for afresh, which begins with these.
   */
  private void again(double end, double all) {
    while (fit.control().secondsLeft() > end) {
      List<Step> open =
          steps.stream()
              .filter(step -> step.worth() > 0)
              .sorted(Comparator.comparingLong(step -> -step.worth()))
              .toList();
      if (open.isEmpty()) {
        return;
      }
      Step widest = open.get(0);
      widest.asked++;
      double rest = fit.control().secondsLeft() - end;
      boolean patient = widest.asked > 1 && widest.isOfIntegers(wide) && rest > PATIENT;
      long others = open.stream().filter(step -> step.isOfIntegers(wide)).count();
      double seconds = rest / (patient ? others : Math.min(open.size(), 4));
      seconds = Math.min(rest, Math.max(Math.max(1, LEAST_ASK * all), seconds));
      int[] start = widest.asked % 2 == 0 ? cheaper(widest) : null;
      RunControl time = fit.control().within(seconds);
      know(
          widest,
          RecomputeSolver.solve(problem, widest.limit, start, earlier(widest), patient, time));
      place(widest, fit.control().secondsLeft() - end / 2);
    }
  }

  /** A step's answer, where the next walk is left out if that of another step came to nothing. */
  private RecomputeAnswer earlier(Step step) {
    boolean inVain =
        steps.stream()
            .anyMatch(other -> other.answer != null && other.answer.tooMany() < Long.MAX_VALUE);
    return inVain ? step.answer.withoutWalk() : step.answer;
  }

  /** The dearest sequence that is cheaper than a step's, and exceeds its limit; null for none. */
  private int[] cheaper(Step step) {
    return steps.stream()
        .map(other -> other.answer)
        .filter(other -> other != null && other.isCheaperThan(step.answer))
        .filter(other -> new Timeline(problem, other.sequence()).peak > step.limit)
        .max(Comparator.comparingLong(RecomputeAnswer::extra))
        .map(RecomputeAnswer::sequence)
        .orElse(null);
  }

  /**
   * Keeps an answer; its bound holds below its limit too, its sequence above it, and with its
   * certificate some of its bound as well.
   */
  private void know(Step step, RecomputeAnswer answer) {
    boolean isNew = step.answer == null || step.answer.certificate() != answer.certificate();
    step.answer = answer;
    proofs.add(new Proof(step.limit, answer));
    for (Step other : steps) {
      if (other.answer == null) {
        continue;
      }
      if (other.limit <= step.limit && other.answer.bound() < answer.bound()) {
        other.answer = other.answer.withBoundOf(answer);
      }
      if (other.limit >= step.limit && answer.isCheaperThan(other.answer)) {
        other.answer = answer.withBoundOf(other.answer);
      }
      boolean isAbove = other.limit > step.limit && other.limit < step.limit + step.limit / NEAR;
      boolean less = other.gap() > wide && other.answer.bound() < answer.bound();
      if (isNew && isAbove && less) {
        prove(other, answer);
      }
    }
  }

  /** Keeps what an answer's certificate proves of a step's limit, where that is more. */
  private void prove(Step step, RecomputeAnswer answer) {
    RecomputeAnswer there = answer.at(problem, step.limit);
    if (there.bound() > step.answer.bound()) {
      proofs.add(new Proof(step.limit, there));
      step.answer = step.answer.withBoundOf(there);
    }
  }

  /**
   * Places what has not been placed. A step's limit becomes the peak where that is higher: the
   * answer is then compared with what is proven of that peak, by its own certificate too.
   */
  private void place(double seconds) {
    double end = fit.control().secondsLeft() - seconds;
    for (int at = 0; at < steps.size(); at++) {
      double left = Math.max(0, fit.control().secondsLeft() - end);
      place(steps.get(at), left / (steps.size() - at));
    }
  }

  private void place(Step step, double seconds) {
    if (step.answer == null || step.answer.sequence() == null || isPlaced(step.answer)) {
      return;
    }
    step.placed = step.answer.sequence();
    FitPlan plan = fit.improved(fit.plan(step.placed), -1, Math.min(0.5, seconds / 2));
    if (plan.peak() > step.limit) {
      plan = fit.improved(plan, step.limit, Math.min(PLACING, seconds / 2));
    }
    plans.add(plan);
    fit.say(
        "live bytes within %s: peak %s, extra %s, bound %s"
            .formatted(
                ByteText.both(step.limit),
                ByteText.both(plan.peak()),
                ByteText.exact(plan.extra()),
                ByteText.exact(step.answer.bound())));
    if (plan.peak() > step.limit) {
      step.limit = plan.peak();
      RecomputeAnswer before = step.answer;
      know(step, before.withBoundOf(proof(step.limit).answer));
      prove(step, before);
    }
  }

  /**
   * Places cheap plans again, within the peak of the dearer one that follows, where their live
   * bytes fit there: first where most is won.
   */
  private void placeLower() {
    Set<FitPlan> tried = Collections.newSetFromMap(new IdentityHashMap<>());
    while (fit.control().secondsLeft() > LEAST_PLACING) {
      List<FitPlan> front = front();
      int best = -1;
      long most = 0;
      for (int k = 0; k + 1 < front.size(); k++) {
        long won = front.get(k + 1).extra() - front.get(k).extra();
        boolean fits = front.get(k).load() <= front.get(k + 1).peak();
        if (fits && won > most && !tried.contains(front.get(k))) {
          best = k;
          most = won;
        }
      }
      if (best < 0) {
        return;
      }
      double seconds = Math.min(2 * PLACING, fit.control().secondsLeft() / 2);
      tried.add(front.get(best));
      plans.add(fit.improved(front.get(best), front.get(best + 1).peak(), seconds));
    }
  }

  private boolean isPlaced(RecomputeAnswer answer) {
    return steps.stream().anyMatch(step -> Arrays.equals(step.placed, answer.sequence()));
  }

  /** The largest bound that holds for all plans of a peak. */
  private Proof proof(long peak) {
    return proofs.stream()
        .filter(proof -> proof.limit >= peak)
        .max(Comparator.comparingLong(proof -> proof.answer.bound()))
        .orElse(new Proof(Long.MAX_VALUE, RecomputeAnswer.NOTHING));
  }

  /** The plans that are below all cheaper ones in memory. */
  private List<FitPlan> front() {
    List<FitPlan> front = new ArrayList<>();
    plans.sort(Comparator.comparingLong(FitPlan::extra).thenComparingLong(FitPlan::peak));
    for (FitPlan plan : plans) {
      if (front.isEmpty() || plan.peak() < front.get(front.size() - 1).peak()) {
        front.add(plan);
      }
    }
    return front;
  }

  /** The front with its bounds, and the plan that is written. */
  private FitAnswer answer() {
    List<FitAnswer.Point> curve = new ArrayList<>();
    FitPlan written = null;
    long bound = 0;
    long most = fit.request().maxExtra();
    Proof proof = new Proof(-1, RecomputeAnswer.NOTHING);
    GapCertificate ofAllOrders = null;
    plans.removeIf(plan -> !fit.isWhole(plan));
    for (FitPlan plan : front()) {
      if (written != null && most >= 0 && plan.extra() > most) {
        break;
      }
      Proof own = proof(plan.peak());
      long least = Math.min(plan.extra(), fit.bound(plan.peak(), own.answer));
      String word = fit.proof(own.answer).word();
      curve.add(new FitAnswer.Point(plan.peak(), plan.extra(), least, word));
      if (written == null || most >= 0 || plan.extra() <= fit.request().usual()) {
        written = plan;
        proof = own;
        bound = least;
        ofAllOrders = fit.ofAllOrders;
      }
    }
    fit.ofAllOrders = ofAllOrders; // of the plan that is written
    boolean proven = !cut && curve.stream().allMatch(point -> point.status() == Status.OPTIMAL);
    Status status = written == null ? Status.UNKNOWN : proven ? Status.OPTIMAL : Status.FEASIBLE;
    return fit.answer(written, status, bound, null, proof.answer, curve, checkpoints());
  }

  /**
   * What checkpointing by rules reaches: by square root, and of the greedy ones the best, where
   * those are placed that have fewer bytes alive than all cheaper ones, as long as there is time.
   */
  private List<FitAnswer.RecomputeFacts.Checkpointing> checkpoints() {
    List<FitAnswer.RecomputeFacts.Checkpointing> found = new ArrayList<>();
    int[] root = Checkpoints.squareRoot(problem);
    if (fit.request().isOver(fit.control()) || !Timeline.isInOrder(problem, root)) {
      return found;
    }
    found.add(checkpointing("square root", root));
    List<int[]> greedy =
        Checkpoints.greedy(problem).stream()
            .filter(sequence -> Timeline.isInOrder(problem, sequence))
            .sorted(
                Comparator.comparingLong((int[] sequence) -> problem.extra(sequence))
                    .thenComparingLong(sequence -> new Timeline(problem, sequence).peak))
            .toList();
    long live = Long.MAX_VALUE;
    for (int[] sequence : greedy) {
      if (fit.request().isOver(fit.control())) {
        break;
      }
      if (new Timeline(problem, sequence).peak >= live) {
        continue; // a cheaper one has no more bytes alive
      }
      live = new Timeline(problem, sequence).peak;
      FitAnswer.RecomputeFacts.Checkpointing one = checkpointing("greedy", sequence);
      if (found.size() == 1 || one.peak() < found.get(found.size() - 1).peak()) {
        found.add(one);
      }
    }
    return found;
  }

  private FitAnswer.RecomputeFacts.Checkpointing checkpointing(String rule, int[] sequence) {
    FitPlan plan = fit.plan(sequence);
    return new FitAnswer.RecomputeFacts.Checkpointing(rule, plan.peak(), plan.extra());
  }
}

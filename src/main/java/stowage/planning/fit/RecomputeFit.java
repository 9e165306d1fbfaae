package stowage.planning.fit;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import stowage.exact.engine.EngineOptions;
import stowage.network.Network;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.planning.fit.piece.FitReplay;
import stowage.planning.fit.price.FitCompute;
import stowage.planning.schedule.ScheduleRun;
import stowage.rewrite.Recomputation;
import stowage.rewrite.Rewriting;
import stowage.rewrite.recompute.RecomputeAnswer;
import stowage.rewrite.recompute.RecomputeSolver;
import stowage.rewrite.recompute.cpsat.GapLinear;
import stowage.rewrite.recompute.model.ExtraCertificate;
import stowage.rewrite.recompute.model.GapCertificate;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;
import stowage.rewrite.recompute.search.PlacedSearch;

/**
 * The least extra compute with which a network fits when ops may be computed again.
 *
 * <p>First the bytes alive are brought under the limit, with a bound for all sequences whose first
 * computations keep the order. Where the question is the placed peak, the sequence is placed; if
 * its buffers do not fit, small graphs go through all sequences by rising cost, each placed
 * exactly, and large ones tighten the limit of live bytes until a sequence fits. The bound of the
 * live bytes holds for the peak too; a dearer placement is not claimed to be least.
 */
final class RecomputeFit {
  /** Values up to which all sequences are tried in the order of their cost. */
  private static final int SMALL = 16;

  private static final int MOST_ROUNDS = 12;

  private final FitRequest request;
  private final RunControl control;
  private final Consumer<String> progress;
  private final long start = System.nanoTime();
  private final Rewriting base;
  private final List<FitPlan.Run> runs;
  private final long leastPeak;
  private final FitPlaces places;
  private final RecomputeValues values;
  private final RecomputeProblem problem;
  private RecomputeAnswer logical;
  GapCertificate ofAllOrders;
  private boolean tried;

  private RecomputeFit(
      FitRequest request,
      Rewriting base,
      List<FitPlan.Run> runs,
      long leastPeak,
      RunControl control,
      Consumer<String> progress) {
    this.request = request;
    this.control = control;
    this.progress = progress;
    this.base = base;
    this.runs = runs;
    this.leastPeak = leastPeak;
    this.places = new FitPlaces(request, base, control);
    this.values = RecomputeValues.of(base.network(), request.liveness(Set.of()));
    this.problem = values.problem();
  }

  /**
   * Answers a request by the lever recompute, with order and sharing where they are allowed, and a
   * line of progress for each step.
   */
  static FitAnswer of(FitRequest request, RunControl control, Consumer<String> progress) {
    int[] order = request.network().executionOrder();
    if (request.allows(Lever.ORDER)) {
      ScheduleRun run =
          new ScheduleRun(request.network(), request.liveness(request.levers()), List.of(), -1);
      run.findOrder(control.share(0.2 * Math.min(1e6, control.secondsLeft())));
      order = run.bestOrder();
    }
    Rewriting base = Rewriting.reordered(request.network(), order);
    return new RecomputeFit(request, base, List.of(), leastPeak(request, base), control, progress)
        .run();
  }

  /**
   * Answers a request on a network in pieces, of which ops are computed again; no plan by any lever
   * has a peak below {@code leastPeak} bytes.
   */
  static FitAnswer of(
      FitRequest request,
      FitPlan pieces,
      long leastPeak,
      RunControl control,
      Consumer<String> progress) {
    Rewriting base = pieces.rewriting();
    return new RecomputeFit(request, base, pieces.runs(), leastPeak, control, progress).run();
  }

  /** No plan by the levers of a request has a lower peak, in bytes. */
  private static long leastPeak(FitRequest request, Rewriting base) {
    if (request.allows(Lever.SHARING)) {
      return new FitBound(request).peak();
    }
    RecomputeProblem problem =
        RecomputeValues.of(base.network(), request.liveness(Set.of())).problem();
    GapProblem gaps =
        request.allows(Lever.ORDER)
            ? GapProblem.ofAllOrders(problem, 0)
            : new GapProblem(problem, 0);
    return Arrays.stream(gaps.least()).max().orElse(0);
  }

  /** The answer where no plan is within the limits, whatever is computed again. */
  static FitAnswer impossible(
      FitRequest request, FitBound bound, RunControl control, Consumer<String> progress) {
    Network network = request.network();
    Rewriting base = Rewriting.reordered(network, network.executionOrder());
    return new RecomputeFit(request, base, List.of(), bound.peak(), control, progress)
        .answer(null, Status.INFEASIBLE, 0, bound.reason());
  }

  private FitAnswer run() {
    if (request.curve() || request.maxExtra() >= 0) {
      return new RecomputeCurve(this).run();
    }
    long limit = limit();
    double left = Math.min(1e6, control.secondsLeft());
    boolean placed = request.capacity() >= 0;
    double share = placed ? left / 2 : Math.max(left * 0.85, left - 3);
    logical = RecomputeSolver.solve(problem, logicalLimit(limit), null, control.within(share));
    progress.accept(line(limit));
    long bound = bound(limit, logical);
    if (bound == Long.MAX_VALUE) {
      return answer(null, Status.INFEASIBLE, 0, reason(limit));
    }
    int[] sequence = logical.sequence() == null ? lowest() : logical.sequence();
    FitPlan plan = plan(sequence);
    if (!request.admits(plan.peak(), plan.load())) {
      plan = improved(plan, request.capacity(), Math.min(2 + control.secondsLeft() / 8, 20));
    } else if (!placed) {
      plan = improved(plan, request.capacity(), Math.min(1, control.secondsLeft() / 2));
    }
    if (!request.admits(plan.peak(), plan.load())) {
      if (problem.values <= SMALL && !loose()) {
        PlacedSearch.Answer found = new PlacedSearch(problem, limit, this::verdict).run(control);
        tried = found.bound() > bound;
        bound = Math.max(bound, found.bound());
        if (bound == Long.MAX_VALUE) {
          return answer(null, Status.INFEASIBLE, 0, reason(limit));
        }
        plan =
            found.sequence() == null
                ? plan
                : improved(plan(found.sequence()), request.capacity(), 5);
      } else {
        plan = tightened(plan, limit);
      }
    }
    boolean fits = request.admits(plan.peak(), plan.load());
    Status status = fits ? Status.FEASIBLE : Status.UNKNOWN;
    if (fits && plan.extra() <= bound) {
      status = Status.OPTIMAL;
    }
    return answer(plan, status, fits ? Math.min(bound, plan.extra()) : bound, null);
  }

  /** Whether bounds of the live bytes in the given order, without sharing, do not hold here. */
  boolean loose() {
    return request.allows(Lever.SHARING) || request.allows(Lever.ORDER);
  }

  /**
   * What any allowed sequence within a limit costs at least, {@link Long#MAX_VALUE} where there is
   * none: of this order, or of all. With sharing nothing is known: values of one buffer count once,
   * and which share one depends on the sequence.
   */
  long bound(long limit, RecomputeAnswer found) {
    if (request.allows(Lever.SHARING)) {
      return 0;
    }
    if (found.proof() == RecomputeAnswer.Proof.GATHERING) {
      return Long.MAX_VALUE;
    }
    if (!request.allows(Lever.ORDER)) {
      boolean none = found.status() == Status.INFEASIBLE;
      return none ? Long.MAX_VALUE : found.bound();
    }
    GapProblem gaps = GapProblem.ofAllOrders(problem, limit);
    double seconds = Math.max(5, control.secondsLeft() / 4);
    ofAllOrders = GapLinear.solve(gaps, Long.MAX_VALUE, control, seconds).ofAllOrders();
    return ofAllOrders.bound(problem, limit);
  }

  /** Where the limit is not met: a sequence that needs little more than the least at this order. */
  private int[] lowest() {
    long least = Arrays.stream(new GapProblem(problem, 0).least()).max().orElse(0);
    int[] best = problem.once();
    long top = new Timeline(problem, best).peak;
    for (int part = 0; part < 4 && !control.isStopped(); part++) {
      long asked = least + (long) ((top - least) * (part / 8.0));
      RunControl share = control.within(Math.min(10, control.secondsLeft() / 4));
      RecomputeAnswer found = RecomputeSolver.solve(problem, asked, null, share);
      if (found.sequence() != null) {
        return found.sequence();
      }
    }
    return best;
  }

  private long limit() {
    LongStream limits = LongStream.of(request.capacity(), request.loadLimit());
    return limits.filter(limit -> limit >= 0).min().orElse(Long.MAX_VALUE / 4);
  }

  /** The limit without sharing that is about the limit with it. */
  private long logicalLimit(long limit) {
    if (!request.allows(Lever.SHARING)) {
      return limit;
    }
    long shared = LoadProfile.of(request.buffers(base.network()).problem()).maxLoad();
    double ratio = new Timeline(problem, problem.once()).peak / (double) Math.max(1, shared);
    return (long) (limit * Math.max(1, ratio));
  }

  FitPlan plan(int[] sequence) {
    return places.placed(base.then(Recomputation.of(base.network(), sequence)), List.of());
  }

  /** A plan placed within a target, or as low as can be where it is below the load. */
  FitPlan improved(FitPlan plan, long target, double seconds) {
    return plan.peak() <= plan.load()
        ? plan
        : FitPlaces.improved(
            request, plan, target, PlannerCatalogue.PORTFOLIO, control.share(seconds));
  }

  /** Whether a sequence's buffers fit into the capacity. */
  private PlacedSearch.Verdict verdict(int[] sequence) {
    FitPlan quick = plan(sequence);
    if (request.admits(quick.peak(), quick.load())) {
      return PlacedSearch.Verdict.FITS;
    }
    PackingProblem limited = quick.planned().problem().withCapacity(0, request.capacity());
    Incumbent placement = new Incumbent(limited);
    EngineOptions engines = request.engines().withFirstFit(true);
    PlannerRun.of(
        quick.planned().withProblem(limited),
        placement,
        control.share(10),
        List.of(PlannerCatalogue.named(PlannerCatalogue.PORTFOLIO)),
        engines);
    if (placement.placement() != null
        && placement.placement().peak(limited, 0) <= request.capacity()) {
      return PlacedSearch.Verdict.FITS;
    }
    boolean none =
        placement.status() == Status.INFEASIBLE || placement.bestBound() > request.capacity();
    return none ? PlacedSearch.Verdict.TOO_LARGE : PlacedSearch.Verdict.UNKNOWN;
  }

  /** Lowers the limit of live bytes until a sequence's buffers fit. */
  private FitPlan tightened(FitPlan first, long limit) {
    FitPlan best = first;
    long asked = logicalLimit(limit);
    int[] known = logical.sequence();
    if (known == null) {
      return first;
    }
    long step = Math.max(1, memory(first) - limit);
    for (int round = 0; round < MOST_ROUNDS && !control.isStopped(); round++) {
      asked -= step;
      boolean none = new GapProblem(problem, asked).impossible() >= 0;
      RunControl share = control.within(control.secondsLeft() / 4);
      int[] found = none ? null : RecomputeSolver.solve(problem, asked, known, share).sequence();
      if (found == null) {
        asked += step;
        step /= 2;
        if (step == 0) {
          break;
        }
        continue;
      }
      FitPlan plan = improved(plan(found), request.capacity(), control.secondsLeft() / 8);
      progress.accept(
          "live bytes within %s: peak %s, extra %s"
              .formatted(
                  ByteText.both(asked), ByteText.both(plan.peak()), ByteText.exact(plan.extra())));
      boolean fits = request.admits(plan.peak(), plan.load());
      if (fits) {
        return plan;
      }
      best = memory(plan) < memory(best) ? plan : best;
      step = Math.max(Math.max(1, step / 2), memory(plan) - limit);
    }
    return best;
  }

  private long memory(FitPlan plan) {
    return request.capacity() >= 0 ? plan.peak() : plan.load();
  }

  private String line(long limit) {
    return "recomputing, live bytes within "
        + ByteText.both(limit)
        + ": extra "
        + (logical.sequence() == null ? "none found" : ByteText.exact(logical.extra()))
        + (logical.bound() == Long.MAX_VALUE ? "" : ", bound " + ByteText.exact(logical.bound()));
  }

  private String reason(long limit) {
    boolean free = request.allows(Lever.ORDER);
    GapProblem gaps =
        free ? GapProblem.ofAllOrders(problem, limit) : new GapProblem(problem, limit);
    long[] least = gaps.least();
    int op = 0;
    for (int other = 1; other < least.length; other++) {
      op = least[other] > least[op] ? other : op;
    }
    if (least[op] <= limit) {
      return "No sequence of computations is within %s, by %s."
          .formatted(ByteText.both(limit), proof(logical).word());
    }
    return "What op \""
        + base.network().ops().get(op).name()
        + "\" reads and makes, with what is kept across it and cannot be computed again, takes "
        + ByteText.both(least[op])
        + ".";
  }

  FitRequest request() {
    return request;
  }

  RunControl control() {
    return control;
  }

  RecomputeProblem problem() {
    return problem;
  }

  void say(String line) {
    progress.accept(line);
  }

  private FitAnswer answer(FitPlan plan, Status status, long bound, String reason) {
    FitPlan replayed = plan == null || isWhole(plan) ? plan : null;
    Status known = replayed == plan ? status : Status.UNKNOWN;
    return answer(replayed, known, bound, reason, logical, List.of(), List.of());
  }

  /** Whether the replay of a plan finds every byte. */
  boolean isWhole(FitPlan plan) {
    Optional<String> fault = FitReplay.fault(plan.planned(), plan.plan().placement());
    fault.ifPresent(found -> say("a plan is dropped: " + found));
    return fault.isEmpty();
  }

  FitAnswer answer(
      FitPlan plan,
      Status status,
      long bound,
      String reason,
      RecomputeAnswer known,
      List<FitAnswer.Point> curve,
      List<FitAnswer.RecomputeFacts.Checkpointing> checkpoints) {
    Set<Lever> climbed = EnumSet.copyOf(request.levers());
    if (!runs.isEmpty()) {
      climbed.add(Lever.SPLIT);
    }
    FitAnswer.Step step =
        new FitAnswer.Step(
            climbed,
            plan == null ? -1 : plan.peak(),
            leastPeak,
            plan == null ? 0 : plan.extra(),
            runs.size());
    ExtraCertificate certificate = loose() || known == null ? ofAllOrders : known.certificate();
    Map<String, Object> proven = new LinkedHashMap<>();
    proven.put("kind", proof(known).word());
    if (certificate != null && !tried) {
      List<String> ops = base.network().ops().stream().map(op -> op.name()).toList();
      proven.putAll(certificate.fields(problem, ops));
    }
    FitAnswer.RecomputeFacts facts =
        new FitAnswer.RecomputeFacts(values.fixed(), proven, checkpoints);
    return new FitAnswer(
        request,
        status,
        plan(problem.once()),
        plan == null ? null : plan.withRuns(runs),
        FitCompute.of(request.network()),
        FitCompute.unit(request.network()),
        bound,
        scope(),
        List.of(step),
        curve,
        reason,
        null,
        facts,
        0,
        (System.nanoTime() - start) / 1e9);
  }

  /** What the bound rests on that was last asked for; null asks of what no plan can avoid. */
  RecomputeAnswer.Proof proof(RecomputeAnswer known) {
    if (tried) {
      return RecomputeAnswer.Proof.EXHAUSTION;
    }
    if (known == null) {
      return RecomputeAnswer.Proof.WORKING_SET;
    }
    boolean shares = request.allows(Lever.SHARING);
    if (loose() && (shares || known.proof() != RecomputeAnswer.Proof.GATHERING)) {
      return ofAllOrders == null ? RecomputeAnswer.Proof.NONE : RecomputeAnswer.Proof.GAPS;
    }
    return known.proof();
  }

  private String scope() {
    if (request.allows(Lever.SPLIT)) {
      return FitWords.scope(request);
    }
    String order = loose() ? ", in any order" : " whose first computations keep the given order";
    return "all sequences of computations" + order;
  }
}

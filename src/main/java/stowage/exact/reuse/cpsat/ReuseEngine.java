package stowage.exact.reuse.cpsat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import stowage.exact.cpsat.NativeLibraries;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.SolveContext;
import stowage.exact.reuse.ReuseSearch;
import stowage.exact.reuse.ReuseSplit;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.PlainForm;
import stowage.packing.ReuseCost;
import stowage.packing.ReuseCut;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * The engine for the price of reuse: walks lower it, cuts bound it, and on parts of some hundred
 * buffers CP-SAT closes what the two leave open.
 *
 * <p>The problem falls into parts between which no pair matters. Each is worked on by itself; the
 * prices and the bounds add up. In a part the walks go on beside the bounds, until both meet.
 */
public final class ReuseEngine implements Engine {
  private static final int MOST_BUFFERS = 4_000;
  private static final double FIRST_LOOK_SECONDS = 0.5;
  private static final double FIRST_LOOK_SHARE = 0.02;

  /** Of the time left, what bounds may take of a part whose price they will hardly meet. */
  private static final double BOUND_SHARE = 0.45;

  private static final double RELAXATION_SHARE = 0.2;

  /** A bound closer to the price than this share of it, or one whole weight, may meet it. */
  private static final double NEAR = 0.1;

  private static final int ROUNDS = 400;
  private static final int DETERMINISTIC_ROUNDS = 40;
  private static final int MOST_FOR_PAIRS = 160;

  /** So few buffers are modelled pair by pair however far the bound is from the price. */
  private static final int FEW = 100;

  private Incumbent incumbent;
  private RunControl control;
  private double begin;
  private int figure;
  private ReuseSplit parts;
  private Placement[] placements;
  private long[] prices;
  private long[] bounds;
  private Certificate[] proofs;

  @Override
  public String name() {
    return "reuse";
  }

  @Override
  public String kind() {
    return "cp-sat";
  }

  @Override
  public String version() {
    return "stowage reuse";
  }

  @Override
  public boolean knowsRelations() {
    return true;
  }

  @Override
  public boolean lowers(Goal goal) {
    return goal == Goal.REUSE;
  }

  @Override
  public String summary() {
    return "Annealing with exactly best positions, against cuts over cliques: least price of reuse";
  }

  @Override
  public EngineReport run(SolveContext context) {
    PackingProblem problem = context.problem();
    EngineOptions options = context.options();
    incumbent = context.incumbent();
    control = context.control();
    begin = incumbent.seconds();
    figure = incumbent.objective().indexOf(Goal.REUSE);
    if (figure < 0) {
      throw new NotPlannableException("reuse lowers the price of reuse: give --objective reuse");
    }
    if (problem.size() > MOST_BUFFERS) {
      throw new NotPlannableException(
          "reuse is given at most %s buffers, and the problem has %s"
              .formatted(MOST_BUFFERS, problem.size()));
    }
    options.hints().forEach(hint -> incumbent.offer(hint, "hint"));
    PlainForm plain = PlainForm.of(problem);
    if (plain.obstacle() != null) {
      incumbent.provenInfeasible(plain.obstacle(), name());
      return report(problem);
    }
    NativeLibraries.load();
    parts = ReuseSplit.of(problem);
    int count = parts.count();
    placements = new Placement[count];
    prices = new long[count];
    bounds = new long[count];
    proofs = new Certificate[count];
    for (int k = 0; k < count; k++) {
      prices[k] = Long.MAX_VALUE;
      proofs[k] = Certificate.ReuseCuts.none();
    }
    offerBound();
    if (incumbent.placement() != null) {
      for (int k = 0; k < count; k++) {
        found(k, parts.restricted(k, incumbent.placement()));
      }
    }
    double look = Math.min(FIRST_LOOK_SECONDS, FIRST_LOOK_SHARE * control.secondsLeft());
    for (int k = 0; k < count; k++) {
      search(k, control.isDeterministic() ? control : control.within(look));
    }
    List<Integer> open = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      if (bounds[k] < prices[k]) {
        open.add(k);
      }
    }
    for (int at = 0; at < open.size() && incumbent.infeasibility() == null; at++) {
      double share = control.secondsLeft() / (open.size() - at);
      close(open.get(at), control.within(share));
    }
    return report(problem);
  }

  private EngineReport report(PackingProblem problem) {
    SortedMap<String, Long> statistics = new TreeMap<>();
    statistics.put("parts", parts == null ? 0 : (long) parts.count());
    Bound bound = incumbent.bound(figure);
    double seconds = incumbent.seconds() - begin;
    long proven = bound == null ? 0 : bound.value();
    return new EngineReport(name(), seconds, version(), statistics, proven, "");
  }

  private void search(int k, RunControl limit) {
    if (parts.part(k).refusal() != null) {
      return;
    }
    new ReuseSearch(
            parts.part(k),
            limit,
            () -> bounds[k],
            (cost, at, in) -> found(k, parts.part(k).placement(at, in)))
        .run();
  }

  private void found(int k, Placement placement) {
    long price = ReuseCost.of(parts.problem(k), placement);
    Placement whole;
    synchronized (this) {
      if (price >= prices[k]) {
        return;
      }
      prices[k] = price;
      placements[k] = placement;
      for (Placement other : placements) {
        if (other == null) {
          return;
        }
      }
      whole = parts.expand(placements);
    }
    incumbent.offer(whole, name());
  }

  private synchronized void bound(int k, long value, Certificate why) {
    if (value > bounds[k]) {
      bounds[k] = value;
      proofs[k] = why;
      offerBound();
    }
  }

  /**
   * Offers the sum of the parts' bounds, with the parts' cuts in one certificate if all are cuts.
   */
  private void offerBound() {
    long sum = 0;
    long scale = 1;
    Certificate word = null;
    for (int k = 0; k < bounds.length; k++) {
      sum += bounds[k];
      if (proofs[k] instanceof Certificate.ReuseCuts cuts) {
        scale = Math.max(scale, cuts.scale());
      } else {
        word = proofs[k];
      }
    }
    Certificate why = word;
    if (word == null) {
      List<ReuseCut> cuts = new ArrayList<>();
      List<Long> multipliers = new ArrayList<>();
      List<Integer> groups = new ArrayList<>();
      for (int k = 0; k < bounds.length; k++) {
        Certificate.ReuseCuts own = (Certificate.ReuseCuts) proofs[k];
        for (int c = 0; c < own.cuts().size(); c++) {
          cuts.add(parts.expand(k, own.cuts().get(c)));
          multipliers.add(own.multipliers()[c] * (scale / own.scale()));
          groups.add(k);
        }
      }
      why =
          new Certificate.ReuseCuts(
              cuts,
              multipliers.stream().mapToLong(Long::longValue).toArray(),
              scale,
              groups.stream().mapToInt(Integer::intValue).toArray());
    }
    incumbent.offer(new Bound(figure, sum, why), name());
  }

  /** Works on a part that is open: walks on some threads, bounds on one of their own. */
  private void close(int k, RunControl limit) {
    RunControl both = limit.within(Double.POSITIVE_INFINITY);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Runnable bounding =
        () -> {
          try {
            prove(k, both);
          } catch (RuntimeException | Error broken) {
            failure.compareAndSet(null, broken);
          }
          if (isClosed(k)) {
            both.stop();
          }
        };
    if (control.isDeterministic()) {
      bounding.run();
    } else {
      Thread thread = Threads.start("reuse-bound", bounding);
      search(k, both);
      Threads.join(thread, both::stop);
    }
    if (failure.get() != null && placements[k] == null) {
      throw new IllegalStateException(failure.get());
    }
  }

  private boolean isClosed(int k) {
    return incumbent.infeasibility() != null || bounds[k] >= prices[k];
  }

  /**
   * Raises a part's bound: by the relaxation; where that is near the price, by CP-SAT on its cuts
   * and on all pairs, which may close it; else by SCIP on the cuts, for a share of the time, since
   * the walks need the threads.
   */
  private void prove(int k, RunControl limit) {
    if (parts.part(k).refusal() != null) {
      pairs(k, limit);
      return;
    }
    boolean small = parts.problem(k).size() <= MOST_FOR_PAIRS;
    ReuseBound relaxation = new ReuseBound(parts.part(k), limit::isStopped);
    List<ReuseCut> cuts;
    try {
      int rounds = control.isDeterministic() ? DETERMINISTIC_ROUNDS : ROUNDS;
      RunControl own = small ? limit : limit.within(limit.secondsLeft() * RELAXATION_SHARE);
      relaxation.run(
          rounds, own, () -> prices[k], found -> bound(k, found.best(), found.certificate()));
      cuts = relaxation.cuts();
    } finally {
      relaxation.close();
    }
    if (isClosed(k) || limit.isStopped()) {
      return;
    }
    if (!small || !isNear(k)) {
      whole(k, cuts, limit.within(limit.secondsLeft() * BOUND_SHARE));
    }
    if (small && (isNear(k) || parts.problem(k).size() <= FEW)) {
      master(k, cuts, limit);
      pairs(k, limit);
    }
  }

  private boolean isNear(int k) {
    return prices[k] - bounds[k] <= Math.max(1, NEAR * prices[k]);
  }

  private void whole(int k, List<ReuseCut> cuts, RunControl limit) {
    IntegerCutBound whole = new IntegerCutBound(parts.part(k), cuts);
    boolean complete = false;
    while (!complete && !isClosed(k) && !limit.isStopped()) {
      IntegerCutBound.Round done = whole.round(limit, limit.secondsLeft());
      bound(k, done.bound(), claim("SCIP", "whole choices under cuts"));
      complete = done.complete();
    }
  }

  private void master(int k, List<ReuseCut> cuts, RunControl limit) {
    ReuseMaster master = new ReuseMaster(parts.part(k), cuts);
    RunControl alone = limit.withThreads(1);
    for (int round = 0; !isClosed(k) && !limit.isStopped() && round < 100; round++) {
      double most = Math.max(1, limit.secondsLeft() * 0.2);
      ReuseMaster.Round done = master.round(alone, control.isDeterministic() ? 2 : most);
      if (done.infeasible()) {
        incumbent.provenInfeasible(claim("CP-SAT", "cuts"), name());
        return;
      }
      bound(k, done.bound(), claim("CP-SAT", "whole choices under cuts"));
      if (done.complete()) {
        return;
      }
    }
  }

  private static Certificate claim(String solver, String what) {
    String kind = solver.equals("SCIP") ? "scip" : "cp-sat";
    return Certificate.SolverClaim.of(kind, solver + ", " + what, Map.of());
  }

  private void pairs(int k, RunControl limit) {
    if (isClosed(k) || limit.isStopped() || parts.problem(k).size() > MOST_FOR_PAIRS) {
      return;
    }
    PackingProblem problem = parts.problem(k);
    Incumbent inner = new Incumbent(problem, Objective.of(problem, List.of(Goal.REUSE)));
    if (placements[k] != null) {
      inner.offer(placements[k], "walks");
    }
    inner.offer(new Bound(0, bounds[k], proofs[k]), "cuts");
    inner.addListener(
        event -> {
          if (inner.placement() != null) {
            found(k, inner.placement());
          }
          if (event.bounds()[0] != null) {
            bound(k, event.bounds()[0].value(), event.bounds()[0].certificate());
          }
        });
    new PairEngine().run(problem, inner, limit.withThreads(1), EngineOptions.defaults());
    if (inner.infeasibility() != null) {
      incumbent.provenInfeasible(inner.infeasibility(), name());
    }
  }
}

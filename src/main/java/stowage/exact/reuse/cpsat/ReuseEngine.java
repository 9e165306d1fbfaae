package stowage.exact.reuse.cpsat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import stowage.exact.cpsat.NativeLibraries;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.SolveContext;
import stowage.exact.reuse.ReuseItems;
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
import stowage.packing.ReuseCut;
import stowage.packing.ReuseProof;
import stowage.packing.RunControl;
import stowage.packing.SolverClaim;
import stowage.packing.Threads;

/**
 * The engine for the price of reuse: walks lower it, cuts bound it, and on parts of some hundred
 * buffers CP-SAT closes what the two leave open.
 *
 * <p>The problem falls into parts between which no pair matters. Each is worked on by itself; the
 * prices and the bounds add up. In a part the walks go on alongside the bounds, until both meet.
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

  private static final Certificate CLAIM =
      SolverClaim.of("scip", "SCIP, whole choices under cuts", Map.of());

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

  /** What is known of each part. */
  private List<Incumbent> own;

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
      return report();
    }
    NativeLibraries.load();
    parts = ReuseSplit.of(problem);
    int count = parts.count();
    own = IntStream.range(0, count).mapToObj(k -> incumbentOf(parts.problem(k))).toList();
    passOn();
    for (int k = 0; k < count && incumbent.placement() != null; k++) {
      own.get(k).offer(parts.restricted(k, incumbent.placement()), name());
    }
    double look = Math.min(FIRST_LOOK_SECONDS, FIRST_LOOK_SHARE * control.secondsLeft());
    for (int k = 0; k < count; k++) {
      search(k, control.isDeterministic() ? control : control.within(look));
    }
    int[] open = IntStream.range(0, count).filter(k -> !isClosed(k)).toArray();
    for (int at = 0; at < open.length && incumbent.infeasibility() == null; at++) {
      double share = control.secondsLeft() / (open.length - at);
      close(open[at], control.within(share));
    }
    return report();
  }

  private Incumbent incumbentOf(PackingProblem part) {
    Incumbent made = new Incumbent(part, Objective.of(part, List.of(Goal.REUSE)));
    made.offer(Bound.of(0, ReuseProof.none()), name());
    made.addListener(event -> passOn());
    return made;
  }

  private EngineReport report() {
    SortedMap<String, Long> statistics = new TreeMap<>();
    statistics.put("parts", parts == null ? 0 : (long) parts.count());
    Bound bound = incumbent.bound(figure);
    double seconds = incumbent.seconds() - begin;
    long proven = bound == null ? 0 : bound.value();
    return new EngineReport(name(), seconds, version(), statistics, proven, "");
  }

  private void search(int k, RunControl limit) {
    ReuseItems items = parts.part(k);
    if (items.refusal() == null) {
      BiConsumer<long[], int[]> cheaper =
          (at, in) -> own.get(k).offer(items.placement(at, in), name());
      new ReuseSearch(items, limit, own.get(k)::bestBound, cheaper).run();
    }
  }

  /** Offers what the parts' placements and bounds come to together. */
  private void passOn() {
    Placement[] placements = own.stream().map(Incumbent::placement).toArray(Placement[]::new);
    if (Arrays.stream(placements).allMatch(Objects::nonNull)) {
      incumbent.offer(parts.expand(placements), name());
    }
    List<Bound> bounds = own.stream().map(part -> part.bound(0)).toList();
    long sum = bounds.stream().mapToLong(Bound::value).sum();
    incumbent.offer(new Bound(figure, sum, joined(bounds)), name());
    own.stream()
        .map(Incumbent::infeasibility)
        .filter(Objects::nonNull)
        .forEach(why -> incumbent.provenInfeasible(why, name()));
  }

  /** The parts' cuts in one certificate if all are cuts; else a solver's claim among them. */
  private Certificate joined(List<Bound> bounds) {
    long scale = 1;
    Certificate claim = null;
    for (Bound bound : bounds) {
      if (bound.certificate() instanceof ReuseProof cuts) {
        scale = Math.max(scale, cuts.scale());
      } else {
        claim = bound.certificate();
      }
    }
    if (claim != null) {
      return claim;
    }
    List<ReuseCut> cuts = new ArrayList<>();
    List<Long> multipliers = new ArrayList<>();
    List<Integer> groups = new ArrayList<>();
    for (int k = 0; k < bounds.size(); k++) {
      ReuseProof part = (ReuseProof) bounds.get(k).certificate();
      for (int c = 0; c < part.cuts().size(); c++) {
        cuts.add(parts.expand(k, part.cuts().get(c)));
        multipliers.add(part.multipliers()[c] * (scale / part.scale()));
        groups.add(k);
      }
    }
    return new ReuseProof(
        cuts,
        multipliers.stream().mapToLong(Long::longValue).toArray(),
        scale,
        groups.stream().mapToInt(Integer::intValue).toArray());
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
    if (failure.get() != null && own.get(k).placement() == null) {
      throw new IllegalStateException(failure.get());
    }
  }

  private boolean isClosed(int k) {
    return incumbent.infeasibility() != null || own.get(k).isClosed();
  }

  /**
   * Raises a part's bound: by the relaxation, then by SCIP on the cuts for a share of the time,
   * since the walks need the threads; and in a small part, or where the bound is near the price, by
   * CP-SAT on all pairs, which may close it.
   */
  private void prove(int k, RunControl limit) {
    boolean small = parts.problem(k).size() <= MOST_FOR_PAIRS;
    if (parts.part(k).refusal() == null) {
      CutRounds rounds = new CutRounds(parts.part(k));
      int most = control.isDeterministic() ? DETERMINISTIC_ROUNDS : ROUNDS;
      RunControl share = small ? limit : limit.within(limit.secondsLeft() * RELAXATION_SHARE);
      Consumer<Bound> raised = bound -> own.get(k).offer(bound, name());
      rounds.relax(most, share, limit::isStopped, own.get(k)::bestFigure, raised);
      rounds.choose(
          limit.within(limit.secondsLeft() * BOUND_SHARE),
          () -> isClosed(k),
          value -> raised.accept(Bound.of(value, CLAIM)));
      small &= isNear(k) || parts.problem(k).size() <= FEW;
    }
    if (small && !isClosed(k) && !limit.isStopped()) {
      new PairEngine().run(own.get(k), limit.withThreads(1), EngineOptions.defaults());
    }
  }

  private boolean isNear(int k) {
    long price = own.get(k).bestFigure();
    return price - own.get(k).bestBound() <= Math.max(1, NEAR * price);
  }
}

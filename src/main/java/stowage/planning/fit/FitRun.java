package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.LoadProfile;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Threads;
import stowage.planning.fit.piece.FitReplay;
import stowage.planning.fit.piece.PieceOrders;
import stowage.planning.fit.price.FitCompute;
import stowage.planning.schedule.ScheduleRun;
import stowage.rewrite.Rewriting;

/**
 * One run from a network to a plan within the limits at the least extra compute: the levers one
 * after the other, cheapest first.
 *
 * <p>Order and sharing cost no compute, so what fits by them alone is proven least at once. A step
 * is left as soon as it is within the limits, unless a curve or the least peak is wanted.
 */
public final class FitRun {
  /** Share of the time that is left for a step that costs nothing, where dearer ones follow. */
  private static final double FREE_SHARE = 0.1;

  /** Share of the time left for an order of chains. */
  private static final double CHAINS_SHARE = 0.1;

  /** Share of the time left for a first way down in each of several orders, and again for two. */
  private static final double PROBE_SHARE = 0.05;

  private final FitRequest request;
  private final RunControl control;
  private final Consumer<String> progress;
  private final long start = System.nanoTime();
  private final List<FitAnswer.Step> ladder = new ArrayList<>();
  private final FitFront front;
  private final long compute;
  private int[] order;
  private FitPlan before;
  private String reason;
  private double idle;

  /** Plans found whose load is within a capacity and whose peak is not. */
  private final List<FitPlan> missed = new ArrayList<>();

  /** Orders of systems by name, as far as there was time. */
  private final Map<String, int[]> known = new LinkedHashMap<>();

  /** Orders of systems, of the last step that costs nothing. */
  private List<ScheduleRun.SystemLoad> systems = List.of();

  /** Null as long as only levers without a price are climbed. */
  private FitBound bound;

  private FitRun(FitRequest request, RunControl control, Consumer<String> progress) {
    this.request = request;
    this.control = control;
    this.progress = progress;
    this.front = new FitFront(request);
    this.compute = FitCompute.of(request.network());
    this.order = request.network().executionOrder();
  }

  /** Climbs the ladder, with a line of progress for each step. */
  public static FitAnswer of(FitRequest request, RunControl control, Consumer<String> progress) {
    if (request.network().ops().isEmpty()) {
      FitRequest rest = request.without(Lever.SPLIT).without(Lever.RECOMPUTE);
      return new FitRun(rest, control, progress).run();
    }
    return request.allows(Lever.RECOMPUTE)
        ? LeverMix.of(request, control.counting(), progress)
        : new FitRun(request, control, progress).run();
  }

  private FitAnswer run() {
    Set<Lever> climbed = EnumSet.noneOf(Lever.class);
    // Sharing by a rule that is named may take more than none.
    boolean shares = request.allows(Lever.SHARING) && request.sharesAll();
    if (!request.allows(Lever.ORDER) && !shares && arrange(climbed)) {
      return answer();
    }
    for (Lever lever : List.of(Lever.ORDER, Lever.SHARING)) {
      if (request.allows(lever) && (ladder.isEmpty() || !request.isOver(control))) {
        climbed.add(lever);
        if (arrange(climbed)) {
          return answer();
        }
      }
    }
    if (request.allows(Lever.SPLIT)) {
      climbed.add(Lever.SPLIT);
      bound = new FitBound(request, control::isStopped);
      if (request.limited() && bound.peak() > request.limit()) {
        reason = bound.reason();
        step(climbed, null, bound.peak());
      } else if (control.isStopped()) {
        step(climbed, chosen(), bound.peak());
      } else {
        split(climbed);
      }
    }
    return answer();
  }

  /**
   * Places the given network by means that cost nothing; says whether that is enough. Where bytes
   * in bands refute the bound of the order, which counts what a view shows until its op runs, the
   * bound of {@link FitBound} is taken. Where a rule of sharing is named that takes more than none,
   * the bound without it holds.
   */
  private boolean arrange(Set<Lever> climbed) {
    boolean last = request.levers().equals(climbed);
    ScheduleRun run =
        new ScheduleRun(
            request.network(),
            request.liveness(climbed),
            climbed.contains(Lever.ORDER) ? List.of() : givenOrder(),
            last && request.loadLimit() < 0 ? request.capacity() : -1);
    RunControl share = last ? control : share(FREE_SHARE);
    run.findOrder(share, known);
    systems = run.systems();
    if (!run.infeasible() || !last) {
      run.place(share, request.engines().withFirstFit(last && request.capacity() >= 0));
    }
    Rewriting rewriting = Rewriting.reordered(request.network(), run.bestOrder());
    FitPlan plan = null;
    if (run.placement() != null && run.placement().score() != null) {
      PlanningCase planned = run.planningCase();
      plan =
          FitPlan.of(request, rewriting, inOrder(rewriting, planned), run.placement(), List.of());
      front.add(plan);
    }
    boolean shares = ladder.isEmpty() || run.loadBound() <= ladder.get(0).lowerBound();
    long least = shares ? run.loadBound() : ladder.get(0).lowerBound();
    if (climbed.contains(Lever.SHARING)) {
      FitPlan bands = new FitPlaces(request, rewriting, control).of(List.of());
      plan = plan == null || bands.peak() < plan.peak() ? bands : plan;
      front.add(plan);
      // A byte that is read no more takes nothing, whenever a view's op runs.
      if (bands.load() < least) {
        least = new FitBound(request).peak();
        shares = true;
      }
    }
    if (plan != null && before != null && before.peak() < plan.peak()) {
      plan = before;
    } else if (plan != null) {
      order = run.bestOrder();
      before = plan;
    }
    step(climbed, plan, least);
    if (last && shares && request.limited() && !request.admits(least, least)) {
      reason =
          least < run.loadBound() ? new FitBound(request).reason() : FitWords.noOrder(request, run);
    }
    boolean wanted = request.curve() || request.maxExtra() >= 0;
    return !wanted && cheapest() != null;
  }

  /** Pairs of neighbours in the given order, which keep it as it is. */
  private List<int[]> givenOrder() {
    int[] order = request.network().executionOrder();
    return IntStream.range(1, order.length)
        .mapToObj(k -> new int[] {order[k - 1], order[k]})
        .toList();
  }

  /** The same buffers as a case of the reordered network. */
  private static PlanningCase inOrder(Rewriting rewriting, PlanningCase planned) {
    return new PlanningCase(
        rewriting.network(),
        rewriting.network().executionOrder(),
        planned.problem(),
        planned.contents(),
        planned.weights(),
        planned.weightBytes(),
        planned.options());
  }

  /** A share of the time that is left; where limits count work, of all. */
  private RunControl share(double share) {
    return control.isDeterministic()
        ? control.withWork((long) (share * control.workLimit()))
        : control.within(share * control.secondsLeft());
  }

  /**
   * The orders in which runs may be cut, the most promising one first; the one found alone where
   * the order is kept, and the first alone where limits count work.
   */
  private List<int[]> splitOrders(Set<Lever> climbed) {
    Network network = request.network();
    if (!request.allows(Lever.ORDER) || !PieceOrders.admit(network)) {
      return List.of(order);
    }
    PieceOrders orders =
        new PieceOrders(
            network,
            order,
            request.liveness(climbed),
            other -> LoadProfile.of(request.buffers(other).problem()).maxLoad());
    RunControl share = share(CHAINS_SHARE);
    return control.isDeterministic()
        ? orders.list(share, List.of()).subList(0, 1)
        : orders.list(share, systems);
  }

  /** Executes runs of ops piece by piece. */
  private void split(Set<Lever> climbed) {
    boolean timed = !control.isDeterministic();
    double left = control.secondsLeft();
    double last = LastPlacement.seconds(request, left);
    RunControl share = timed ? control.within(left - last) : control;
    List<int[]> orders = new ArrayList<>(splitOrders(climbed));
    // With little time the first order alone is tried, others where no run is found in it.
    boolean brief = control.secondsLeft() < SplitClock.BRIEF_SECONDS;
    idle = split(brief ? orders.subList(0, 1) : orders, share, brief && orders.size() > 1);
    for (orders.remove(0); !orders.isEmpty() && isWorthwhile(brief, share); orders.remove(0)) {
      idle = split(orders, share, false);
    }
    if (timed || (request.limited() ? cheapest() == null : !request.curve())) {
      new LastPlacement(request, front, missed, this::chosen)
          .run(timed ? control.within(last) : control);
    }
    step(climbed, chosen(), bound.peak());
  }

  /**
   * Whether another order is searched: with little time where no run was found, else where the
   * search before left time and not all is proven.
   */
  private boolean isWorthwhile(boolean brief, RunControl share) {
    FitPlan plan = chosen();
    boolean proven = request.limited() && plan.extra() <= bound.extra(request.limit());
    return brief
        ? plan.runs().isEmpty()
        : !proven && share.secondsLeft() > SplitClock.BRIEF_SECONDS;
  }

  /**
   * Searches in the best of some orders, which comes first then; how long nothing better came.
   *
   * @param others whether another order is tried where the first ways down find no run
   */
  private double split(List<int[]> orders, RunControl share, boolean others) {
    SplitSearch search = search(orders, share);
    if (request.curve()) {
      search.curve(request.usual(), others);
    } else if (request.maxExtra() >= 0) {
      search.lowest(request.maxExtra(), others);
    } else {
      search.fit(others);
    }
    missed.addAll(search.front().loose());
    return search.idle();
  }

  /**
   * A search in the order in which a first way down finds most, which comes first then. One that is
   * not the first has to save a twentieth.
   */
  private SplitSearch search(List<int[]> orders, RunControl share) {
    List<FitPlan> known = front.plans();
    List<SplitSearch> open = new ArrayList<>();
    for (int[] ops : orders) {
      Rewriting base = Rewriting.reordered(request.network(), ops);
      open.add(new SplitSearch(request, base, share, known, bound, this::found));
    }
    List<SplitSearch> all = List.copyOf(open);
    SplitSearch first = all.get(0);
    while (open.size() > 1) {
      List<SplitSearch> probed = open;
      IntConsumer probe = k -> probed.get(k).probe(PROBE_SHARE);
      Threads.run("probe", control.threads(), open.size(), probe, control::stop);
      open.sort(
          Comparator.comparingDouble(
              search -> (search == first ? PieceOrders.LOWER : 1) * rank(search.front())));
      open.remove(open.size() - 1);
    }
    orders.add(0, orders.remove(all.indexOf(open.get(0))));
    return open.get(0);
  }

  /** What a front has: within a limit its share of the compute, else 1 and more for the bytes. */
  private double rank(FitFront front) {
    FitPlan best = request.limited() ? front.within(request.limit()) : null;
    FitPlan low = front.lowest(request.firstPrice());
    return best != null && best.extra() <= compute
        ? best.extra() / (compute + 1.0)
        : low == null ? Double.MAX_VALUE : 1.0 + front.bytes(low);
  }

  /** Takes a plan of a search, which says so where nothing found before is as good. */
  private synchronized void found(FitPlan plan) {
    if (front.add(plan)) {
      long bytes = request.limited() ? request.limit() : front.bytes(plan);
      progress.accept(FitWords.found(request, plan, bound.extra(bytes)));
    }
  }

  private void step(Set<Lever> climbed, FitPlan plan, long least) {
    FitAnswer.Step step =
        new FitAnswer.Step(
            climbed.isEmpty() ? Set.of() : EnumSet.copyOf(climbed),
            plan == null ? -1 : plan.peak(),
            least,
            plan == null ? 0 : plan.extra(),
            plan == null ? 0 : plan.runs().size());
    ladder.add(step);
    progress.accept(FitWords.step(step));
  }

  /** The plan that answers the question, of those whose replay finds every byte. */
  private FitPlan verified() {
    FitPlan plan = chosen();
    while (plan != null) {
      Optional<String> fault = FitReplay.fault(plan.planned(), plan.plan().placement());
      if (fault.isEmpty()) {
        break;
      }
      progress.accept("a plan is dropped: " + fault.get());
      front.remove(plan);
      plan = chosen();
    }
    return plan;
  }

  private FitPlan cheapest() {
    return front.cheapest(plan -> request.admits(plan.peak(), plan.load()));
  }

  /** The plan that answers the question, or where there is none the lowest one. */
  private FitPlan chosen() {
    if (request.maxExtra() >= 0) {
      return front.lowest(request.maxExtra());
    }
    FitPlan found = request.limited() ? cheapest() : front.lowest(request.usual());
    return found == null ? front.lowest(Long.MAX_VALUE) : found;
  }

  private FitAnswer answer() {
    FitPlan plan = reason == null ? verified() : null;
    long bytes = plan == null ? request.limit() : within(plan);
    long least = extraBound(bytes);
    List<FitAnswer.Point> curve = new ArrayList<>();
    if (request.curve()) {
      long highest = 0;
      for (FitPlan step : front.plans()) {
        highest = Math.max(highest, extraBound(step.peak()));
        if (!curve.isEmpty() && step.extra() <= curve.get(curve.size() - 1).extra()) {
          curve.remove(curve.size() - 1);
        }
        curve.add(new FitAnswer.Point(step.peak(), step.extra(), highest, null));
      }
    }
    Status status = Status.UNKNOWN;
    if (reason != null) {
      status = Status.INFEASIBLE;
    } else if (plan != null && request.admits(plan.peak(), plan.load())) {
      boolean proven =
          request.curve()
              ? curve.stream().allMatch(point -> point.status() == Status.OPTIMAL)
              : plan.extra() == least;
      status = proven ? Status.OPTIMAL : Status.FEASIBLE;
    }
    return new FitAnswer(
        request,
        status,
        before,
        plan,
        compute,
        FitCompute.unit(request.network()),
        least,
        FitWords.scope(request),
        ladder,
        curve,
        reason,
        least == 0 ? null : bound.proof(bytes),
        null,
        status == Status.FEASIBLE ? idle : 0,
        (System.nanoTime() - start) / 1e9);
  }

  /** The bytes that the bound of the price is asked for: the limit where there is one. */
  private long within(FitPlan plan) {
    return request.limited() && request.admits(plan.peak(), plan.load())
        ? request.limit()
        : front.bytes(plan);
  }

  private long extraBound(long bytes) {
    return bound == null || bytes == Long.MAX_VALUE ? 0 : bound.extra(bytes);
  }
}

package stowage.planning.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.exact.engine.EngineOptions;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.liveness.BufferUses;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.schedule.NetworkOrders;
import stowage.schedule.bound.OpCut;
import stowage.schedule.bound.OpCutBounds;
import stowage.schedule.bound.OpCutCheck;
import stowage.schedule.bound.OrderProof;
import stowage.schedule.bound.OrderProofCheck;
import stowage.schedule.order.SystemOrders;
import stowage.schedule.search.OrderIncumbent;
import stowage.schedule.search.OrderPortfolio;
import stowage.schedule.search.OrderProofs;

/**
 * A run from a network to the order of least load, its placement, and the bound over all orders.
 *
 * <p>No plan under any order has a peak below the bound of the load over all orders; the placement
 * of our order is above it or meets it. Orders of real systems come first; then the bound and the
 * searches; of what remains of the time the placement has the rest, which is a fifth at least.
 *
 * <p>With {@link InPlace#OPTIMAL} the bound is that of what any sharing leaves ({@link
 * BufferUses#leastOf}), so it holds for all choices of ops that share, too. Several choices are
 * tried, the one with least load first: exact views with elementwise ops in place, whole buffers
 * for views with and without these, and none.
 */
public final class ScheduleRun {
  private static final double ORDER_SHARE = 0.8;
  private static final double BOUND_SHARE = 0.4;

  /** A proof is made again with its reasons in as long as the order took, but half a second. */
  private static final double LEAST_PROOF_SECONDS = 0.5;

  /** The share of a placement's time for the order brought near the given one. */
  private static final double NEAR_SHARE = 0.6;

  private static final double MOST_NEAR_SECONDS = 30;

  /** For the closest cut so many ops are looked at in all: all of 2,000 ops, 200 of 20,000. */
  private static final int MOST_CUT_WORK = 4_000_000;

  private static final int PROOF_DOWNSETS = 200_000;

  /** The most downsets of a walk that checks a proof. */
  public static final int MOST_WALKED = 2 * PROOF_DOWNSETS;

  private static final List<InPlace> OTHER_SHARINGS =
      List.of(InPlace.ELEMENTWISE, InPlace.VIEWS, InPlace.NONE);

  private final Network network;
  private final LivenessOptions options;
  private final List<int[]> precedences;
  private final long capacity;
  private final List<OrderCandidate> candidates = new ArrayList<>();

  /** Whose bound holds for the answer: what any sharing leaves, or the only candidate's. */
  private final NetworkOrders bounded;

  private final OrderIncumbent bounds;
  private OrderCandidate chosen;
  private PlanningCase planningCase;
  private Incumbent placement;
  private double orderSeconds;
  private OrderProof proof;
  private OpCut closest;
  private int walked;

  /**
   * An order and its load.
   *
   * @param name the system's
   * @param order indices of the network's ops
   * @param load the largest load of a step, in bytes
   * @param adapted whether it had to be changed to keep precedences the system does not know
   */
  public record SystemLoad(String name, int[] order, long load, boolean adapted) {}

  /**
   * A run that has not begun.
   *
   * @param asked sharing, inputs and alignment
   * @param precedences pairs of ops, by index, of which the first must run before the second
   * @param capacity bytes of the memory, or -1: the search ends once an order fits or none can
   */
  public ScheduleRun(
      Network network, LivenessOptions asked, List<int[]> precedences, long capacity) {
    boolean bands = asked.inPlace() == InPlace.BANDS; // which follow from the order
    LivenessOptions options = bands ? asked.withInPlace(InPlace.OPTIMAL) : asked;
    this.network = network;
    this.options = options;
    this.precedences = List.copyOf(precedences);
    this.capacity = capacity;
    this.chosen = new OrderCandidate(network, options, precedences);
    candidates.add(chosen);
    if (options.inPlace() == InPlace.OPTIMAL) {
      bounded = NetworkOrders.of(BufferUses.leastOf(network, options), precedences);
      bounds = new OrderIncumbent(bounded.problem());
    } else {
      bounded = chosen.orders();
      bounds = chosen.incumbent();
    }
    if (capacity >= 0) {
      bounds.settleAt(capacity);
    }
  }

  /** The search's best order and bound, to listen to. */
  public OrderIncumbent orderIncumbent() {
    return bounds;
  }

  /** Looks for the order, as long as the control allows except for a share of its time. */
  public void findOrder(RunControl control) {
    findOrder(control, new LinkedHashMap<>());
  }

  /**
   * The same.
   *
   * @param systems orders of systems that are known, which takes those that are not
   */
  public void findOrder(RunControl control, Map<String, int[]> systems) {
    long begin = System.nanoTime();
    SystemOrders.addTo(systems, network, control::isStopped);
    chosen.offer(systems, control::isStopped);
    if (bounds == chosen.incumbent()) {
      OrderPortfolio.run(bounds, control.within(ORDER_SHARE * control.secondsLeft()));
    } else {
      findSharing(systems, control);
    }
    orderSeconds = (System.nanoTime() - begin) / 1e9;
  }

  private void findSharing(Map<String, int[]> systems, RunControl control) {
    for (SystemLoad system : chosen.systems()) {
      bounds.offer(bounded.fromNetwork(system.order()), system.name());
    }
    OrderPortfolio.run(bounds, control.within(BOUND_SHARE * control.secondsLeft()));
    int[] ideal = bounded.toNetwork(bounds.order());
    for (var sharing : control.isStopped() ? List.<InPlace>of() : OTHER_SHARINGS) {
      OrderCandidate other = new OrderCandidate(network, options.withInPlace(sharing), precedences);
      other.offer(systems, control::isStopped);
      candidates.add(other);
    }
    for (OrderCandidate candidate : candidates) {
      candidate.incumbent().offer(candidate.orders().fromNetwork(ideal), bounds.finder());
      candidate.incumbent().settleAt(Math.max(bounds.bound(), capacity));
      OrderPortfolio.run(
          candidate.incumbent(), control.within(BOUND_SHARE * control.secondsLeft()));
      if (control.isStopped() || candidate.load() <= bounds.bound()) {
        break;
      }
    }
    candidates.sort(Comparator.comparingLong(OrderCandidate::load));
    chosen = candidates.get(0);
  }

  /**
   * Places the buffers at the best order; where several sharings compete, at each of theirs. If the
   * placement stays above the load, the order as it was found is tried, which is less near to the
   * given one.
   */
  public void place(RunControl control, EngineOptions engines) {
    for (OrderCandidate candidate : candidates) {
      if (placement != null
          && (control.isStopped() || peak() <= candidate.load() || peak() == loadBound())) {
        break;
      }
      RunControl share =
          candidates.size() == 1 ? control : control.within(control.secondsLeft() / 2);
      int[] near = candidate.order(control::isStopped);
      double first = Math.min(MOST_NEAR_SECONDS, NEAR_SHARE * share.secondsLeft());
      placeAt(candidate, near, control.isDeterministic() ? share : share.within(first), engines);
      if (peak() > candidate.load() && !control.isStopped() && candidate.takeAsFound()) {
        long before = peak();
        placeAt(candidate, candidate.order(control::isStopped), share, engines);
        if (peak() == before) {
          candidate.take(near);
        }
      } else if (peak() > candidate.load() && !control.isStopped()) {
        placeAt(candidate, near, share, engines);
      }
    }
  }

  private void placeAt(
      OrderCandidate candidate, int[] order, RunControl control, EngineOptions engines) {
    PlanningCase planned = Liveness.of(network, order, candidate.options());
    if (capacity >= 0) {
      planned = planned.withProblem(planned.problem().withCapacity(0, capacity));
    }
    PackingProblem problem = planned.problem();
    Incumbent found = new Incumbent(problem);
    GreedyPlanner greedy = new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST);
    PlannerRun.quick(found, List.of(greedy), control);
    var portfolio = List.of(PlannerCatalogue.named(PlannerCatalogue.PORTFOLIO));
    PlannerRun.of(planned, found, control, portfolio, engines);
    if (placement == null || (found.score() != null && found.score().figure(0) < peak())) {
      planningCase = planned;
      placement = found;
      chosen = candidate;
    }
  }

  private long peak() {
    return placement.score() == null ? Long.MAX_VALUE : placement.score().figure(0);
  }

  /** The order problem that the bound and its certificate are of. */
  public NetworkOrders orders() {
    return bounded;
  }

  public Network network() {
    return network;
  }

  /** What shares memory in the answer. */
  public InPlace sharing() {
    return chosen.options().inPlace();
  }

  /** The best order, as indices of the network's ops; of the equally good ones near the given. */
  public int[] bestOrder() {
    return chosen.order(() -> true);
  }

  /** The peak in bytes of a run-time's own planner at an order, as it shares; -1 without a plan. */
  public long peak(String planner, int[] order) {
    LivenessOptions itsOwn = LivenessOptions.defaultsOf(network.format());
    PlanningCase planned = Liveness.of(network, order, itsOwn);
    Incumbent found = new Incumbent(planned.problem());
    PlannerRun.ofOne(planner, planned, found, RunControl.unlimited());
    return found.score() == null ? -1 : found.score().figure(0);
  }

  /**
   * The order at which a run-time's own planner needs least: the answer's, the order as it was
   * found, or the network's own; of equally good ones the first. Our placement may be better than
   * that planner's, so an order of lower load can have a higher peak there.
   */
  public int[] orderFor(String planner) {
    int[] best = bestOrder();
    long least = peak(planner, best);
    for (int[] other : List.of(chosen.asFound(), network.executionOrder())) {
      long peak = peak(planner, other);
      if (peak >= 0 && (least < 0 || peak < least)) {
        least = peak;
        best = other;
      }
    }
    return best;
  }

  /** The orders of real systems with their loads, under the sharing of the answer. */
  public List<SystemLoad> systems() {
    return List.copyOf(chosen.systems());
  }

  /** The load of each step of an order under the sharing of the answer, in bytes. */
  public long[] loads(int[] order) {
    PlanningCase planned = Liveness.of(network, order, chosen.options());
    LoadProfile profile = LoadProfile.of(planned.problem());
    return IntStream.range(0, order.length).mapToLong(profile::loadAt).toArray();
  }

  /** The case at the order that was placed; null before {@link #place}. */
  public PlanningCase planningCase() {
    return planningCase;
  }

  /** The placement at that order; null before {@link #place}. */
  public Incumbent placement() {
    return placement;
  }

  /** The largest load of the best order, in bytes. */
  public long load() {
    return chosen.load();
  }

  /** No order has a lower load, in bytes. */
  public long loadBound() {
    return bounds.bound();
  }

  /** What found the order. */
  public String finder() {
    return chosen.incumbent().finder();
  }

  /** Why: {@code op-cut}, {@code two-op-cut} or {@code search}. */
  public String boundKind() {
    return bounds.boundKind();
  }

  /** The certificate of an {@code op-cut}; null of another kind. */
  public OpCut certificate() {
    return bounds.cut();
  }

  /**
   * Makes a proof that can be checked of a bound that precedences or a search gave, and checks it.
   * That may fail where the search took many downsets; then the bound is as it was, unchecked.
   */
  public void certify(RunControl control) {
    if (bounds.cut() != null || bounds.bound() <= 0 || bounded.problem().ops() == 0) {
      return;
    }
    RunControl share = control.within(Math.max(LEAST_PROOF_SECONDS, orderSeconds));
    long below = bounds.bound() - 1;
    boolean pairs = bounds.boundKind().equals("two-op-cut");
    OrderProof found =
        OrderProofs.find(bounded.problem(), below, pairs, PROOF_DOWNSETS, share::isStopped);
    if (found != null) {
      OrderProofCheck check = new OrderProofCheck(bounded.problem(), found);
      if (check.holds(MOST_WALKED, share::isStopped)) {
        proof = found;
        walked = check.walked();
      }
    }
  }

  /** The proof of a bound that is no op's cut, checked; null if there is none. */
  public OrderProof proof() {
    return proof;
  }

  /** How many downsets the check of the proof walked over. */
  public int walked() {
    return walked;
  }

  /**
   * The bound's certificate, or where it has none the best cut of a single op, which is below; of
   * many ops the best of those with the largest loads.
   */
  public OpCut closestCut() {
    int ops = bounded.problem().ops();
    if (bounds.cut() == null && closest == null && ops > 0) {
      int[] left = {MOST_CUT_WORK / ops};
      closest = new OpCutBounds(bounded.problem()).best(bounds.order(), () -> left[0]-- <= 0);
    }
    return bounds.cut() == null ? closest : bounds.cut();
  }

  /** Whether the bound has a certificate that holds, checked here. */
  public boolean checked() {
    OpCut cut = bounds.cut();
    return proof != null || (cut != null && OpCutCheck.holds(bounded.problem(), cut));
  }

  /** How many precedences are kept besides the network's own. */
  public int precedences() {
    return precedences.size();
  }

  /** Bytes of the memory, or -1. */
  public long capacity() {
    return capacity;
  }

  /** Whether it is proven that no order fits into the memory. */
  public boolean infeasible() {
    return capacity >= 0 && loadBound() > capacity;
  }

  public double orderSeconds() {
    return orderSeconds;
  }
}

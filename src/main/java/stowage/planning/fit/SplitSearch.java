package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.planning.fit.piece.RunDirections;
import stowage.planning.fit.piece.Stretch;
import stowage.planning.fit.piece.StretchChain;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.range.AxisRules;

/**
 * The search for runs of ops that are executed piece by piece.
 *
 * <p>From the ops whose load is above the target on: stretches of consecutive ops around them are
 * evaluated, short ones first; the cheapest path over the chain of cuts ({@link StretchChain}) says
 * which are worth it; that choice is rewritten and placed, and only the placed peak counts.
 */
final class SplitSearch {
  /** How many ops stretches have, short ones first. */
  private static final int[] LENGTHS = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 22, 24, 28, 32, 40, 48, 56, 64
  };

  /** Of these so many are short. */
  private static final int SHORT = 8;

  private static final int TRIES = 5;

  /** By how much of the target less is asked for where a choice within it was not placed. */
  private static final double TIGHTER = 0.02;

  /** Shares of a peak found at which a cheaper plan is looked for. */
  private static final double[] CLOSER = {1, 0.97, 0.94};

  private static final double STEP = 0.95;

  /** Shares of the time left: for a first way down, for refining, for evaluating all lengths. */
  private static final double DOWN_SHARE = 0.35;

  private static final double REFINE_SHARE = 0.4;
  private static final double EXPLORE_SHARE = 0.6;
  private static final double VARY_SHARE = 0.15;
  private static final double TURN_SHARE = 0.5;

  /** Work of what is evaluated of one stretch and of a quick placement, where limits count work. */
  private static final long STRETCH_WORK = 20_000;

  private static final long QUICK_WORK = 20_000;

  /** Work of a choice of a walk, for each op of the network. */
  private static final long WALK_WORK = 50;

  /** How many plans of one choice are made side by side. */
  private static final int SIDE_BY_SIDE = 4;

  private final FitRequest request;

  /** In the order that is rewritten. */
  private final Network network;

  private final RunControl control;
  private final SplitClock clock;
  private final FitFront front;
  private final FitBound bound;
  private final Consumer<FitPlan> found;
  private final SplitChoices choices;
  private final FitPlaces placements;
  private final SplitVariation variation;

  /** For each choice tried the largest target at which exact engines could not place it, or 0. */
  private final Map<List<RunSplit>, Long> tried = new HashMap<>();

  private int attempts;
  private final long compute;

  /** The load of the network as it is. */
  private final long whole;

  /** The bytes that are enough: the limit, or none. */
  private final long floor;

  /**
   * A search that has not begun, in the order that is rewritten; no price is below the bound.
   *
   * @param found is given each plan that is better than those known to this search
   */
  SplitSearch(
      FitRequest request,
      Rewriting base,
      RunControl control,
      List<FitPlan> known,
      FitBound bound,
      Consumer<FitPlan> found) {
    this.request = request;
    this.network = base.network();
    this.control = control;
    this.front = new FitFront(request);
    this.bound = bound;
    this.found = found;
    this.choices = new SplitChoices(request, base, control);
    this.placements = new FitPlaces(request, base);
    this.compute = FitCompute.of(request.network());
    this.whole = choices.whole();
    this.floor = request.limited() ? request.limit() : 0;
    this.variation = new SplitVariation(request, base, front, placements, control, whole);
    this.clock = new SplitClock(request, control);
    known.forEach(front::add);
    within(placements.of(List.of()), 0);
    front.plans().forEach(plan -> clock.found(plan, front.bytes(plan)));
  }

  /** What was found. */
  FitFront front() {
    return front;
  }

  /** For how long nothing better came, see {@link SplitClock#idle}. */
  double idle() {
    return clock.idle();
  }

  /** Goes a first way down, for a share of the time left. */
  void probe(double share) {
    clock.begin(share);
    descend(whole, request.firstPrice(), false);
  }

  /** Looks for the least price within the limit: cuts made for it, the curve near it, and walks. */
  void fit() {
    for (boolean more = true; more && !isProven(floor) && !clock.isLast(); ) {
      clock.begin(EXPLORE_SHARE);
      more = tighten(false) | tighten(true);
      clock.begin(DOWN_SHARE);
      near();
      clock.begin(EXPLORE_SHARE);
      vary(Long.MAX_VALUE, floor);
    }
    if (!isProven(floor)) {
      polish(compute, -1);
    }
  }

  /** Looks for less by cuts made for the limit, along columns too; says whether some were new. */
  private boolean tighten(boolean patches) {
    boolean more = false;
    for (int k = 0; k < LENGTHS.length && !clock.isOver() && !isProven(floor); k++) {
      if (k == SHORT && !patches && cheapestWithin(floor) == null) {
        more |= tighten(true);
      }
      FitPlan best = cheapestWithin(floor);
      long most = best == null ? compute : Math.min(compute, best.extra());
      boolean some = explored(floor, LENGTHS[k], most, floor + 1, choices.limited(patches));
      for (int hard = some ? best == null ? 0 : 1 : 2; hard < 2; hard++) {
        attempts(floor, Long.MAX_VALUE, hard == 1);
      }
      more |= some;
    }
    return more;
  }

  /** Attempts the steps of the curve that are next to the limit, cheaper than what is within it. */
  private void near() {
    for (int k = 0; k < SHORT && !clock.isOver(); k++) {
      explored(floor, LENGTHS[k], compute, whole, Stretches.Cuts.EVEN);
    }
    FitPlan best = cheapestWithin(floor);
    List<List<Stretch>> steps =
        choices.staircase(best == null ? compute : best.extra() - 1, floor, clock::isOver);
    steps.removeIf(path -> tried.containsKey(StretchChain.runs(path)));
    steps.stream().limit(TRIES).forEach(path -> attempt(path, floor, false));
  }

  /** Looks for less at the peaks found and walks on from there, in turns as long as that helps. */
  private void polish(long most, long target) {
    boolean all = target < 0;
    for (int before = -1; before != front.changes() && !control.isStopped(); ) {
      before = front.changes();
      clock.begin(TURN_SHARE);
      refine(most, all);
      List<Long> gaps = all ? front.gaps(STEP) : List.of();
      for (long gap : gaps) {
        clock.begin(TURN_SHARE / gaps.size());
        vary(most, gap);
      }
      clock.begin(TURN_SHARE);
      vary(most, target);
      if (before == front.changes()) {
        settle();
      }
      if (clock.isFlat()) {
        return;
      }
      if (clock.isLast()) {
        break;
      }
    }
    clock.begin(1);
    refine(most, all);
    vary(most, target);
  }

  /** Whether no plan within a target is cheaper than the one found. */
  private boolean isProven(long target) {
    FitPlan best = cheapestWithin(target);
    return best != null && best.extra() <= bound.extra(target);
  }

  /** Changes the choices found a little, as long as that helps. */
  private void vary(long most, long target) {
    long enough = Math.max(floor, target);
    variation.run(
        most,
        target,
        () -> clock.isOver() || clock.isFlat() || isProven(enough),
        count -> clock.did(WALK_WORK * request.network().ops().size() * count),
        this::say);
    if (request.limited()) {
      settle();
    }
  }

  /** Places by exact engines what another placement would make better, the cheapest first. */
  private void settle() {
    List<FitPlan> loose = front.loose();
    loose.removeIf(plan -> tried.getOrDefault(plan.splits(), -1L) >= front.aim(plan));
    if (!loose.isEmpty()) {
      clock.begin(VARY_SHARE);
      boolean enough = false;
      for (int k = 0; !enough && k < loose.size() && !clock.isOver(); k++) {
        enough = exact(loose.subList(k, k + 1), front.aim(loose.get(k))) && request.limited();
      }
    }
  }

  private void say(FitPlan plan) {
    clock.found(plan, front.bytes(plan));
    found.accept(plan);
  }

  private FitPlan cheapestWithin(long target) {
    return front.cheapest(plan -> front.bytes(plan) <= target);
  }

  /**
   * Tries the cheapest choices whose load is within a target, until one is placed within it.
   *
   * @param hard whether exact engines place what quick rules do not; if not, loads fall faster
   */
  private void attempts(long target, long most, boolean hard) {
    long cap = target;
    for (int k = 0; k < TRIES && !clock.isOver(); ) {
      List<Stretch> path = choices.cheapest(cap);
      FitPlan best = cheapestWithin(target);
      if (path == null
          || StretchChain.extra(path) > most
          || (best != null && StretchChain.extra(path) >= best.extra())) {
        return;
      }
      List<RunSplit> runs = StretchChain.runs(path);
      boolean open = hard ? tried.getOrDefault(runs, -1L) < target : !tried.containsKey(runs);
      k += open || !hard ? 1 : 0;
      if (open && attempt(path, target, hard)) {
        return;
      }
      cap = StretchChain.load(path) - 1;
      if (request.limited()) {
        cap = Math.min(cap, (long) (target * (1 - (hard ? 1 : 2) * TIGHTER * k)));
      }
    }
  }

  /**
   * Rewrites and places a choice, in all directions of its runs until one is within the target, by
   * exact engines too where {@code hard}.
   */
  private boolean attempt(List<Stretch> path, long target, boolean hard) {
    List<RunSplit> runs = StretchChain.runs(path);
    attempts++;
    tried.merge(runs, hard ? target : 0, Math::max);
    List<FitPlan> open = new ArrayList<>();
    List<List<RunSplit>> ways =
        AxisRules.isTflite(network) ? RunDirections.of(network, runs) : List.of(runs);
    int step = control.threads() > 1 ? SIDE_BY_SIDE : 1;
    for (int first = 0; first < ways.size() && !clock.isOver(); first += step) {
      List<List<RunSplit>> some = ways.subList(first, Math.min(ways.size(), first + step));
      clock.did(QUICK_WORK * some.size());
      for (FitPlan plan : placements.all(some)) {
        if (plan == null) {
          choices.drop(path);
          return false;
        }
        if (open.isEmpty()) {
          choices.learn(path, plan);
        }
        if (within(plan, target)) {
          return true;
        }
        open.add(plan);
      }
    }
    open.removeIf(plan -> plan.load() > target);
    return hard && exact(open, target);
  }

  /** Places plans by exact engines until one is within the target. */
  private boolean exact(List<FitPlan> open, long target) {
    open.forEach(plan -> tried.merge(plan.splits(), target, Math::max));
    return placements.exact(open, target, clock, plan -> within(plan, target));
  }

  /** Adds a plan to the front; says whether it is within a target. */
  private boolean within(FitPlan plan, long target) {
    if (front.add(plan)) {
      say(plan);
    }
    return front.bytes(plan) <= target;
  }

  /** Looks for the least bytes at no more than some extra compute. */
  void lowest(long most) {
    clock.begin(DOWN_SHARE);
    descend(whole, most, false);
    for (boolean more : new boolean[] {false, true}) {
      clock.begin(REFINE_SHARE);
      refine(most, false);
      clock.begin(more ? 1 : EXPLORE_SHARE);
      descend(front.bytes(front.lowest(most)), most, true);
    }
    lower(most, TURN_SHARE);
    polish(most, 0);
  }

  /** Asks for less than the lowest plan of a price as long as that lowers it, a share each time. */
  private void lower(long most, double share) {
    for (long peak = Long.MAX_VALUE; front.bytes(front.lowest(most)) < peak; ) {
      peak = front.bytes(front.lowest(most));
      clock.begin(share);
      attempts((long) (peak * STEP), most, true);
      if (front.bytes(front.lowest(most)) == peak) {
        attempts(peak - 1, most, true);
      }
    }
  }

  /** Looks for the least price at every peak, first down at a usual price: most is known early. */
  void curve(long usual) {
    clock.begin(DOWN_SHARE);
    descend(whole, usual, false);
    clock.begin(DOWN_SHARE);
    descend(whole, compute, false);
    clock.begin(VARY_SHARE);
    vary(usual, 0);
    clock.begin(VARY_SHARE);
    vary(compute, -1);
    clock.begin(REFINE_SHARE);
    refine(compute, true);
    clock.begin(EXPLORE_SHARE);
    descend(whole, compute, true);
    lower(0, VARY_SHARE);
    lower(usual, VARY_SHARE);
    lower(compute, VARY_SHARE);
    polish(compute, -1);
  }

  /**
   * Lowers the target in steps, at most to the limit, as long as choices of a price reach them.
   *
   * @param from bytes to begin below
   * @param thorough whether at each step all lengths of stretches are evaluated until nothing is
   *     paid, else only until there is a plan
   */
  private void descend(long from, long most, boolean thorough) {
    boolean found = true;
    for (long target = from; found && target > floor && !clock.isOver(); ) {
      target = Math.max(floor, (long) (target * STEP));
      FitPlan best = cheapestWithin(target);
      long price = best == null ? Long.MAX_VALUE : best.extra();
      price = price > most ? Math.min(price, lowered(target, most)) : price;
      long enough = thorough ? 0 : most;
      for (int k = 0; k < LENGTHS.length && price > enough && !clock.isOver(); k++) {
        if (explored(target, LENGTHS[k], compute, whole, Stretches.Cuts.EVEN)) {
          price = Math.min(price, lowered(target, Math.min(most, price - 1)));
        }
      }
      found = price <= most || choices.any(target);
    }
  }

  /** Attempts the cheapest choices within a target; the price of one that is, or a large number. */
  private long lowered(long target, long most) {
    List<RunSplit> before = null;
    for (int k = 0; k < TRIES && !clock.isOver(); k++) {
      List<Stretch> path = choices.cheapest(target);
      List<RunSplit> runs = path == null ? null : StretchChain.runs(path);
      if (path == null || StretchChain.extra(path) > most || runs.equals(before)) {
        break;
      }
      before = runs;
      if (attempt(path, target, false)) {
        return StretchChain.extra(path);
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * Attempts every step of the chain's staircase, the lowest first, then looks for less at the
   * peaks found: at each where {@code all}, else at the lowest alone.
   */
  private void refine(long most, boolean all) {
    for (List<Stretch> path : choices.staircase(most, 0, clock::isOver)) {
      long load = StretchChain.load(path);
      FitPlan best = cheapestWithin(load);
      boolean known = best != null && best.extra() <= StretchChain.extra(path);
      if (clock.isOver() || known && !all) {
        break;
      }
      if (!known) {
        attempt(path, load, false);
      }
    }
    for (int before = -1; before != attempts && !clock.isOver(); ) {
      before = attempts;
      List<FitPlan> plans = new ArrayList<>(front.plans());
      plans.removeIf(plan -> plan.extra() > most);
      Collections.reverse(plans);
      for (FitPlan plan : all ? plans : plans.subList(0, Math.min(1, plans.size()))) {
        for (double share : CLOSER) {
          attempts((long) (front.bytes(plan) * share), most, true);
        }
      }
    }
  }

  private boolean explored(long target, int length, long most, long below, Stretches.Cuts... cuts) {
    int evaluated = 0;
    for (Stretches.Cuts one : cuts) {
      evaluated += choices.explore(target, length, most, below, one, clock::isStopped);
    }
    clock.did(STRETCH_WORK * evaluated);
    return evaluated > 0;
  }
}

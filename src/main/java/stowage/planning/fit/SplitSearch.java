package stowage.planning.fit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.planning.fit.piece.RunDirections;
import stowage.planning.fit.piece.Stretch;
import stowage.planning.fit.piece.StretchChain;
import stowage.planning.fit.price.FitCompute;
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

  /** How many plans of one choice are made side by side. */
  private static final int SIDE_BY_SIDE = 4;

  private final FitRequest request;
  private final Network network;
  private final RunControl control;
  private final SplitClock clock;
  private final FitFront front;
  private final FitBound bound;
  private final Consumer<FitPlan> found;
  private final SplitChoices choices;
  private final FitPlaces placements;
  private final SplitVariation variation;
  private final TurnDescent turns;

  /** For each choice tried the largest target at which exact engines could not place it, or 0. */
  private final Map<List<RunSplit>, Long> tried = new HashMap<>();

  private int attempts;
  private final long compute;

  /** The bytes that are enough: the limit, or none. */
  private final long floor;

  /** A search that has not begun, in the order that is rewritten; {@code found} takes plans. */
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
    this.placements = new FitPlaces(request, base, control);
    this.compute = FitCompute.of(request.network());
    this.floor = request.limited() ? request.limit() : 0;
    this.variation = new SplitVariation(request, base, front, placements, control, choices.whole());
    this.clock = new SplitClock(request, control);
    this.turns =
        new TurnDescent(choices, placements, variation.neighbours(), front, clock, this::within);
    known.forEach(front::add);
    within(placements.of(List.of()), 0);
    front.plans().forEach(plan -> clock.found(plan, front.bytes(plan)));
  }

  FitFront front() {
    return front;
  }

  /** For how long nothing better came, see {@link SplitClock#idle}. */
  double idle() {
    return clock.idle();
  }

  /** Tries pieces in turns, and goes a first way down for a share of the time left. */
  void probe(double share) {
    turns.probe();
    descend(share, choices.whole(), request.firstPrice(), false);
  }

  /**
   * Looks for the least price within the limit: where pieces are copied, first in turns and evenly;
   * then by cuts made for it, and next to it, else on the way down to it. Here, in {@link #lowest}
   * and in {@link #curve} a brief search ends where the first ways down find no run.
   */
  void fit(boolean brief) {
    if (!choices.contiguous()) {
      turns.run(floor, () -> descend(DOWN_SHARE, choices.whole(), request.usual(), false));
      if (brief && front.lowest(compute).runs().isEmpty()) {
        return;
      }
      descend(DOWN_SHARE, choices.whole(), compute, false);
      near(LENGTHS.length, VARY_SHARE);
    }
    for (boolean more = true; more && !isProven(floor) && !clock.isLast(); ) {
      clock.begin(EXPLORE_SHARE);
      more = tighten(false) | tighten(true);
      near(SHORT, EXPLORE_SHARE);
      if (front.within(floor) == null) {
        down(compute);
      }
    }
    if (!isProven(floor)) {
      polish(compute, -1);
    }
  }

  /** Looks for less by cuts made for the limit, along columns too; says whether some were new. */
  private boolean tighten(boolean patches) {
    boolean more = false;
    for (int k = 0; k < LENGTHS.length && !clock.isOver() && !isProven(floor); k++) {
      if (k == SHORT && !patches && front.within(floor) == null) {
        more |= tighten(true);
      }
      boolean none = front.within(floor) == null;
      if (choices.explored(clock, floor, LENGTHS[k], most(), floor + 1, choices.limited(patches))) {
        more = true;
        for (int hard = none ? 0 : 1; hard < 2; hard++) {
          attempts(floor, Long.MAX_VALUE, hard == 1);
        }
      }
    }
    return more;
  }

  /**
   * Attempts even cuts of so many lengths that are cheaper than what is within the limit; walks on
   * from there for a share of the time left.
   */
  private void near(int lengths, double walks) {
    clock.begin(DOWN_SHARE);
    for (int k = 0; k < lengths && !clock.isOver(); k++) {
      choices.explored(clock, floor, LENGTHS[k], compute, choices.whole(), Stretches.Cuts.EVEN);
    }
    clock.begin(VARY_SHARE);
    attempts(floor, Long.MAX_VALUE, true);
    vary(walks, Long.MAX_VALUE, floor);
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
        vary(TURN_SHARE / gaps.size(), most, gap);
      }
      vary(TURN_SHARE, most, target);
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
    vary(1, most, target);
  }

  /** Whether no plan within a target is cheaper than the one found. */
  private boolean isProven(long target) {
    FitPlan best = front.within(target);
    return best != null && best.extra() <= bound.extra(target);
  }

  /** Changes the choices found a little for a share of the time left, as long as that helps. */
  private void vary(double share, long most, long target) {
    clock.begin(share);
    clock.beginWalk();
    variation.run(
        most,
        target,
        () -> clock.isOver() || clock.isFlat() || isProven(Math.max(floor, target)),
        clock::did,
        this::say);
    clock.endWalk();
    if (request.limited()) {
      settle();
    }
  }

  /** Places by exact engines what another placement would make better, the cheapest first. */
  private void settle() {
    clock.begin(VARY_SHARE);
    List<FitPlan> loose = front.loose();
    loose.removeIf(plan -> tried.getOrDefault(plan.splits(), -1L) >= front.aim(plan));
    for (FitPlan plan : loose) {
      if (clock.isOver() || exact(List.of(plan), front.aim(plan)) && request.limited()) {
        return;
      }
    }
  }

  private synchronized void say(FitPlan plan) {
    clock.found(plan, front.bytes(plan));
    found.accept(plan);
  }

  /** The extra compute above which a plan within the limit is no better than the best. */
  private long most() {
    FitPlan best = front.within(floor);
    return best == null ? compute : Math.min(compute, best.extra());
  }

  /**
   * Tries the cheapest choices whose load is within a target, until one is placed within it: where
   * {@code hard}, by exact engines what quick rules do not place; if not, loads fall faster.
   */
  private void attempts(long target, long most, boolean hard) {
    long cap = target;
    for (int k = 0; k < TRIES && !clock.isOver(); ) {
      List<Stretch> path = choices.cheapest(cap);
      FitPlan best = front.within(target);
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
      clock.didPlace(some.size());
      for (FitPlan plan : placements.all(some)) {
        if (plan == null) {
          choices.drop(path);
          return false;
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

  /** Looks for the least bytes at a price; where that finds no run, from dearer plans on. */
  void lowest(long most, boolean brief) {
    turns.run(floor, () -> down(most));
    if (brief && front.lowest(most).runs().isEmpty()) {
      return;
    }
    polish(most, 0);
    if (front.lowest(most).runs().isEmpty()) {
      curve(most, false);
    }
  }

  /** Goes down as far as a price allows, at most to the limit: a quick way, then all lengths. */
  private void down(long most) {
    descend(DOWN_SHARE, choices.whole(), most, false);
    for (boolean more : new boolean[] {false, true}) {
      clock.begin(REFINE_SHARE);
      refine(most, false);
      descend(more ? 1 : EXPLORE_SHARE, front.bytes(front.lowest(most)), most, true);
    }
    lower(most, TURN_SHARE);
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
  void curve(long usual, boolean brief) {
    turns.run(floor, () -> descend(DOWN_SHARE, choices.whole(), usual, false));
    descend(DOWN_SHARE, choices.whole(), compute, false);
    if (brief && front.lowest(compute).runs().isEmpty()) {
      return;
    }
    vary(VARY_SHARE, usual, 0);
    vary(VARY_SHARE, compute, -1);
    clock.begin(REFINE_SHARE);
    refine(compute, true);
    descend(EXPLORE_SHARE, choices.whole(), compute, true);
    lower(0, VARY_SHARE);
    lower(usual, VARY_SHARE);
    lower(compute, VARY_SHARE);
    polish(compute, -1);
  }

  /**
   * Lowers a target below some bytes in steps, at most to the limit, as long as choices of a price
   * reach it, for a share of the time left.
   *
   * @param thorough whether at each step all lengths of stretches are evaluated until nothing is
   *     paid, else only until there is a plan
   */
  private void descend(double share, long from, long most, boolean thorough) {
    clock.begin(share);
    boolean found = true;
    for (long target = from; found && target > floor && !clock.isOver(); ) {
      target = Math.max(floor, (long) (target * STEP));
      FitPlan best = (thorough ? front : front.few()).within(target);
      long price = best == null ? Long.MAX_VALUE : best.extra();
      price = price > most ? Math.min(price, attemptedPrice(target, most)) : price;
      for (int k = 0; price > (thorough ? 0 : most) && k < LENGTHS.length && !clock.isOver(); k++) {
        if (choices.explored(
            clock, target, LENGTHS[k], compute, choices.whole(), Stretches.Cuts.EVEN)) {
          price = Math.min(price, attemptedPrice(target, Math.min(most, price - 1)));
        }
      }
      found = price <= most || choices.any(target);
    }
  }

  /** Attempts the cheapest choices within a target; the price of one that is, or a large number. */
  private long attemptedPrice(long target, long most) {
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
   * limit where something is within it, else at the lowest peak found, or at {@code all} of them.
   */
  private void refine(long most, boolean all) {
    for (List<Stretch> path : choices.staircase(most, clock::isOver)) {
      long load = StretchChain.load(path);
      FitPlan best = front.within(load);
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
      Stream<FitPlan> plans = all ? front.plans().stream() : Stream.of(front.lowest(most));
      List<Long> peaks = plans.map(front::bytes).sorted().toList();
      for (long peak : front.within(floor) == null ? peaks : List.of(floor)) {
        for (double share : CLOSER) {
          attempts((long) (peak * share), most, true);
        }
      }
    }
  }
}

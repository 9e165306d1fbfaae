package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.packing.LoadProfile;
import stowage.packing.RunControl;
import stowage.rewrite.OpOrigin;
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

  private static final int TRIES = 5;

  /**
   * How far from a stretch an op above the target may be: what it reads or makes may be in pieces.
   */
  private static final int NEAR = 2;

  private static final int MOST_FLIPS = 16;

  /** Shares of a peak found at which a cheaper plan is looked for. */
  private static final double[] CLOSER = {1, 0.97, 0.94};

  private static final double STEP = 0.95;

  /** Share of the time for evaluating and first attempts; the rest refines. */
  private static final double EXPLORE_SHARE = 0.7;

  /** Most bytes kept for added ops, as a share of the bytes saved. */
  private static final double KEPT_SHARE = 0.75;

  private static final int WEIGHTS = 16;

  /** The engine that places what quick rules do not, and for how long at most. */
  private static final String SEARCH = "search";

  private static final double MOST_SECONDS = 2;

  /** Work of one placement, and of what is evaluated of one stretch, where limits count work. */
  private static final long PLACING_WORK = 300_000;

  private static final long STRETCH_WORK = 20_000;

  private final FitRequest request;
  private final RunControl control;
  private final FitFront front;
  private final FitBound bound;
  private final Consumer<String> progress;
  private final Stretches stretches;
  private final StretchChain chain;
  private final FitPlaces placements;
  private final Set<Long> evaluated = new HashSet<>();

  /** By op of the given network its place in the order. */
  private final int[] places;

  /** For each choice that exact engines could not place the largest target it was tried at. */
  private final Map<List<RunSplit>, Long> tried = new HashMap<>();

  private int attempts;
  private final long compute;

  /** Work done, in units of about a microsecond. */
  private long work;

  /** The load of the network as it is. */
  private final long whole;

  /**
   * A search that has not begun.
   *
   * @param base the given network in the order that is rewritten
   * @param front where plans go
   * @param bound what no plan's price is below
   */
  SplitSearch(
      FitRequest request,
      Rewriting base,
      RunControl control,
      FitFront front,
      FitBound bound,
      Consumer<String> progress) {
    this.request = request;
    this.control = control;
    this.front = front;
    this.bound = bound;
    this.progress = progress;
    this.stretches = new Stretches(base.network(), request);
    this.chain = new StretchChain(stretches.ops());
    this.placements = new FitPlaces(request, base);
    this.places = new int[stretches.ops()];
    for (int k = 0; k < places.length; k++) {
      places[base.ops().get(k).op()] = k;
    }
    this.compute = FitCompute.of(request.network());
    this.whole = IntStream.range(0, stretches.ops()).mapToLong(stretches::load).max().orElse(0);
    for (int op = 0; op < stretches.ops(); op++) {
      chain.add(stretches.plain(op));
    }
  }

  private boolean isOver() {
    return isOver(control);
  }

  /** Whether time is over; where limits count work, whether that is done. */
  private boolean isOver(RunControl limits) {
    return limits.isStopped() || (control.isDeterministic() && work >= control.workLimit());
  }

  /** Looks for the least price within a target of bytes. */
  void fit(long target) {
    for (boolean patches : new boolean[] {false, true}) {
      for (int k = 0; k < LENGTHS.length && !isOver(); k++) {
        FitPlan best = cheapestWithin(target);
        if (best != null && (best.extra() == 0 || patches)) {
          break;
        }
        if (explore(target, LENGTHS[k], best == null ? compute : best.extra(), patches)) {
          attempts(target, Long.MAX_VALUE);
        }
      }
    }
  }

  private FitPlan cheapestWithin(long target) {
    FitPlan best = null;
    for (FitPlan plan : front.plans()) {
      if (front.bytes(plan) <= target
          && (best == null || Stretch.compare(plan.price(), best.price()) < 0)) {
        best = plan;
      }
    }
    return best;
  }

  /** Tries the cheapest choices whose load is within a target, until one is placed within it. */
  private void attempts(long target, long most) {
    long cap = target;
    for (int k = 0; k < TRIES && !isOver(); ) {
      List<Stretch> path = cheapest(cap);
      FitPlan best = cheapestWithin(target);
      if (path == null
          || StretchChain.extra(path) > most
          || (best != null && StretchChain.extra(path) >= best.extra())) {
        return;
      }
      if (tried.getOrDefault(runs(path), -1L) < target) {
        k++;
        if (attempt(path, target, true)) {
          return;
        }
      }
      cap = StretchChain.load(path) - 1;
    }
  }

  /**
   * Rewrites and places a choice, in all directions of its runs until one is within the target.
   *
   * @param hard whether exact engines place what quick rules do not
   */
  private boolean attempt(List<Stretch> path, long target, boolean hard) {
    List<RunSplit> runs = runs(path);
    attempts++;
    if (hard) {
      tried.merge(runs, target, Math::max);
    }
    List<FitPlan> open = new ArrayList<>();
    boolean turns = AxisRules.isTflite(request.network());
    int flips = turns ? Math.min(MOST_FLIPS, 1 << Math.min(runs.size(), 20)) : 1;
    for (int flip = 0; flip < flips && !isOver(); flip++) {
      FitPlan plan = placements.of(flipped(runs, flip));
      if (plan == null) {
        path.stream()
            .filter(way -> way.run() != null)
            .forEach(way -> chain.replace(way, way.withLoad(Long.MAX_VALUE)));
        return false;
      }
      if (flip == 0) {
        learn(path, plan);
      }
      if (within(plan, target)) {
        return true;
      }
      open.add(plan);
    }
    open.removeIf(plan -> plan.load() > target);
    open.sort(Comparator.comparingLong(FitPlan::load));
    for (FitPlan plan : hard ? open : List.<FitPlan>of()) {
      if (isOver()) {
        return false;
      }
      work += PLACING_WORK;
      RunControl share =
          control.isDeterministic()
              ? control.withWork(PLACING_WORK)
              : control.within(Math.min(MOST_SECONDS, control.secondsLeft() / 12));
      if (within(placements.improved(plan, target, SEARCH, share), target)) {
        return true;
      }
    }
    return false;
  }

  /** Raises the loads of a path's stretches to those of the whole rewriting where it has more. */
  private void learn(List<Stretch> path, FitPlan plan) {
    Stretch[] at = new Stretch[places.length];
    path.forEach(way -> Arrays.fill(at, way.from(), way.to(), way));
    Map<Stretch, Long> found = new IdentityHashMap<>();
    LoadProfile profile = LoadProfile.of(plan.planned().problem());
    List<OpOrigin> ops = plan.rewriting().ops();
    for (int step = 0; step < ops.size(); step++) {
      found.merge(at[places[ops.get(step).op()]], profile.loadAt(step), Math::max);
    }
    found.forEach(
        (way, load) -> {
          if (load > way.load() && way.run() != null) {
            chain.replace(way, way.withLoad(load));
          }
        });
  }

  /** Adds a plan to the front; says whether it is within a target. */
  private boolean within(FitPlan plan, long target) {
    if (front.add(plan)) {
      long bytes = request.limited() ? request.limit() : front.bytes(plan);
      progress.accept(FitWords.found(request, plan, bound.extra(bytes)));
    }
    return front.bytes(plan) <= target;
  }

  /** The same runs, some from the other end: those whose bit is set. */
  private static List<RunSplit> flipped(List<RunSplit> runs, int bits) {
    List<RunSplit> flipped = new ArrayList<>();
    for (int k = 0; k < runs.size(); k++) {
      RunSplit run = runs.get(k);
      boolean turn = k < 30 && (bits >> k & 1) != 0;
      flipped.add(turn ? new RunSplit(run.ops(), run.axes(), !run.topDown(), run.pads()) : run);
    }
    return flipped;
  }

  /** Evaluates the stretches of a length near ops above the target; says whether there were any. */
  private boolean explore(long target, int length, long most, boolean patches) {
    List<int[]> open = new ArrayList<>();
    int ops = stretches.ops();
    for (int from = 0; from + length <= ops; from++) {
      int to = from + length;
      boolean hot = false;
      for (int op = Math.max(0, from - NEAR); op < Math.min(ops, to + NEAR) && !hot; op++) {
        hot = stretches.load(op) > target;
      }
      long key = ((long) from * (ops + 1) + to) * 2 + (patches ? 1 : 0);
      if (hot && !evaluated.contains(key) && stretches.mayBeRun(from, to)) {
        evaluated.add(key);
        open.add(new int[] {from, to});
      }
    }
    work += STRETCH_WORK * open.size();
    Stream<int[]> spans = open.stream();
    List<List<Stretch>> found =
        (control.threads() > 1 ? spans.parallel() : spans)
            .map(
                span ->
                    control.isStopped()
                        ? List.<Stretch>of()
                        : stretches.of(span[0], span[1], most, whole, patches))
            .toList();
    found.forEach(ways -> ways.forEach(chain::add));
    return !open.isEmpty();
  }

  /** Looks for the least bytes at no more than some extra compute. */
  void lowest(long most) {
    descend(most);
    refine(most);
  }

  /** Looks for the least price at every peak. */
  void curve() {
    lowest(compute);
  }

  /** Lowers the target step by step as long as there are choices of no more extra compute. */
  private void descend(long most) {
    RunControl share =
        control.isDeterministic() ? control : control.within(EXPLORE_SHARE * control.secondsLeft());
    boolean found = true;
    for (long target = whole; found && target > 0; ) {
      target = (long) (target * STEP);
      found = false;
      long price = Long.MAX_VALUE;
      for (int k = 0; k < LENGTHS.length && price > 0 && !isOver(share); k++) {
        if (explore(target, LENGTHS[k], most, false)) {
          price = Math.min(price, lowered(target, Math.min(most, price - 1), share));
        }
      }
      found = price < Long.MAX_VALUE || cheapest(target) != null && !isOver(share);
    }
  }

  /** Attempts the cheapest choices within a target; the price of one that is, or a large number. */
  private long lowered(long target, long most, RunControl share) {
    List<RunSplit> before = null;
    for (int k = 0; k < TRIES && !isOver(share); k++) {
      List<Stretch> path = cheapest(target);
      if (path == null || StretchChain.extra(path) > most || runs(path).equals(before)) {
        break;
      }
      before = runs(path);
      if (attempt(path, target, false)) {
        return StretchChain.extra(path);
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * The cheapest choice of no higher load that keeps fewer bytes for added ops than it saves, by a
   * price on these bytes that is raised until it is enough; null where there is none.
   */
  private List<Stretch> cheapest(long load) {
    long most = (long) (KEPT_SHARE * Math.max(0, whole - load));
    List<Stretch> path = chain.cheapest(load, 0);
    if (path == null || StretchChain.kept(path) <= most) {
      return path;
    }
    List<Stretch> found = null;
    double low = 0;
    double high = 1;
    for (int k = 0; k < WEIGHTS; k++) {
      double weight = found == null ? high : (low + high) / 2;
      path = chain.cheapest(load, weight);
      if (StretchChain.kept(path) <= most) {
        found = path;
        high = weight;
      } else if (found == null) {
        low = high;
        high *= 8;
      } else {
        low = weight;
      }
    }
    return found;
  }

  /** Attempts every step of the chain's staircase, then looks for less at the peaks found. */
  private void refine(long most) {
    List<List<Stretch>> steps = new ArrayList<>();
    for (long load = whole; !isOver(); ) {
      List<Stretch> path = cheapest(load);
      if (path == null || StretchChain.extra(path) > most) {
        break;
      }
      steps.add(path);
      load = StretchChain.load(path) - 1;
    }
    for (List<Stretch> path : steps) {
      if (isOver()) {
        return;
      }
      attempt(path, StretchChain.load(path), false);
    }
    boolean changed = true;
    while (changed && !isOver()) {
      int before = attempts;
      for (FitPlan plan : front.plans()) {
        for (double share : CLOSER) {
          attempts((long) (front.bytes(plan) * share), most);
        }
      }
      changed = attempts > before;
    }
  }

  private static List<RunSplit> runs(List<Stretch> path) {
    return path.stream().filter(way -> way.run() != null).map(Stretch::run).toList();
  }
}

package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import stowage.liveness.PlanningCase;
import stowage.packing.IndexOrder;
import stowage.packing.LoadProfile;
import stowage.packing.RunControl;
import stowage.planning.fit.piece.RunNeighbours;
import stowage.planning.fit.price.FitCompute;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;

/**
 * Random walks from the plans found: their runs are changed a little, rewritten and placed as a
 * whole. So bounds between pieces need not be even, and what estimates of single stretches do not
 * see counts: tensors that stay in pieces over several runs, and gaps of the placement.
 *
 * <p>A change that raises neither load nor price is where the next one starts, though it makes no
 * better plan; so are some of those that raise them a little. As long as no plan is within the
 * target, the price is of no account there. Plans of which none is no worse than another are kept
 * by the front, and so are, for themselves, those in few pieces. The next choices are those of the
 * walk that has looked at the fewest ops so far: many choices in few pieces for each one in many. A
 * walk from a new best plan starts to count at 0.
 */
final class SplitVariation {
  /** How many neighbours are tried before the front is looked at again. */
  private static final int BATCH = 8;

  /** Tries without a better plan after which the walk ends, and for each plan on the front. */
  private static final int PATIENCE = 600;

  private static final int PATIENCE_EACH = 200;

  /** Of choices that are worse than where a walk is, but by so much than its start, one in some. */
  private static final double NEAR = 1.03;

  private static final int STRAYS = 4;

  /** How many times the best plan's bytes one in few pieces has at most to begin at. */
  private static final double FEW_NEAR = 1.5;

  /** Steps of at least this share of the load count as those of the peak. */
  private static final double HOT = 0.97;

  /** Work of a choice, where limits count work, for each op that it has in pieces. */
  private static final long WORK = 40;

  private final FitRequest request;
  private final FitFront front;
  private final FitPlaces places;
  private final RunControl control;
  private final RunNeighbours neighbours;
  private final Random random;
  private final int[] place;
  private final long whole;
  private final Set<List<RunSplit>> seen = new HashSet<>();

  /** Where walks are: of each plan on the front what was found next to it. */
  private final List<Walk> walks = new ArrayList<>();

  /** Where a walk is, and the ops of the choices it looked at since it began or counts. */
  private static final class Walk {
    final FitPlan start;
    Found at;
    long ops;

    Walk(FitPlan start, Found at) {
      this.start = start;
      this.at = at;
    }
  }

  /** A choice that was rewritten. */
  private record Found(
      List<RunSplit> runs, Rewriting rewriting, LoadProfile profile, long load, FitPlan plan) {}

  /** Walks that have not begun, in the order that is rewritten, from the whole network's load. */
  SplitVariation(
      FitRequest request,
      Rewriting base,
      FitFront front,
      FitPlaces places,
      RunControl control,
      long whole) {
    this.request = request;
    this.front = front;
    this.places = places;
    this.control = control;
    this.neighbours = new RunNeighbours(base.network(), control.seed());
    this.random = new Random(control.seed());
    this.place =
        IndexOrder.places(base.ops().stream().mapToInt(OpOrigin::op).toArray(), base.ops().size());
    this.whole = whole;
  }

  /** What draws choices next to others. */
  RunNeighbours neighbours() {
    return neighbours;
  }

  /**
   * Walks until nothing better is found for long.
   *
   * @param most extra compute above which a plan is of no use
   * @param target bytes that are enough, so that plans far above are no starts; -1 for none
   * @param isOver whether to stop; asked after every batch
   * @param work is given the work of the choices of each batch
   * @param better is given each plan that is added to the front
   */
  void run(
      long most, long target, BooleanSupplier isOver, LongConsumer work, Consumer<FitPlan> better) {
    boolean late = !control.isDeterministic(); // large choices take long: the clock is asked again
    for (int idle = 0; !isOver.getAsBoolean(); ) {
      List<FitPlan> starts = starts(most, target);
      if (starts.isEmpty() || idle > PATIENCE + PATIENCE_EACH * starts.size()) {
        return;
      }
      Walk walk = next(starts);
      FitPlan best = best(most, target);
      boolean free = target >= 0 && front.bytes(best) > target;
      int hot = hot(walk.at);
      List<List<RunSplit>> drawn = new ArrayList<>();
      for (int k = 0; k < BATCH; k++) {
        List<RunSplit> choice = neighbours.of(walk.at.runs, hot);
        if (seen.add(choice)) {
          drawn.add(choice);
        }
      }
      idle += BATCH;
      int ops = drawn.size() * walk.at.rewriting.ops().size();
      walk.ops += ops;
      work.accept(WORK * ops);
      IntStream indices = IntStream.range(0, drawn.size());
      List<Found> found =
          (control.threads() > 1 ? indices.parallel() : indices)
              .mapToObj(k -> late && isOver.getAsBoolean() ? null : found(drawn.get(k), most, walk))
              .filter(one -> one != null)
              .toList();
      for (Found one : found) {
        int few = front.few().changes();
        if (one.plan != null && front.add(one.plan)) {
          better.accept(one.plan);
          idle = 0;
        }
        idle = front.few().changes() > few ? 0 : idle;
        boolean noWorse = one.load <= walk.at.load && (free || extra(one) <= extra(walk.at));
        boolean near =
            one.load <= NEAR * walk.start.load()
                && (free || extra(one) <= NEAR * walk.start.extra());
        if (noWorse || near && random.nextInt(STRAYS) == 0) {
          walk.at = one;
        }
      }
      FitPlan now = best(most, target);
      if (now != best) {
        walk(now).ops = 0;
      }
    }
  }

  /** What answers so far: the cheapest plan within a target, or the lowest one of a price. */
  private FitPlan best(long most, long target) {
    FitPlan within = front.within(target);
    return within == null || within.extra() > most ? front.lowest(most) : within;
  }

  private static long extra(Found found) {
    return FitCompute.extra(found.rewriting);
  }

  /** The plans to begin at, in few pieces and in many: those near the target, or all without. */
  private List<FitPlan> starts(long most, long target) {
    List<FitPlan> starts = new ArrayList<>();
    for (FitFront one : List.of(front, front.few())) {
      List<FitPlan> plans =
          one.plans().stream()
              .filter(plan -> plan.extra() <= most && places.runs(plan) != null)
              .toList();
      int first = 0; // the first one within the target, or the lowest
      while (first + 1 < plans.size() && front.bytes(plans.get(first)) > target) {
        first++;
      }
      boolean near = target >= 0 && !plans.isEmpty();
      plans = near ? plans.subList(Math.max(0, first - 2), first + 1) : plans;
      long bytes =
          near && one != front
              ? (long) (FEW_NEAR * front.bytes(best(most, target)))
              : Long.MAX_VALUE;
      plans.stream()
          .filter(plan -> front.bytes(plan) <= bytes && !starts.contains(plan))
          .forEach(starts::add);
    }
    return starts;
  }

  /** The walk of those from some plans that has looked at the fewest ops. */
  private Walk next(List<FitPlan> starts) {
    walks.removeIf(
        walk -> !front.plans().contains(walk.start) && !front.few().plans().contains(walk.start));
    return starts.stream()
        .map(this::walk)
        .min(Comparator.comparingLong(walk -> walk.ops))
        .orElseThrow();
  }

  /** The walk from a plan; a new one comes after those that have looked at fewer ops. */
  private Walk walk(FitPlan start) {
    for (Walk walk : walks) {
      if (walk.start == start) {
        return walk;
      }
    }
    LoadProfile profile = LoadProfile.of(start.planned().problem());
    List<RunSplit> runs = places.runs(start);
    Found own = new Found(runs, start.rewriting(), profile, profile.maxLoad(), start);
    Walk walk = new Walk(start, own);
    walk.ops = walks.stream().mapToLong(other -> other.ops).min().orElse(0);
    walks.add(walk);
    return walk;
  }

  /** The place of an op that runs where the load is largest. */
  private int hot(Found at) {
    int[] steps =
        IntStream.range(0, at.rewriting.ops().size())
            .filter(step -> at.profile.loadAt(step) >= HOT * at.load)
            .toArray();
    return place[at.rewriting.ops().get(steps[random.nextInt(steps.length)]).op()];
  }

  /**
   * Rewrites a choice, and places it where its load would be better than what was found in as few
   * or as many pieces; null where it is of no use, even as the next place of a walk.
   */
  private Found found(List<RunSplit> runs, long most, Walk walk) {
    Rewriting cut = places.cut(runs);
    long extra = cut == null ? -1 : FitCompute.extra(cut);
    if (extra < 0 || extra > most) {
      return null;
    }
    FitFront kind = front.of(cut.ops().size());
    FitPlan known = kind.lowest(extra);
    long useful = Math.max((long) (NEAR * walk.start.load()), walk.at.load);
    long bytes = known == null ? Long.MAX_VALUE : Math.max(useful, front.bytes(known));
    Rewriting rewriting = places.inTurns(cut, bytes);
    if (rewriting == null) {
      return null;
    }
    PlanningCase planned = request.buffers(rewriting.network());
    LoadProfile profile = LoadProfile.of(planned.problem());
    long load = profile.maxLoad();
    if (request.kept(rewriting) > SplitChoices.KEPT_SHARE * Math.max(0, whole - load)) {
      return null;
    }
    boolean mayBeBetter =
        kind.plans().stream().noneMatch(plan -> front.bytes(plan) <= load && plan.extra() < extra);
    FitPlan plan = mayBeBetter ? places.placed(rewriting, planned, runs) : null;
    return new Found(runs, rewriting, profile, load, plan);
  }
}

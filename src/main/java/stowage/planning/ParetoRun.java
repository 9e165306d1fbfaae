package stowage.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import stowage.exact.Portfolio;
import stowage.exact.engine.EngineOptions;
import stowage.packing.Bound;
import stowage.packing.ByteText;
import stowage.packing.Certificate;
import stowage.packing.ConflictPairs;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReuseCost;
import stowage.packing.RunControl;
import stowage.packing.SolverClaim;
import stowage.packing.StackedRoom;
import stowage.packing.Units;

/**
 * The whole front of peak against the price of reuse in one memory: every pair of the two that no
 * placement betters in both.
 *
 * <p>f(c), the least price within a capacity of c bytes, falls in steps as c grows. Each step is a
 * point of the front. The run knows f at some capacities, from the least peak that there is to the
 * least peak at which nothing is paid, and halves the stretches between two capacities of different
 * price until the steps are found: f(a) &gt; f(b) and b - a one unit is a proof that no peak below
 * b has the price f(b).
 *
 * <p>What a run proves for one capacity holds for all smaller ones, and its placements for all
 * larger ones; both are kept. A run is over as soon as its price meets what is known already. So
 * the front takes about log2(span / unit) runs for each point. Where one of them is not proven in
 * its time, the points alongside it keep a gap.
 */
public final class ParetoRun {
  /** A run has at least so many seconds, and at most so much of the time left. */
  private static final double LEAST_SECONDS = 0.5;

  private static final double SHARE = 0.1;

  private static final int ROUNDS = 4;

  /**
   * A point of the front, or the best that is known of one.
   *
   * @param placement of all buffers
   * @param peak its peak in bytes
   * @param peakBound bytes that the peak has at least at this price
   * @param costBound what is paid at least at this peak
   */
  public record Point(Placement placement, long peak, long peakBound, long cost, long costBound) {
    /** Whether no placement betters one figure without a worse other one. */
    public boolean isProven() {
      return peakBound >= peak && costBound >= cost;
    }
  }

  private final PackingProblem problem;
  private final int memory;
  private final RunControl control;
  private final EngineOptions options;
  private final Consumer<String> say;
  private final long unit;

  /** The cheapest placement known of each peak; prices fall as peaks grow. */
  private final NavigableMap<Long, Placement> found = new TreeMap<>();

  private final NavigableMap<Long, Long> price = new TreeMap<>();

  /** What is paid at least within a capacity; the largest long where nothing fits. */
  private final NavigableMap<Long, Long> least = new TreeMap<>();

  private final List<Long> askedFor = new ArrayList<>();
  private boolean infeasible;
  private double share = SHARE;

  /** Lowers the peak of one memory that all buffers are in; {@code say} gets a line each step. */
  public ParetoRun(
      PackingProblem problem,
      int memory,
      RunControl control,
      EngineOptions options,
      Consumer<String> say) {
    this.problem = problem;
    this.memory = memory;
    this.control = control;
    this.options = options;
    this.say = say;
    this.unit = Units.of(problem, 0, false);
  }

  /** Whether it is proven that nothing fits. */
  public boolean isInfeasible() {
    return infeasible;
  }

  /** Finds the front, from the least peak on; empty where no placement was found. */
  public List<Point> run() {
    PackingProblem free =
        problem.withRelations(problem.relations().withReuse(List.of())).withGoals(List.of());
    peaks(free, Long.MAX_VALUE, "the least peak");
    if (infeasible || found.isEmpty()) {
      return List.of();
    }
    if (problem.relations().together().isEmpty() && !control.isStopped()) {
      var weights = problem.relations().reuse().stream().mapToLong(Relations.Reuse::weight);
      peaks(apart(free), weights.min().orElse(1), "the least peak at which nothing is paid");
    }
    if (price.lastEntry().getValue() > 0) {
      evaluate(highest());
    }
    evaluate(price.firstKey());
    for (int round = 0; round < ROUNDS && !control.isStopped(); round++) {
      for (long next = next(); next >= 0 && !control.isStopped(); next = next()) {
        evaluate(next);
      }
      if (points().stream().allMatch(Point::isProven)) {
        break;
      }
      // What was not proven in its time has more of it, as far as there is.
      askedFor.removeIf(capacity -> leastWithin(capacity) < cheapest(capacity));
      share *= 2;
    }
    return points();
  }

  /** Whether it is proven that the front has no other points; each of its points is then. */
  public boolean isWhole() {
    long before = Long.MAX_VALUE;
    for (Map.Entry<Long, Long> point : price.entrySet()) {
      long peak = point.getKey();
      if (peak > 0 && provenWithin((peak - 1) / unit * unit) < before) {
        return false;
      }
      before = point.getValue();
    }
    return before == 0 || provenWithin(highest()) >= before;
  }

  /** Bytes of which no price needs more. */
  private long highest() {
    long capacity = problem.memories().get(memory).capacity();
    return capacity == Memory.UNBOUNDED ? StackedRoom.of(problem, memory, false) : capacity;
  }

  private long provenWithin(long capacity) {
    return least.tailMap(capacity, true).values().stream().reduce(0L, Math::max);
  }

  private long cheapest(long capacity) {
    Map.Entry<Long, Long> known = price.floorEntry(capacity);
    return known == null ? Long.MAX_VALUE : known.getValue();
  }

  private List<Point> points() {
    List<Point> points = new ArrayList<>();
    for (Map.Entry<Long, Long> entry : price.entrySet()) {
      long peak = entry.getKey();
      long cost = entry.getValue();
      long peakBound = 0;
      for (Map.Entry<Long, Long> fact : least.entrySet()) {
        if (fact.getValue() > cost) {
          peakBound = Math.max(peakBound, fact.getKey() / unit * unit + unit);
        }
      }
      points.add(
          new Point(found.get(peak), peak, Math.min(peakBound, peak), cost, leastWithin(peak)));
    }
    return points;
  }

  private long leastWithin(long capacity) {
    return Math.min(provenWithin(capacity), cheapest(capacity));
  }

  /**
   * The capacity to look at next: in the middle of the widest stretch below a point in which a
   * lower peak at its price is not ruled out; then one unit below a point, where a price between
   * its and that of the point before it is not; then a point whose price is not proven; else -1.
   */
  private long next() {
    long widest = unit;
    long middle = -1;
    long step = -1;
    long last = -1;
    for (Map.Entry<Long, Long> point : price.entrySet()) {
      long peak = point.getKey();
      long below = (peak - 1) / unit * unit;
      if (last >= 0
          && below > last
          && !askedFor.contains(below)
          && leastWithin(below) < price.get(last)) {
        step = below;
      }
      last = peak;
      if (step < 0 && leastWithin(peak) < point.getValue() && !askedFor.contains(peak)) {
        step = peak;
      }
      long from = 0;
      for (Map.Entry<Long, Long> fact : least.headMap(peak, false).entrySet()) {
        from = fact.getValue() > point.getValue() ? fact.getKey() : from;
      }
      for (long capacity : askedFor) {
        from = capacity < peak ? Math.max(from, capacity) : from;
      }
      from = from / unit * unit;
      long to = (peak + unit - 1) / unit * unit;
      if (to - from > widest) {
        widest = to - from;
        middle = from + (to - from) / unit / 2 * unit;
      }
    }
    return middle >= 0 ? middle : step;
  }

  private double seconds() {
    return Math.max(LEAST_SECONDS, control.secondsLeft() * share);
  }

  /**
   * Looks for the least peak of a stricter or freer problem of the same buffers.
   *
   * @param above what is paid at least where the peak is lower than its bound; the largest long
   *     where no plan is
   */
  private void peaks(PackingProblem other, long above, String what) {
    say.accept("looking for " + what);
    Incumbent inner = new Incumbent(other);
    Portfolio.run(inner, control.within(seconds()), options);
    if (inner.infeasibility() != null) {
      infeasible |= above == Long.MAX_VALUE;
      least.merge(problem.memories().get(memory).capacity(), above, Math::max);
      return;
    }
    if (inner.placement() != null) {
      note(inner.placement());
    }
    int figure = inner.objective().parts().size() - 1 - memory;
    Bound bound = inner.bound(figure);
    if (bound != null && bound.value() > 0) {
      least.merge(bound.value() - 1, above, Math::max);
    }
  }

  /**
   * The problem with every pair that may have to pay kept apart. Pairs that are alive at once pay
   * nothing, and may share addresses through a window.
   */
  private PackingProblem apart(PackingProblem free) {
    List<int[]> pairs = new ArrayList<>();
    for (int i = 0; i < free.size(); i++) {
      for (int j : free.conflicts().of(i)) {
        if (i < j) {
          pairs.add(new int[] {i, j});
        }
      }
    }
    for (Relations.Reuse pair : problem.relations().reuse()) {
      if (problem.isPayable(pair)) {
        pairs.add(new int[] {pair.first(), pair.second()});
      }
    }
    return free.withConflicts(ConflictPairs.of(free.size(), pairs));
  }

  private void evaluate(long capacity) {
    askedFor.add(capacity);
    PackingProblem capped = problem.withCapacity(memory, capacity).withGoals(List.of());
    Incumbent inner = new Incumbent(capped, Objective.of(capped, List.of(Goal.REUSE)));
    long known = leastWithin(capacity);
    Map.Entry<Long, Placement> start = found.floorEntry(capacity);
    if (start != null) {
      if (price.get(start.getKey()) <= known) {
        return;
      }
      inner.offer(start.getValue(), "front");
    }
    if (known > 0 && known < Long.MAX_VALUE) {
      Certificate why = SolverClaim.because("a larger memory has no lower price");
      inner.offer(new Bound(0, known, why), "front");
    }
    say.accept(
        "%s points; looking for the least price within %s bytes"
            .formatted(price.size(), ByteText.exact(capacity)));
    RunControl own = control.within(seconds());
    inner.addListener(
        event -> {
          Placement placement = inner.placement();
          if (placement != null) {
            note(placement);
          }
          if (inner.isClosed()) {
            own.stop();
          }
        });
    Portfolio.run(inner, own, options);
    long bound = inner.bound(0) == null ? 0 : inner.bound(0).value();
    least.merge(capacity, inner.infeasibility() != null ? Long.MAX_VALUE : bound, Math::max);
  }

  private synchronized void note(Placement placement) {
    long peak = placement.peak(problem, memory);
    long cost = ReuseCost.of(problem, placement);
    Map.Entry<Long, Long> below = price.floorEntry(peak);
    if (below != null && below.getValue() <= cost) {
      return;
    }
    for (Map.Entry<Long, Long> above = price.ceilingEntry(peak);
        above != null && above.getValue() >= cost;
        above = price.ceilingEntry(peak)) {
      price.remove(above.getKey());
      found.remove(above.getKey());
    }
    price.put(peak, cost);
    found.put(peak, placement);
  }
}

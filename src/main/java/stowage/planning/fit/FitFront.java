package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The plans found of which none is no worse than another in memory and in price. Several threads
 * may use it at once.
 */
final class FitFront {
  /** Ops for each given one up to which a plan has few pieces. */
  private static final int FEW_PIECES = 3;

  private final boolean byLoad;
  private final List<FitPlan> plans = new ArrayList<>();

  /**
   * The front of all plans added by their loads, and that of those in few pieces; null in these.
   */
  private final FitFront loads;

  private final FitFront few;

  /** Ops of a rewritten network up to which it has few pieces. */
  private final int fewOps;

  /** The most bytes that a plan may take. */
  private final long limit;

  private int changes;

  /** An empty front; where only live bytes are limited the load counts for the memory. */
  FitFront(FitRequest request) {
    this.byLoad = request.capacity() < 0 && request.loadLimit() >= 0;
    this.limit = request.limit();
    this.loads = new FitFront(true, limit);
    this.few = new FitFront(byLoad, limit);
    this.fewOps = FEW_PIECES * request.network().ops().size();
  }

  private FitFront(boolean byLoad, long limit) {
    this.byLoad = byLoad;
    this.limit = limit;
    this.loads = null;
    this.few = null;
    this.fewOps = 0;
  }

  /** An empty front of loads without a limit. */
  static FitFront byLoad() {
    return new FitFront(true, Long.MAX_VALUE);
  }

  /** The front that a plan with so many ops may be on: of those in few pieces, or of all. */
  FitFront of(int ops) {
    return ops <= fewOps ? few : this;
  }

  /**
   * The front of the plans in few pieces: a walk looks at many of them in the time of one other.
   */
  FitFront few() {
    return few;
  }

  /** What counts of a plan's memory, in bytes. */
  long bytes(FitPlan plan) {
    return byLoad ? plan.load() : plan.peak();
  }

  /** The middles of neighbours of which one takes less than a share of the other's bytes. */
  synchronized List<Long> gaps(double share) {
    List<Long> middles = new ArrayList<>();
    for (int k = 1; k < plans().size(); k++) {
      long low = bytes(plans().get(k));
      long high = bytes(plans().get(k - 1));
      if (low < share * high) {
        middles.add((low + high) / 2);
      }
    }
    return middles;
  }

  /** Adds a plan with a price unless one found before is no worse; says whether it was added. */
  synchronized boolean add(FitPlan plan) {
    if (plan == null || plan.placement().placement() == null || plan.extra() == Long.MAX_VALUE) {
      return false;
    }
    if (loads != null) {
      loads.add(plan);
    }
    if (few != null && plan.rewriting().ops().size() <= fewOps) {
      few.add(plan);
    }
    for (FitPlan other : plans) {
      if (isNoWorse(other, plan)) {
        return false;
      }
    }
    plans.removeIf(other -> isNoWorse(plan, other));
    plans.add(plan);
    changes++;
    plans.sort(Comparator.comparingLong(this::bytes).reversed());
    return true;
  }

  private boolean isNoWorse(FitPlan one, FitPlan other) {
    return bytes(one) <= bytes(other) && Arrays.compare(one.price(), other.price()) <= 0;
  }

  /** How many plans were added. */
  synchronized int changes() {
    return changes;
  }

  /** Takes a plan away that does not hold. */
  synchronized void remove(FitPlan plan) {
    plans.remove(plan);
    if (few != null) {
      few.remove(plan);
      loads.remove(plan);
    }
  }

  /** The plans, of falling memory and rising price. */
  synchronized List<FitPlan> plans() {
    return List.copyOf(plans);
  }

  /** The cheapest plan that is admitted; null where there is none. */
  synchronized FitPlan cheapest(Predicate<FitPlan> admitted) {
    return plans.stream()
        .filter(admitted)
        .min((one, other) -> Arrays.compare(one.price(), other.price()))
        .orElse(null);
  }

  /** The cheapest plan within some bytes; null where there is none. */
  FitPlan within(long most) {
    return cheapest(plan -> bytes(plan) <= most);
  }

  /**
   * The plans with runs that a placement within their aim would make better than all of these, the
   * cheapest first.
   */
  synchronized List<FitPlan> loose() {
    List<FitPlan> found = new ArrayList<>(loads.plans);
    found.removeIf(
        loose ->
            loose.runs().isEmpty()
                || loose.load() > aim(loose)
                || plans.stream()
                    .anyMatch(plan -> bytes(plan) <= aim(loose) && plan.extra() <= loose.extra()));
    return found;
  }

  /** The bytes that a placement of a plan is to be within: the limit, or its load. */
  long aim(FitPlan plan) {
    return limit == Long.MAX_VALUE ? plan.load() : limit;
  }

  /** The plan that needs least of those of at most some extra compute; null where there is none. */
  synchronized FitPlan lowest(long extra) {
    return plans.stream()
        .filter(plan -> plan.extra() <= extra)
        .min(Comparator.comparingLong(this::bytes))
        .orElse(null);
  }
}

package stowage.planning.fit;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import stowage.packing.RunControl;
import stowage.planning.fit.piece.PieceTurns;

/**
 * The last stage of a search for pieces, which places plans lower whose peak is above their load.
 * Ways down follow the loads, and quick rules leave many plans a tenth and more above them.
 */
final class LastPlacement {
  /** Share of the time left; where that is little and pieces take turns, so that they are many. */
  private static final double SHARE = 0.15;

  private static final double BRIEF_SHARE = 0.25;

  /** Most seconds where there is a limit, and where a plan is within it. */
  private static final double MOST_SECONDS = 10;

  private static final double MOST_SAVING_SECONDS = 5;

  /** The same where limits count work. */
  private static final long WORK = 1_000_000;

  private final FitRequest request;
  private final FitFront front;
  private final List<FitPlan> missed;
  private final Supplier<FitPlan> chosen;

  /**
   * A stage that has not begun.
   *
   * @param front to which lower plans are added
   * @param missed plans that would be better than those of the front if placed at their loads, or
   *     at the limit
   * @param chosen gives the plan that answers so far
   */
  LastPlacement(
      FitRequest request, FitFront front, List<FitPlan> missed, Supplier<FitPlan> chosen) {
    this.request = request;
    this.front = front;
    this.missed = missed;
    this.chosen = chosen;
  }

  static double seconds(FitRequest request, double left) {
    if (request.limited()) {
      return Math.min(MOST_SECONDS, SHARE * left);
    }
    boolean many = left < SplitClock.BRIEF_SECONDS && PieceTurns.mayBeTaken(request.network());
    return (many ? BRIEF_SHARE : SHARE) * left;
  }

  /**
   * Places the plans that would be on a curve at their loads; for a limit a cheaper plan whose load
   * is within it, where nothing is within it that of least load; for a price that of least load,
   * and then the chosen one.
   */
  void run(RunControl control) {
    Comparator<FitPlan> byLoad = Comparator.comparingLong(FitPlan::load);
    if (request.curve()) {
      FitFront loads = FitFront.byLoad();
      missed.forEach(loads::add);
      front.plans().forEach(loads::add);
      List<FitPlan> steps = loads.plans().stream().filter(this::isLoose).toList();
      for (int k = 0; k < steps.size(); k++) {
        lower(steps.get(k), control.secondsLeft() / (steps.size() - k), control);
      }
    } else if (request.limited()) {
      FitPlan best = front.cheapest(plan -> request.admits(plan.peak(), plan.load()));
      Comparator<FitPlan> byPrice = Comparator.comparingLong(FitPlan::extra);
      first(best == null ? byLoad : byPrice.thenComparing(byLoad))
          .filter(plan -> best == null || plan.extra() < best.extra())
          .ifPresent(
              plan -> lower(plan, best == null ? MOST_SECONDS : MOST_SAVING_SECONDS, control));
    } else {
      first(byLoad).ifPresent(plan -> lower(plan, control.secondsLeft() / 2, control));
      lower(chosen.get(), control.secondsLeft(), control);
    }
  }

  /** The first of the plans missed whose price is within that allowed. */
  private Optional<FitPlan> first(Comparator<FitPlan> order) {
    return missed.stream()
        .filter(plan -> request.maxExtra() < 0 || plan.extra() <= request.maxExtra())
        .min(order);
  }

  private boolean isLoose(FitPlan plan) {
    return front.bytes(plan) > plan.load();
  }

  /** Looks for a lower placement of a plan that is above its load, for at most so many seconds. */
  private void lower(FitPlan plan, double seconds, RunControl control) {
    if (isLoose(plan)) {
      RunControl rest =
          control.isDeterministic() ? control.withWork(WORK) : control.within(seconds);
      front.add(FitPlaces.placedLower(request, plan, front.aim(plan), FitPlaces.SEARCH, rest));
    }
  }
}

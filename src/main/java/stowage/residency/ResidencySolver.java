package stowage.residency;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.ResidencyChoice;
import stowage.residency.memory.ResidencyDescent;
import stowage.residency.memory.ResidencyGreedy;
import stowage.residency.memory.ResidencyPlacer;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.memory.ResidencyTiming;
import stowage.residency.verify.ResidencyVerifier;

/**
 * Solver of a network over the memories of a map, at a fixed order: the best of the known rules
 * first, then a descent from it and CP-SAT by volume, then addresses. Where no addresses are found
 * at the capacity, the choice is made again with a little less of it; the bound is that of the
 * whole capacity.
 */
public final class ResidencySolver {
  private static final double[] CAPACITIES = {1, 0.99, 0.97, 0.94, 0.9, 0.85, 0.8, 0.7};
  private static final int[] LEADS = {0, 1, 2, 4, 8, 16, 64, 256};
  private static final double PLACING_SECONDS = 5;

  /**
   * A solved problem.
   *
   * @param plan verified; null where none was found
   * @param price of the plan, in the problem's unit
   * @param bound a proven lower bound of the price at this order
   * @param moved bytes moved, as the verifier counts them
   * @param nanoseconds until the last step or transfer ends
   * @param infeasible whether it is proven that there is no plan
   */
  public record Answer(
      ResidencyPlan plan,
      ResidencyChoice choice,
      long price,
      long bound,
      long moved,
      long nanoseconds,
      boolean infeasible) {
    private Answer withBound(long other) {
      return new Answer(plan, choice, price, other, moved, nanoseconds, infeasible);
    }

    /** Whether no plan at this order has a lower price. */
    public boolean isOptimal() {
      return plan != null && price <= bound;
    }
  }

  private ResidencySolver() {}

  /** Solves; it is a fault of what made a plan when the verifier rejects it. */
  public static Answer solve(ResidencyProblem problem, RunControl control) {
    AccessTable table = new AccessTable(problem);
    Answer best = null;
    ResidencyChoice known = null;
    List<ResidencyChoice> rules = new ArrayList<>();
    for (ResidencyGreedy rule : ResidencyGreedy.values()) {
      ResidencyChoice choice = rules.isEmpty() || !control.isStopped() ? rule.choose(table) : null;
      if (choice != null && choice.fits(problem)) {
        rules.add(choice);
      }
    }
    Map<ResidencyChoice, Long> prices = new HashMap<>();
    rules.forEach(choice -> prices.put(choice, price(problem, choice, control)));
    rules.sort(Comparator.comparingLong(prices::get));
    if (!rules.isEmpty() && !control.isStopped()) {
      known = ResidencyDescent.improved(table, rules.get(0));
      rules.add(0, known);
    }
    for (int k = 0; k < rules.size() && best == null; k++) {
      best = planned(problem, rules.get(k), 0, control, 1);
    }
    long bound = 0;
    boolean infeasible = false;
    long capacity = problem.map().fast().capacity();
    for (double share : CAPACITIES) {
      if (control.isStopped() || best != null && best.price() <= bound) {
        break;
      }
      ResidencyModel.Answer answer =
          ResidencyModel.solve(
              table, (long) (share * capacity), known, control, 0.5 * control.secondsLeft());
      bound = share == 1 ? answer.bound() : bound;
      infeasible |= share == 1 && answer.infeasible();
      if (share == 1 && problem.byTime() && problem.map().overlap() && answer.choice() != null) {
        double seconds = 0.4 * control.secondsLeft();
        ResidencyChoice near =
            ResidencyModel.nearby(table, capacity, answer.choice(), control, seconds);
        best = better(best, planned(problem, near, bound, control, PLACING_SECONDS));
      }
      if (answer.choice() == null) {
        continue;
      }
      Answer found = planned(problem, answer.choice(), bound, control, PLACING_SECONDS);
      best = better(best, found);
      if (found != null) {
        break;
      }
    }
    return best == null
        ? new Answer(null, null, -1, bound, 0, 0, infeasible)
        : best.withBound(bound);
  }

  private static Answer better(Answer one, Answer other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return other.price() < one.price()
            || other.price() == one.price() && other.nanoseconds() < one.nanoseconds()
        ? other
        : one;
  }

  /**
   * A choice with addresses and times, verified; null where it has none. With a DMA channel, the
   * places held for transfers alongside ops are those that give the least time and have addresses.
   */
  public static Answer planned(
      ResidencyProblem problem,
      ResidencyChoice choice,
      long bound,
      RunControl control,
      double seconds) {
    if (choice == null || !choice.fits(problem)) {
      return null;
    }
    RunControl whole = control.within(Math.min(seconds, control.secondsLeft()));
    List<Timed> all = timed(problem, choice, control);
    for (int k = 0; k < all.size() && (k == 0 || !whole.isStopped()); k++) {
      Timed timed = all.get(k);
      double share = Math.max(0.05, 0.5 * whole.secondsLeft());
      List<ResidencyPlan.Segment> segments =
          ResidencyPlacer.segments(problem, timed.choice(), control, share);
      long[] homes =
          segments == null ? null : ResidencyPlacer.homes(problem, timed.choice(), control, share);
      if (homes != null) {
        return verified(problem, timed.choice(), timed.timing(), segments, homes, bound);
      }
    }
    return null;
  }

  private record Timed(ResidencyChoice choice, ResidencyTiming timing) {}

  /**
   * A choice with places held for transfers for so many steps or others, as many as time allows,
   * the fastest first.
   */
  private static List<Timed> timed(
      ResidencyProblem problem, ResidencyChoice choice, RunControl control) {
    Set<ResidencyChoice> held = new LinkedHashSet<>(List.of(choice.plain()));
    for (int k = 0; problem.map().overlap() && k < LEADS.length && !control.isStopped(); k++) {
      held.add(choice.plain().overlapped(problem, LEADS[k]));
      held.add(choice.overlapped(problem, LEADS[k]));
    }
    return held.stream()
        .map(each -> new Timed(each, ResidencyTiming.of(problem, each)))
        .sorted(Comparator.comparingLong(each -> each.timing().nanoseconds()))
        .toList();
  }

  /** The price of a choice by volume, in the problem's unit. */
  static long price(ResidencyProblem problem, ResidencyChoice choice, RunControl control) {
    return problem.byTime()
        ? timed(problem, choice, control).get(0).timing().nanoseconds()
        : choice.bytes();
  }

  private static Answer verified(
      ResidencyProblem problem,
      ResidencyChoice choice,
      ResidencyTiming timing,
      List<ResidencyPlan.Segment> segments,
      long[] homes,
      long bound) {
    ResidencyPlan plan =
        new ResidencyPlan(
            segments, timing.moves(), homes, choice.access(), timing.starts(), timing.ends());
    ResidencyVerifier.Result result = ResidencyVerifier.verify(problem, plan);
    if (!result.holds()) {
      throw new IllegalStateException("a plan does not hold: " + result.violation());
    }
    long price = problem.byTime() ? result.nanoseconds() : result.movedBytes();
    return new Answer(plan, choice, price, bound, result.movedBytes(), result.nanoseconds(), false);
  }
}

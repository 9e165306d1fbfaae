package stowage.residency;

import java.util.Arrays;
import java.util.List;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.Choice;
import stowage.residency.memory.MemoryPlacer;
import stowage.residency.memory.ResidencyGreedy;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.memory.ResidencyTiming;
import stowage.residency.verify.ResidencyVerifier;

/**
 * Solver of a network over the memories of a map, at a fixed order: the best of the known rules
 * first, then CP-SAT by volume, then addresses. Where no addresses are found at the capacity, the
 * choice is made again with a little less of it; the bound is that of the whole capacity.
 */
public final class MemorySolver {
  private static final double[] CAPACITIES = {1, 0.99, 0.97, 0.94, 0.9, 0.85, 0.8, 0.7};
  private static final double PLACING_SECONDS = 5;

  /**
   * A solved problem.
   *
   * @param plan verified; null where none was found
   * @param price of the plan, in the problem's unit
   * @param bound a proven lower bound of the price at this order
   * @param moved bytes moved, as the verifier counts them
   * @param nanoseconds until the last step or transfer ends
   */
  public record Answer(
      ResidencyPlan plan, Choice choice, long price, long bound, long moved, long nanoseconds) {
    /** Whether no plan at this order has a lower price. */
    public boolean isOptimal() {
      return plan != null && price <= bound;
    }
  }

  private MemorySolver() {}

  /**
   * Solves.
   *
   * @throws IllegalStateException when the verifier rejects a plan: a fault of what made it
   */
  public static Answer solve(ResidencyProblem problem, RunControl control) {
    Answer best = null;
    for (ResidencyGreedy rule : ResidencyGreedy.values()) {
      best = better(best, planned(problem, rule.choose(problem), 0, control, 1));
    }
    long bound = 0;
    long capacity = problem.map().fast().capacity();
    for (double share : CAPACITIES) {
      if (control.isStopped()) {
        break;
      }
      ResidencyModel.Answer answer =
          ResidencyModel.solve(
              problem,
              (long) (share * capacity),
              best == null ? null : new boolean[][][] {best.choice().fast(), best.choice().kept()},
              control,
              0.5 * control.secondsLeft());
      bound = share == 1 ? answer.bound() : bound;
      if (answer.fast() == null) {
        continue;
      }
      Answer found =
          planned(
              problem,
              Choice.of(problem, answer.fast(), answer.kept()),
              bound,
              control,
              PLACING_SECONDS);
      best = better(best, found);
      if (found != null) {
        break;
      }
    }
    return best == null
        ? new Answer(null, null, -1, bound, 0, 0)
        : new Answer(
            best.plan(), best.choice(), best.price(), bound, best.moved(), best.nanoseconds());
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

  /** A choice with addresses and times, verified; null where it has none. */
  public static Answer planned(
      ResidencyProblem problem, Choice choice, long bound, RunControl control, double seconds) {
    long price = problem.price(choice.fast(), choice.kept());
    long most = Arrays.stream(problem.loads(choice.fast(), choice.kept())).max().orElse(0);
    if (price < 0 || most > problem.map().fast().capacity()) {
      return null;
    }
    Answer best = null;
    List<Choice> choices =
        problem.map().overlap() ? List.of(choice, choice.overlapped(problem)) : List.of(choice);
    for (Choice timed : choices) {
      List<ResidencyPlan.Segment> segments =
          MemoryPlacer.segments(problem, timed, control, seconds);
      long[] homes = segments == null ? null : MemoryPlacer.homes(problem, timed, control, seconds);
      if (homes == null) {
        continue;
      }
      ResidencyTiming timing = ResidencyTiming.of(problem, timed);
      ResidencyPlan plan =
          new ResidencyPlan(segments, timing.moves(), homes, timing.starts(), timing.ends());
      ResidencyVerifier.Result result = ResidencyVerifier.verify(problem, plan);
      if (!result.holds()) {
        throw new IllegalStateException("a plan does not hold: " + result.violation());
      }
      best =
          better(
              best,
              new Answer(plan, timed, price, bound, result.movedBytes(), result.nanoseconds()));
    }
    return best;
  }
}

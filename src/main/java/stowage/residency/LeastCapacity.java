package stowage.residency;

import java.util.Arrays;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.Choice;
import stowage.residency.memory.ResidencyProblem;

/**
 * The inverse question: the least capacity of the fast memory with which the price is no more than
 * a limit, at a fixed order. By volume, the capacity falls by bisection over the proven answers of
 * CP-SAT; then it rises from there until addresses are found.
 *
 * @param capacity with which a verified plan keeps the limit; -1 where none was found
 * @param bound no smaller capacity can keep it
 * @param limit of the price
 */
public record LeastCapacity(long capacity, long bound, long limit) {
  private static final double STEP = 1.02;
  private static final int MOST_RISES = 40;

  /**
   * Searches.
   *
   * @param limit of the price; -1 for the least price that any capacity gives
   */
  public static LeastCapacity of(ResidencyProblem problem, long limit, RunControl control) {
    boolean[][] all = problem.none();
    for (boolean[] events : all) {
      Arrays.fill(events, true);
    }
    long high = Arrays.stream(problem.loads(all, all)).max().orElse(0);
    ResidencyModel.Answer ample =
        ResidencyModel.solve(problem, high, null, control, 0.2 * control.secondsLeft());
    if (ample.fast() == null) {
      return new LeastCapacity(-1, 0, limit);
    }
    long most = limit < 0 ? problem.price(ample.fast(), ample.kept()) : limit;
    if (ample.bound() > most) {
      return new LeastCapacity(-1, high, most);
    }
    Choice choice = Choice.of(problem, ample.fast(), ample.kept());
    long low = 0;
    high = load(problem, choice);
    while (low < high && !control.isStopped()) {
      long middle = low + (high - low) / 2;
      ResidencyModel.Answer answer =
          ResidencyModel.solve(
              problem,
              middle,
              new boolean[][][] {choice.fast(), choice.kept()},
              control,
              0.1 * control.secondsLeft());
      if (answer.fast() != null && problem.price(answer.fast(), answer.kept()) <= most) {
        choice = Choice.of(problem, answer.fast(), answer.kept());
        high = Math.min(middle, load(problem, choice));
      } else if (answer.fast() == null && answer.bound() <= most) {
        if (isInfeasible(problem, middle)) {
          low = middle + 1;
        } else {
          break; // neither found nor proven in time
        }
      } else if (answer.bound() > most) {
        low = middle + 1;
      } else {
        break;
      }
    }
    long capacity = high;
    for (int k = 0; k < MOST_RISES && !control.isStopped(); k++) {
      ResidencyProblem sized =
          new ResidencyProblem(
              problem.map().withFastCapacity(capacity),
              problem.steps(),
              problem.stepNames(),
              problem.items(),
              problem.byTime());
      if (MemorySolver.planned(sized, choice, 0, control, 2) != null) {
        return new LeastCapacity(capacity, low, most);
      }
      capacity = (long) Math.ceil(capacity * STEP);
    }
    return new LeastCapacity(-1, low, most);
  }

  private static long load(ResidencyProblem problem, Choice choice) {
    return Arrays.stream(problem.loads(choice.fast(), choice.kept())).max().orElse(0);
  }

  private static boolean isInfeasible(ResidencyProblem problem, long capacity) {
    return new ResidencyProblem(
                problem.map().withFastCapacity(capacity),
                problem.steps(),
                problem.stepNames(),
                problem.items(),
                problem.byTime())
            .misfit()
        != null;
  }
}

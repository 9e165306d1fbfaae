package stowage.residency;

import java.util.Arrays;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.Choice;
import stowage.residency.memory.Item;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.memory.UseTable;

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
    long high = most(problem);
    UseTable table = new UseTable(problem.withFastCapacity(high));
    ResidencyModel.Answer ample =
        ResidencyModel.solve(table, high, null, control, 0.2 * control.secondsLeft());
    if (ample.choice() == null) {
      return new LeastCapacity(-1, 0, limit);
    }
    long most = limit < 0 ? ample.choice().price(problem) : limit;
    if (ample.bound() > most) {
      return new LeastCapacity(-1, high, most);
    }
    Choice choice = ample.choice();
    long low = 0;
    high = load(problem, choice);
    while (low < high && !control.isStopped()) {
      long middle = low + (high - low) / 2;
      ResidencyModel.Answer answer =
          ResidencyModel.solve(table, middle, choice, control, 0.1 * control.secondsLeft());
      if (answer.choice() != null && answer.choice().price(problem) <= most) {
        choice = answer.choice();
        high = Math.min(middle, load(problem, choice));
      } else if (answer.infeasible() || answer.bound() > most) {
        low = middle + 1;
      } else {
        break; // neither found nor proven in time
      }
    }
    long capacity = high;
    for (int k = 0; k < MOST_RISES && !control.isStopped(); k++) {
      if (MemorySolver.planned(problem.withFastCapacity(capacity), choice, 0, control, 2) != null) {
        return new LeastCapacity(capacity, low, most);
      }
      capacity = (long) Math.ceil(capacity * STEP);
    }
    return new LeastCapacity(-1, low, most);
  }

  /** The capacity with which everything can be in the innermost memory from first use to last. */
  public static long most(ResidencyProblem problem) {
    long[] loads = problem.pinned(0);
    for (Item item : problem.items()) {
      for (int t = item.first(); item.home() > 0 && t <= item.last(); t++) {
        loads[t] += item.bytes();
      }
    }
    return Arrays.stream(loads).max().orElse(0);
  }

  private static long load(ResidencyProblem problem, Choice choice) {
    return Arrays.stream(choice.loads(problem)[0]).max().orElse(0);
  }
}

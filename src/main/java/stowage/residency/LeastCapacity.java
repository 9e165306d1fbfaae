package stowage.residency;

import java.util.Arrays;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyChoice;
import stowage.residency.memory.ResidencyProblem;

/**
 * The inverse question: the least capacity of the fast memory with which the price is no more than
 * a limit, at a fixed order. By volume, the capacity falls by bisection over the proven answers of
 * CP-SAT; then it rises from there until addresses are found.
 *
 * @param capacity with which a verified plan keeps the limit; -1 where none was found
 * @param bound no smaller capacity can keep it
 * @param limit the one asked for, or the least price; -1 where that is not known
 * @param leastPrice no capacity gives a lower one; -1 where that is not known
 */
public record LeastCapacity(long capacity, long bound, long limit, long leastPrice) {
  /** Whether no smaller capacity does; without a limit asked for, -1, of a price proven least. */
  public boolean isProven(long asked) {
    return capacity >= 0 && capacity == bound && (asked >= 0 || limit == leastPrice);
  }

  private static final double STEP = 1.02;
  private static final int MOST_RISES = 40;
  private static final double SEARCH_SHARE = 0.7;

  private static final class Bisection {
    private final ResidencyProblem problem;
    private final AccessTable table;
    private final RunControl control;
    private final long most;
    private long low; // no smaller capacity keeps the limit
    private long high; // a choice that keeps it is known
    private ResidencyChoice choice;

    Bisection(AccessTable table, ResidencyChoice choice, long most, RunControl control) {
      this.table = table;
      this.choice = choice;
      this.most = most;
      this.control = control;
      problem = table.problem();
      high = load(problem, choice);
    }

    /** Solves at a capacity; whether it may keep the limit. */
    private boolean mayKeep(long capacity) {
      ResidencyModel.Answer answer =
          ResidencyModel.solve(table, capacity, choice, control, 0.1 * control.secondsLeft());
      if (answer.choice() != null && price(table, capacity, answer.choice(), control) <= most) {
        choice = answer.choice();
        high = Math.min(high, load(problem, choice));
      }
      return !answer.infeasible() && answer.bound() <= most;
    }

    /** First the least capacity that no proof rules out, then one with a choice near it. */
    void run() {
      long open = high;
      while (low < open && !control.isStopped()) {
        long middle = low + (open - low) / 2;
        if (mayKeep(middle)) {
          open = Math.min(high, middle);
        } else {
          low = middle + 1;
        }
      }
      for (long under = low; under < high && !control.isStopped(); ) {
        long middle = under + (high - under) / 2;
        long before = high;
        mayKeep(middle);
        under = high < before ? under : middle + 1;
      }
    }
  }

  /** Searches within a limit of the price; -1 for the least price that any capacity gives. */
  public static LeastCapacity of(ResidencyProblem problem, long limit, RunControl control) {
    long all = most(problem);
    AccessTable table = new AccessTable(problem.withFastCapacity(all));
    ResidencyModel.Answer ample =
        ResidencyModel.solve(table, all, null, control, 0.2 * control.secondsLeft());
    if (ample.choice() == null) {
      return new LeastCapacity(-1, 0, limit, -1);
    }
    long most = limit < 0 ? price(table, all, ample.choice(), control) : limit;
    if (price(table, all, ample.choice(), control)
        > most) { // proven, or not known whether any keeps it
      return new LeastCapacity(-1, 0, most, ample.bound());
    }
    RunControl bisecting = control.within(SEARCH_SHARE * control.secondsLeft());
    Bisection search = new Bisection(table, ample.choice(), most, bisecting);
    search.run();
    long capacity = search.high;
    for (int k = 0; k < MOST_RISES && !control.isStopped(); k++) {
      ResidencySolver.Answer placed =
          ResidencySolver.planned(problem.withFastCapacity(capacity), search.choice, 0, control, 2);
      if (placed != null && placed.price() <= most) {
        return new LeastCapacity(capacity, search.low, most, ample.bound());
      }
      capacity = (long) Math.ceil(capacity * STEP);
    }
    return new LeastCapacity(-1, search.low, most, ample.bound());
  }

  /**
   * The capacity with which everything can be in the innermost memory from first use to last, or
   * throughout where a channel moves data at other steps than those of its use.
   */
  public static long most(ResidencyProblem problem) {
    boolean always = problem.byTime() && problem.map().overlap();
    long[] loads = problem.pinned(0);
    for (HeldBuffer item : problem.items()) {
      int last = always ? problem.steps() - 1 : item.last();
      for (int t = always ? 0 : item.first(); item.home() > 0 && t <= last; t++) {
        loads[t] += item.bytes();
      }
    }
    return Arrays.stream(loads).max().orElse(0);
  }

  private static long price(
      AccessTable table, long capacity, ResidencyChoice choice, RunControl control) {
    return ResidencySolver.price(table.problem().withFastCapacity(capacity), choice, control);
  }

  private static long load(ResidencyProblem problem, ResidencyChoice choice) {
    return Arrays.stream(choice.loads(problem)[0]).max().orElse(0);
  }
}

package stowage.kernel.cpsat;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.Arrays;
import stowage.exact.cpsat.NativeLibraries;

/**
 * Linear program over what each place of a chain has of the chain's price, by sets of milestones
 * whose prices may add up to no more than the units they need beyond the room. With a rate u for
 * units it raises the sum over chains of their price, which is no more than that of a spill, less u
 * times the first units of all, less what a first phase loses.
 *
 * <p>What comes out is a proposal: the caller finds the sets that it breaks, and scales it until
 * they hold. Solved by GLOP, a row for each set.
 */
public final class SharePrices implements AutoCloseable {
  private static final double NONE = Double.POSITIVE_INFINITY;

  private final MPSolver solver;
  private final MPVariable rate;
  private final MPVariable lost;
  private final MPVariable[][] places;

  /**
   * A program without sets.
   *
   * @param lengths of the chains of each type
   * @param counts of chains of each type
   * @param spills the most that a chain of each type may cost
   * @param mostRate the most that a unit may count
   * @param first units that come in for the first time beyond the room
   */
  public SharePrices(int[] lengths, int[] counts, long[] spills, double mostRate, double first) {
    NativeLibraries.load();
    solver = MPSolver.createSolver("GLOP");
    rate = solver.makeNumVar(0, mostRate, "");
    lost = solver.makeNumVar(0, NONE, "");
    places = new MPVariable[lengths.length][];
    MPObjective sum = solver.objective();
    sum.setMaximization();
    sum.setCoefficient(rate, -first);
    sum.setCoefficient(lost, -1);
    for (int t = 0; t < lengths.length; t++) {
      places[t] = solver.makeNumVarArray(lengths[t], 0, NONE);
      MPConstraint price = solver.makeConstraint(0, spills[t]);
      for (MPVariable place : places[t]) {
        price.setCoefficient(place, 1);
        sum.setCoefficient(place, counts[t]);
      }
    }
  }

  /**
   * Adds a set.
   *
   * @param counts by type and place, the milestones in it
   * @param beyond the units it needs beyond the room
   * @param isFirst whether it is of a first phase, which may lose some
   */
  public void add(int[][] counts, double beyond, boolean isFirst) {
    MPConstraint row = solver.makeConstraint(-NONE, 0);
    row.setCoefficient(rate, -beyond);
    row.setCoefficient(lost, isFirst ? -1 : 0);
    for (int t = 0; t < counts.length; t++) {
      for (int p = 0; p < counts[t].length; p++) {
        row.setCoefficient(places[t][p], counts[t][p]);
      }
    }
  }

  /** Solves for the sets so far; whether to the optimum. */
  public boolean solve() {
    return solver.solve() == MPSolver.ResultStatus.OPTIMAL;
  }

  /** The bound that no prices exceed, by the sets so far. */
  public double bound() {
    return solver.objective().value();
  }

  /** The rate of units, 0 or more. */
  public double rate() {
    return Math.max(0, rate.solutionValue());
  }

  /** By place, what it has of the price of chains of a type. */
  public double[] places(int type) {
    return Arrays.stream(places[type]).mapToDouble(MPVariable::solutionValue).toArray();
  }

  @Override
  public void close() {
    solver.delete();
  }
}

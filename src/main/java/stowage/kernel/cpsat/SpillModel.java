package stowage.kernel.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.cpsat.NativeLibraries;
import stowage.kernel.spill.SpillProblem;
import stowage.packing.RunControl;

/**
 * The integer form of a {@link SpillProblem} in CP-SAT: a Boolean for each gap, a linear row for
 * each op at which gaps compete, and the price of the spilled gaps as objective. Rows that ask no
 * more than a neighbour are left out.
 */
public final class SpillModel {
  /** Gaps times rows covered, beyond which the model is too large to build. */
  private static final long MOST_ENTRIES = 4_000_000;

  private SpillModel() {}

  /** The better traffic and the better bound of an answer and what is found in so many seconds. */
  public static SpillProblem.GapAnswer improve(
      SpillProblem problem, SpillProblem.GapAnswer known, RunControl control, double seconds) {
    long entries = 0;
    for (int g = 0; g < problem.gaps(); g++) {
      entries += problem.to()[g] - problem.from()[g] - 1;
    }
    if (known.isOptimal() || entries > MOST_ENTRIES || seconds <= 0) {
      return known;
    }
    NativeLibraries.load();
    CpModel model = new CpModel();
    int gaps = problem.gaps();
    long unit = problem.graph().unit[problem.cache()];
    BoolVar[] spilled = new BoolVar[gaps];
    long[] prices = new long[gaps];
    LinearExprBuilder[] rows = new LinearExprBuilder[problem.rows()];
    long[] loads = new long[problem.rows()];
    boolean[] ends = new boolean[problem.rows() + 1];
    boolean[] begins = new boolean[problem.rows() + 1];
    for (int g = 0; g < gaps; g++) {
      spilled[g] = model.newBoolVar("");
      prices[g] = problem.price(g) / unit;
      model.addHint(spilled[g], known.kept()[g] ? 0 : 1);
      begins[problem.from()[g] + 1] = true;
      ends[problem.to()[g]] = true;
      for (int r = problem.from()[g] + 1; r < problem.to()[g]; r++) {
        loads[r] += problem.cells(g);
      }
    }
    boolean[] asked = asked(problem, loads, begins, ends);
    for (int g = 0; g < gaps; g++) {
      for (int r = problem.from()[g] + 1; r < problem.to()[g]; r++) {
        if (asked[r]) {
          rows[r] = rows[r] == null ? LinearExpr.newBuilder() : rows[r];
          rows[r].addTerm(spilled[g], problem.cells(g));
        }
      }
    }
    for (int r = 0; r < problem.rows(); r++) {
      if (rows[r] != null) {
        model.addGreaterOrEqual(rows[r].build(), loads[r] - problem.room()[r]);
      }
    }
    LinearExpr objective = LinearExpr.weightedSum(spilled, prices);
    model.addGreaterOrEqual(objective, known.bound() / unit);
    model.minimize(objective);
    CpSatRun.Result result = CpSatRun.solve(model, control, seconds);
    long bound = Math.max(known.bound(), result.bound(0) * unit);
    boolean[] kept = known.kept();
    if (result.hasSolution()) {
      boolean[] found = new boolean[gaps];
      for (int g = 0; g < gaps; g++) {
        found[g] = !result.solver().booleanValue(spilled[g]);
      }
      if (problem.fits(found) && problem.traffic(found) < known.traffic()) {
        kept = found;
      }
    }
    return new SpillProblem.GapAnswer(
        kept, problem.traffic(kept), Math.min(bound, problem.traffic(kept)));
  }

  /** Rows that overflow and are not implied by the row before or after. */
  private static boolean[] asked(
      SpillProblem problem, long[] loads, boolean[] begins, boolean[] ends) {
    int rows = problem.rows();
    boolean[] asked = new boolean[rows];
    for (int r = 0; r < rows; r++) {
      asked[r] = loads[r] > problem.room()[r];
      // no gap begins at this row that was not there before, and no less room then
      if (asked[r] && r > 0 && !begins[r] && problem.room()[r - 1] <= problem.room()[r]) {
        asked[r] = false;
      }
      if (asked[r] && r + 1 < rows && !ends[r + 1] && problem.room()[r + 1] < problem.room()[r]) {
        asked[r] = false;
      }
    }
    return asked;
  }
}

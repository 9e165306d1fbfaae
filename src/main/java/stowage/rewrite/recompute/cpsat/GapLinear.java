package stowage.rewrite.recompute.cpsat;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.Arrays;
import stowage.exact.cpsat.NativeLibraries;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.model.GapCertificate;
import stowage.rewrite.recompute.model.GapProblem;

/**
 * The linear programme of {@link GapProblem} by OR-Tools' GLOP: its duals, rounded, are the
 * multipliers of a certificate that proves what is left of the bound then.
 */
public final class GapLinear {
  /** What the multipliers add up to at most, so that sums of them stay exact. */
  private static final double MOST = 1L << 60;

  private GapLinear() {}

  /**
   * Solves.
   *
   * @param below what the gaps' problem was {@linkplain
   *     stowage.rewrite.recompute.model.RecomputeProblem#below cut to}
   * @return multipliers; all 0 when the solver found none in time
   */
  public static GapCertificate solve(
      GapProblem gaps, long below, RunControl control, double seconds) {
    int impossible = gaps.impossible();
    if (impossible >= 0) {
      return GapCertificate.of(gaps.problem, impossible, below);
    }
    long[] lambda = new long[gaps.problem.ops];
    if (gaps.rows.length == 0 || seconds <= 0) {
      return GapCertificate.none(gaps.problem);
    }
    NativeLibraries.load();
    MPSolver solver = MPSolver.createSolver("GLOP");
    MPObjective objective = solver.objective();
    objective.setMinimization();
    double unit = 1;
    double price = 1;
    for (int g = 0; g < gaps.gaps; g++) {
      unit = Math.max(unit, gaps.bytes(g));
      price = Math.max(price, gaps.price(g));
    }
    MPConstraint[] rows = new MPConstraint[gaps.rows.length];
    for (int r = 0; r < rows.length; r++) {
      double asked = (gaps.load[gaps.rows[r]] - gaps.limit) / unit;
      rows[r] = solver.makeConstraint(asked, Double.POSITIVE_INFINITY, "");
    }
    MPVariable[] share = new MPVariable[gaps.gaps];
    for (int g = 0; g < gaps.gaps; g++) {
      int after = Arrays.binarySearch(gaps.rows, gaps.from[g] + 1);
      for (int r = after < 0 ? -after - 1 : after;
          r < rows.length && gaps.rows[r] < gaps.to[g];
          r++) {
        if (!gaps.covers(g, gaps.rows[r])) {
          continue;
        }
        if (share[g] == null) {
          share[g] = solver.makeNumVar(0, 1, "");
          objective.setCoefficient(share[g], gaps.price(g) / price);
        }
        rows[r].setCoefficient(share[g], gaps.bytes(g) / unit);
      }
    }
    if (Glop.solve(solver, control, seconds) != MPSolver.ResultStatus.OPTIMAL) {
      solver.delete();
      return GapCertificate.none(gaps.problem);
    }
    double sum = 0;
    for (MPConstraint row : rows) {
      sum += Math.max(0, row.dualValue());
    }
    double toCost = price / unit;
    long scale = (long) Math.max(1, Math.min(MOST, MOST / Math.max(1e-300, sum * toCost)));
    for (int r = 0; r < rows.length; r++) {
      lambda[gaps.rows[r]] =
          (long) Math.min(MOST, Math.max(0, rows[r].dualValue()) * toCost * scale);
    }
    solver.delete();
    return new GapCertificate(lambda, scale, gaps.price, below);
  }
}

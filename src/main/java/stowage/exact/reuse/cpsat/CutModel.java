package stowage.exact.reuse.cpsat;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;
import stowage.packing.ReuseProof;
import stowage.packing.RunControl;

/**
 * The least price of reuse under cuts as a model of one of OR-Tools' linear solvers: a variable
 * from 0 to 1 for each pair that may have to be paid, a row for each cut.
 *
 * <p>Where pairs may be paid in part (GLOP), the duals are the multipliers of a certificate;
 * rounded to whole parts they prove what is left of the bound then, whatever the solver's own
 * accuracy. Where each is paid or not (SCIP), the solver's own cuts and a short tree raise the
 * bound by a tenth to a seventh, where CP-SAT on the same cuts does not reach that.
 */
final class CutModel implements AutoCloseable {
  private static final int SCALE_BITS = 40;
  private static final double RELAXATION_SECONDS = 60;
  private static final String DETERMINISTIC_LIMIT = "limits/nodes = 200\n";

  private final PackingProblem problem;
  private final boolean whole;
  private final MPSolver solver;
  private final Map<Long, MPVariable> paid = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final long scale;

  /** A cut as a row whose coefficients were divided by a norm. */
  private record Row(ReuseCut cut, MPConstraint constraint, double norm) {}

  /** A model without cuts; each pair is paid or not where {@code whole}, else also in part. */
  CutModel(PackingProblem problem, boolean whole) {
    this.problem = problem;
    this.whole = whole;
    this.solver = MPSolver.createSolver(whole ? "SCIP" : "GLOP");
    solver.objective().setMinimization();
    long sum = 1;
    for (Relations.Reuse pair : problem.relations().reuse()) {
      if (problem.isPayable(pair)) {
        MPVariable x = solver.makeVar(0, 1, whole, "");
        paid.put(key(pair), x);
        solver.objective().setCoefficient(x, pair.weight());
        sum += pair.weight();
      }
    }
    // Right sides of bytes times multipliers per byte stay below the sum of all weights.
    int bits = Math.min(SCALE_BITS, 61 - (64 - Long.numberOfLeadingZeros(sum)));
    this.scale = 1L << Math.max(0, bits);
  }

  private static long key(Relations.Reuse pair) {
    return ReuseCut.key(pair.first(), pair.second());
  }

  void add(ReuseCut cut) {
    Map<Long, Long> left = cut.left(problem);
    left.keySet().retainAll(paid.keySet());
    double norm = whole ? 1 : left.values().stream().mapToLong(a -> a).reduce(1, Math::max);
    MPConstraint row =
        solver.makeConstraint(cut.right(problem) / norm, Double.POSITIVE_INFINITY, "");
    left.forEach((pair, factor) -> row.setCoefficient(paid.get(pair), factor / norm));
    rows.add(new Row(cut, row, norm));
  }

  /** Solves the relaxation; whether to the optimum. */
  boolean relax() {
    solver.setTimeLimit((long) (1000 * RELAXATION_SECONDS));
    MPSolver.ResultStatus status = solver.solve();
    if (status == MPSolver.ResultStatus.ABNORMAL) {
      solver.reset(); // from the start, where going on from the last basis has gone astray
      status = solver.solve();
    }
    return status == MPSolver.ResultStatus.OPTIMAL;
  }

  /** Looks for whole choices until a control says stop or some seconds have passed. */
  MPSolver.ResultStatus choose(RunControl control, double seconds) {
    if (control.isDeterministic()) {
      solver.setSolverSpecificParametersAsString(DETERMINISTIC_LIMIT);
    } else {
      solver.setTimeLimit((long) (1000 * Math.max(0.1, seconds)));
    }
    try (RunControl.Registration stop = control.onStop(solver::interruptSolve)) {
      return solver.solve();
    }
  }

  /** The least price as the solver says, rounded up; what its accuracy may hide is given away. */
  long bound() {
    double least = whole ? solver.objective().bestBound() : solver.objective().value();
    return (long) Math.ceil(least - 1e-6 * (whole ? Math.max(1, Math.abs(least)) : 1));
  }

  double share(Relations.Reuse pair) {
    MPVariable x = paid.get(key(pair));
    double share = x == null ? 0 : Math.max(0, Math.min(1, x.solutionValue()));
    return whole ? Math.round(share) : share;
  }

  /** The bound that the duals prove. */
  ReuseProof certificate() {
    List<ReuseCut> used = new ArrayList<>();
    List<Long> multipliers = new ArrayList<>();
    for (Row row : rows) {
      double dual = row.constraint.dualValue() / row.norm;
      long multiplier = Math.round(dual * scale);
      if (multiplier > 0) {
        used.add(row.cut);
        multipliers.add(multiplier);
      }
    }
    return new ReuseProof(
        List.copyOf(used), multipliers.stream().mapToLong(Long::longValue).toArray(), scale);
  }

  @Override
  public void close() {
    solver.delete();
  }
}

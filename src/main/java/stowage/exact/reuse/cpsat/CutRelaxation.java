package stowage.exact.reuse.cpsat;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.Certificate;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;

/**
 * A linear relaxation of the price of reuse: the least weighted sum of the pairs' shares that
 * satisfies all cuts added so far, by OR-Tools' GLOP. Its duals are the multipliers of a
 * certificate; rounded to whole parts they prove what is left of the bound then, whatever the
 * solver's own accuracy.
 */
final class CutRelaxation implements AutoCloseable {
  private static final int SCALE_BITS = 40;

  private final PackingProblem problem;
  private final MPSolver solver;
  private final Map<Long, MPVariable> share = new HashMap<>();
  private final List<ReuseCut> cuts = new ArrayList<>();
  private final List<MPConstraint> rows = new ArrayList<>();
  private final long scale;

  CutRelaxation(PackingProblem problem) {
    this.problem = problem;
    this.solver = MPSolver.createSolver("GLOP");
    MPObjective objective = solver.objective();
    objective.setMinimization();
    long sum = 1;
    for (Relations.Reuse pair : problem.relations().reuse()) {
      if (problem.isPayable(pair)) {
        MPVariable x = solver.makeNumVar(0, 1, "");
        share.put(ReuseCut.key(pair.first(), pair.second()), x);
        objective.setCoefficient(x, pair.weight());
        sum += pair.weight();
      }
    }
    // Right sides of bytes times multipliers per byte stay below the sum of all weights.
    int bits = Math.min(SCALE_BITS, 61 - (64 - Long.numberOfLeadingZeros(sum)));
    this.scale = 1L << Math.max(0, bits);
  }

  int size() {
    return cuts.size();
  }

  List<ReuseCut> cuts() {
    return cuts;
  }

  void add(ReuseCut cut) {
    double right = cut.right(problem);
    Map<Long, Long> left = cut.left(problem);
    double norm = 1;
    for (Map.Entry<Long, Long> term : left.entrySet()) {
      norm = share.containsKey(term.getKey()) ? Math.max(norm, term.getValue()) : norm;
    }
    MPConstraint row = solver.makeConstraint(right / norm, Double.POSITIVE_INFINITY, "");
    for (Map.Entry<Long, Long> term : left.entrySet()) {
      MPVariable x = share.get(term.getKey());
      if (x != null) {
        row.setCoefficient(x, term.getValue() / norm);
      }
    }
    cuts.add(cut);
    rows.add(row);
    norms.add(norm);
  }

  private final List<Double> norms = new ArrayList<>();

  /** Solves; whether the cuts can be satisfied, and the solver was done in time. */
  MPSolver.ResultStatus solve(double seconds) {
    solver.setTimeLimit((long) Math.max(1, Math.min(seconds, 1e6) * 1000));
    MPSolver.ResultStatus status = solver.solve();
    if (status == MPSolver.ResultStatus.ABNORMAL) {
      solver.reset(); // from the start, where going on from the last basis has gone astray
      status = solver.solve();
    }
    return status;
  }

  /** The value of the relaxation, as the solver says. */
  double value() {
    return solver.objective().value();
  }

  /** The share of a pair that is paid. */
  double share(long key) {
    MPVariable x = share.get(key);
    return x == null ? 0 : Math.max(0, Math.min(1, x.solutionValue()));
  }

  /** The bound that the duals prove. */
  Certificate.ReuseCuts certificate() {
    List<ReuseCut> used = new ArrayList<>();
    List<Long> multipliers = new ArrayList<>();
    for (int k = 0; k < rows.size(); k++) {
      double dual = rows.get(k).dualValue() / norms.get(k);
      long multiplier = Math.round(dual * scale);
      if (multiplier > 0) {
        used.add(cuts.get(k));
        multipliers.add(multiplier);
      }
    }
    return new Certificate.ReuseCuts(
        List.copyOf(used), multipliers.stream().mapToLong(Long::longValue).toArray(), scale);
  }

  @Override
  public void close() {
    solver.delete();
  }
}

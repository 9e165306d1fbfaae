package stowage.exact.reuse.cpsat;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.exact.reuse.ReuseCuts;
import stowage.exact.reuse.ReuseItems;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;
import stowage.packing.RunControl;

/**
 * The least price of reuse that whole choices of paid pairs have under the relaxation's cuts, by
 * SCIP: its own cuts and a short tree raise a bound by a tenth to a seventh above the relaxation's,
 * where CP-SAT on the same cuts does not reach that. Each round's bound holds; the cuts that its
 * choice violates are added for the next.
 */
final class IntegerCutBound {
  private static final int CUTS_A_ROUND = 80;
  private static final String NODES = "limits/nodes = 200\n";

  private final ReuseItems part;
  private final PackingProblem problem;
  private final List<ReuseCut> cuts;

  IntegerCutBound(ReuseItems part, List<ReuseCut> known) {
    this.part = part;
    this.problem = part.problem();
    this.cuts = new ArrayList<>(known);
  }

  /**
   * What a round came to.
   *
   * @param bound what every placement pays at least
   * @param complete whether no cut was found for another round
   */
  record Round(long bound, boolean complete) {}

  /** One solve; then the violated cuts are added. */
  Round round(RunControl control, double seconds) {
    MPSolver solver = MPSolver.createSolver("SCIP");
    if (solver == null) {
      return new Round(0, true);
    }
    try (RunControl.Registration stop = control.onStop(solver::interruptSolve)) {
      Map<Long, MPVariable> paid = new HashMap<>();
      MPObjective price = solver.objective();
      price.setMinimization();
      for (Relations.Reuse pair : problem.relations().reuse()) {
        if (problem.isPayable(pair)) {
          MPVariable x = solver.makeBoolVar("");
          paid.put(ReuseCut.key(pair.first(), pair.second()), x);
          price.setCoefficient(x, pair.weight());
        }
      }
      for (ReuseCut cut : cuts) {
        MPConstraint row = solver.makeConstraint(cut.right(problem), Double.POSITIVE_INFINITY, "");
        for (Map.Entry<Long, Long> term : cut.left(problem).entrySet()) {
          if (paid.containsKey(term.getKey())) {
            row.setCoefficient(paid.get(term.getKey()), term.getValue());
          }
        }
      }
      if (control.isDeterministic()) {
        solver.setSolverSpecificParametersAsString(NODES);
      } else {
        solver.setTimeLimit((long) (1000 * Math.max(0.1, seconds)));
      }
      MPSolver.ResultStatus status = solver.solve();
      boolean solved = status == MPSolver.ResultStatus.OPTIMAL;
      if (!solved && status != MPSolver.ResultStatus.FEASIBLE) {
        return new Round(0, true);
      }
      // A whole price; what the solver's accuracy may hide is given away.
      double best = price.bestBound();
      long bound = (long) Math.ceil(best - 1e-6 * Math.max(1, Math.abs(best)));
      return new Round(bound, !solved || !separate(paid, control));
    }
  }

  /** Adds the cuts that a choice violates; whether there are some. */
  private boolean separate(Map<Long, MPVariable> paid, RunControl control) {
    double[][] x = new double[problem.size()][problem.size()];
    for (Relations.Reuse pair : problem.relations().reuse()) {
      MPVariable var = paid.get(ReuseCut.key(pair.first(), pair.second()));
      if (var != null && var.solutionValue() > 0.5) {
        int a = part.item(pair.first());
        int b = part.item(pair.second());
        x[a][b] = 1;
        x[b][a] = 1;
      }
    }
    int before = cuts.size();
    for (int m = 0; m < problem.memories().size(); m++) {
      ReuseCuts finder = new ReuseCuts(part, m);
      if (!finder.isIdle()) {
        cuts.addAll(finder.violated(x, CUTS_A_ROUND, control::isStopped));
      }
    }
    return cuts.size() > before;
  }
}

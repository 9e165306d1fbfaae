package stowage.rewrite.recompute.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.cpsat.NativeLibraries;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.RecomputeProblem;

/** The rows of {@link ClosureRows} with variables of 0 and 1 alone, in CP-SAT. */
public final class ClosureInteger implements ClosureRows.Sink {
  /**
   * What the solver says.
   *
   * @param bound a solver's claim: no sequence costs less
   * @param sequence its solution as a sequence, which may exceed the limit; null for none
   * @param exact whether the solver was done
   */
  public record Answer(long bound, int[] sequence, boolean exact) {}

  private final CpModel model = new CpModel();
  private final List<BoolVar> variables = new ArrayList<>();
  private final LinearExprBuilder price = LinearExpr.newBuilder();
  private final long unit;

  private ClosureInteger(long unit) {
    this.unit = unit;
  }

  /**
   * Solves.
   *
   * @param problem cut to ops that cost less than {@code below}
   * @param proven no sequence costs less, as is known already
   * @param below only sequences with less extra cost than this are asked for: a bound of this much
   *     says that there are none
   * @param marks ops, ascending
   * @param splits ops, ascending
   */
  public static Answer solve(
      RecomputeProblem problem,
      long limit,
      long proven,
      long below,
      int[] marks,
      int[] splits,
      RunControl control,
      double seconds) {
    NativeLibraries.load();
    ClosureInteger built = new ClosureInteger(problem.unit());
    ClosureRows.visit(problem, limit, marks, splits, built);
    LinearExpr extra = built.price.build();
    if (below < Long.MAX_VALUE) {
      built.model.addLessOrEqual(extra, (below - 1) / built.unit);
    }
    built.model.addGreaterOrEqual(extra, proven / built.unit);
    built.model.minimize(extra);
    CpSatRun.Result result =
        CpSatRun.solve(built.model, control, seconds, List.of("max_lp", "lb_tree_search"));
    if (result.isInfeasible()) {
      return new Answer(below, null, true);
    }
    int[] sequence = null;
    if (result.hasSolution()) {
      IntPredicate chosen = k -> result.solver().booleanValue(built.variables.get(k));
      sequence = ClosureRows.sequence(problem, splits, chosen);
    }
    boolean exact = result.status() == CpSolverStatus.OPTIMAL;
    return new Answer(Math.min(result.bound(0) * built.unit, below), sequence, exact);
  }

  @Override
  public void variable(long cost, int value) {
    BoolVar variable = model.newBoolVar("");
    variables.add(variable);
    price.addTerm(variable, cost / unit);
  }

  @Override
  public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
    LinearExprBuilder row = LinearExpr.newBuilder();
    for (int k = 0; k < terms; k++) {
      row.addTerm(variables.get(listed[k]), weights[k]);
    }
    model.addGreaterOrEqual(row.build(), least);
  }
}

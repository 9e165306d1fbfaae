package stowage.rewrite.recompute.cpsat;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import stowage.exact.cpsat.NativeLibraries;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.FractionalSplits;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * The linear programme of {@link ClosureRows} by OR-Tools' GLOP; its duals make a certificate.
 * Where nothing satisfies all rows, the least number of bytes is asked for that the limit lacks:
 * duals of that, multiplied until they exceed all prices, prove that no sequence is within the
 * limit.
 */
public final class ClosureLinear implements ClosureRows.Sink {
  /** How far above all prices the proof is that nothing is within the limit. */
  private static final double ABOVE = 4;

  /** What the largest value's bytes cost where they lack next to prices of runs, in the largest. */
  private static final double LACKING = 1e5;

  final MPSolver solver;
  final double price;
  final List<MPVariable> variables = new ArrayList<>();

  /** The first variable of runs of each op, and their number. */
  final int[] firstRun;

  private final double unit;
  private final MPVariable lacking;
  private final boolean priced;
  private final List<MPConstraint> rows = new ArrayList<>();
  private final List<Double> scale = new ArrayList<>();
  private final List<Integer> valueOf = new ArrayList<>();
  private IntPredicate held;
  private boolean isBefore;
  private double all;

  /**
   * An empty programme.
   *
   * @param lacks whether the limit may be exceeded
   * @param priced whether runs have their prices, besides what the limit lacks
   */
  ClosureLinear(RecomputeProblem problem, boolean lacks, boolean priced) {
    NativeLibraries.load();
    this.solver = MPSolver.createSolver("GLOP");
    IntStream again = IntStream.range(0, problem.ops).filter(v -> problem.repeatable[v]);
    this.unit = Arrays.stream(problem.bytes).reduce(1, Math::max);
    this.price = again.mapToLong(v -> problem.cost[v]).reduce(1, Math::max);
    this.priced = priced;
    this.firstRun = new int[problem.ops + 1];
    this.lacking = lacks ? solver.makeNumVar(0, Double.POSITIVE_INFINITY, "") : null;
    if (lacks) {
      solver.objective().setCoefficient(lacking, priced ? LACKING : 1);
    }
    solver.objective().setMinimization();
  }

  /**
   * A solution.
   *
   * @param variables a value for each; null where nothing satisfies all rows
   */
  public record Solution(ClosureCertificate certificate, double[] variables) {
    /** Its splits with one more by {@link FractionalSplits}, or the same. */
    public int[] moreSplits(RecomputeProblem problem, long limit) {
      return FractionalSplits.more(problem, limit, certificate, variables);
    }
  }

  /**
   * Solves.
   *
   * @param below only sequences with less extra cost are asked for
   * @param marks ops, ascending
   * @param splits ops, ascending
   * @param held whether each value is there at the first mark, for what is left to do from it on;
   *     null for any choice
   * @return null when the solver found no multipliers in time
   */
  public static Solution solution(
      RecomputeProblem problem,
      long limit,
      long below,
      int[] marks,
      int[] splits,
      IntPredicate held,
      RunControl control,
      double seconds) {
    RecomputeProblem cheap = problem.below(below);
    Solution found = null;
    for (boolean lacks = false; found == null; lacks = true) {
      ClosureLinear built = new ClosureLinear(cheap, lacks, !lacks);
      built.held = held;
      ClosureRows.visit(cheap, limit, marks, splits, built);
      MPSolver.ResultStatus status = Glop.solve(built.solver, control, seconds);
      if (status == MPSolver.ResultStatus.OPTIMAL) {
        double[] multipliers = built.multipliers();
        found =
            new Solution(
                new ClosureCertificate(marks, splits, multipliers, below),
                lacks ? null : built.values());
      }
      built.solver.delete();
      if (lacks || (status != MPSolver.ResultStatus.INFEASIBLE && found == null)) {
        break;
      }
    }
    return found;
  }

  /** The certificate of the solution above; null for none. */
  public static ClosureCertificate solve(
      RecomputeProblem problem,
      long limit,
      long below,
      int[] marks,
      int[] splits,
      IntPredicate held,
      RunControl control,
      double seconds) {
    Solution found = solution(problem, limit, below, marks, splits, held, control, seconds);
    return found == null ? null : found.certificate;
  }

  int size() {
    return rows.size();
  }

  double[] values() {
    return variables.stream().mapToDouble(MPVariable::solutionValue).toArray();
  }

  double[] multipliers() {
    double times = price;
    if (!priced) {
      times = ABOVE * (1 + all) / Math.max(1 / unit, solver.objective().value());
    }
    double[] multipliers = new double[rows.size()];
    for (int r = 0; r < multipliers.length; r++) {
      multipliers[r] = Math.max(0, rows.get(r).dualValue()) * times / scale.get(r);
    }
    return multipliers;
  }

  @Override
  public void run(int op, int from) {
    Arrays.fill(firstRun, op + 1, firstRun.length, variables.size() + 1);
  }

  @Override
  public void mark(int op, boolean gathering) {
    isBefore = gathering && held != null;
  }

  @Override
  public void variable(long cost, int value) {
    MPVariable variable = solver.makeNumVar(0, 1, "");
    if (priced) {
      solver.objective().setCoefficient(variable, cost / price);
    }
    variables.add(variable);
    valueOf.add(value);
    all += cost;
  }

  @Override
  public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
    double by = ofBytes ? unit : 1;
    boolean free = ofBytes && held != null && !isBefore;
    double asked = free || isBefore ? Double.NEGATIVE_INFINITY : least / by;
    MPConstraint row = solver.makeConstraint(asked, Double.POSITIVE_INFINITY, "");
    for (int k = 0; free && k < terms; k++) {
      boolean there = held.test(valueOf.get(listed[k]));
      double known = there == weights[k] < 0 ? 1 : 0;
      variables.get(listed[k]).setBounds(known, known);
    }
    held = ofBytes && !isBefore ? null : held;
    for (int k = 0; k < terms; k++) {
      row.setCoefficient(variables.get(listed[k]), weights[k] / by);
    }
    if (ofBytes && lacking != null) {
      row.setCoefficient(lacking, 1);
    }
    rows.add(row);
    scale.add(by);
  }
}

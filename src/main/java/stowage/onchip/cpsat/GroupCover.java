package stowage.onchip.cpsat;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.cpsat.NativeLibraries;
import stowage.packing.RunControl;

/**
 * Cover of every op with exactly one of the groups of a pool, at least cost: as a linear programme,
 * which is quick and bounds, and in whole groups with CP-SAT. Sets of groups that cannot run
 * together, because they wait for each other in a circle, are kept apart in both.
 */
final class GroupCover {
  /** CP-SAT counts costs in this many parts of a unit, since it knows whole numbers alone. */
  private static final double PARTS = 1024;

  /** Groups that an iteration of the linear programme goes through in a work unit, about. */
  private static final long GROUPS_A_UNIT = 50;

  private final int ops;
  private final List<List<ConvexGroup>> circles = new ArrayList<>();

  GroupCover(int ops) {
    NativeLibraries.load();
    this.ops = ops;
  }

  /** Groups of which at least one has to be left out from now on. */
  void keepApart(List<ConvexGroup> circle) {
    circles.add(circle);
  }

  /**
   * An optimum of the linear programme.
   *
   * @param bound no cover costs less
   * @param shares by group of the pool, how much of it is chosen
   * @param reduced by group of the pool, its cost less the prices of its members, a price being
   *     what covering an op is worth: a cover with the group costs at least {@code bound + reduced}
   */
  record Relaxation(double bound, double[] shares, double[] reduced) {}

  /**
   * Solves the linear programme over a pool, by the groups' least costs. Its bound is worked out
   * again from the prices, so that it holds whatever their rounding errors; null without an answer.
   */
  Relaxation relaxed(List<ConvexGroup> pool, RunControl control) {
    MPSolver solver = MPSolver.createSolver("GLOP");
    MPConstraint[] covered = new MPConstraint[ops];
    Arrays.setAll(covered, p -> solver.makeConstraint(1, 1));
    MPVariable[] chosen = new MPVariable[pool.size()];
    Map<ConvexGroup, Integer> index = new HashMap<>();
    MPObjective objective = solver.objective();
    for (int k = 0; k < chosen.length; k++) {
      ConvexGroup group = pool.get(k);
      index.put(group, k);
      chosen[k] = solver.makeNumVar(0, MPSolver.infinity(), "");
      objective.setCoefficient(chosen[k], group.lower);
      for (int member : group.members) {
        covered[member].setCoefficient(chosen[k], 1);
      }
    }
    MPConstraint[] apart = new MPConstraint[circles.size()];
    for (int c = 0; c < apart.length; c++) {
      apart[c] = solver.makeConstraint(-MPSolver.infinity(), circles.get(c).size() - 1);
      for (ConvexGroup group : circles.get(c)) {
        if (index.containsKey(group)) {
          apart[c].setCoefficient(chosen[index.get(group)], 1);
        }
      }
    }
    objective.setMinimization();
    boolean solved = solver.solve() == MPSolver.ResultStatus.OPTIMAL;
    control.did((1 + solver.iterations()) * (1 + pool.size() / GROUPS_A_UNIT));
    if (!solved) {
      solver.delete();
      return null;
    }
    double[] prices = new double[ops];
    double bound = 0;
    for (int p = 0; p < ops; p++) {
      prices[p] = covered[p].dualValue();
      bound += prices[p];
    }
    double[] reduced = new double[chosen.length];
    double[] shares = new double[chosen.length];
    for (int k = 0; k < chosen.length; k++) {
      shares[k] = chosen[k].solutionValue();
      reduced[k] = pool.get(k).lower;
      for (int member : pool.get(k).members) {
        reduced[k] -= prices[member];
      }
    }
    for (int c = 0; c < apart.length; c++) {
      double price = Math.min(0, apart[c].dualValue());
      bound += price * (circles.get(c).size() - 1);
      for (ConvexGroup group : circles.get(c)) {
        if (index.containsKey(group)) {
          reduced[index.get(group)] -= price;
        }
      }
    }
    for (double each : reduced) {
      bound += Math.min(0, each);
    }
    solver.delete();
    return new Relaxation(bound, shares, reduced);
  }

  /** The cheapest cover found in whole groups, or null; none below the limit is below the bound. */
  record Whole(List<ConvexGroup> groups, double bound) {}

  /** The cheapest cover in whole groups below a limit, without groups of infinite cost. */
  Whole whole(
      List<ConvexGroup> pool,
      ToDoubleFunction<ConvexGroup> cost,
      double below,
      RunControl control) {
    CpModel model = new CpModel();
    List<ConvexGroup> admitted =
        pool.stream().filter(group -> cost.applyAsDouble(group) < below).toList();
    Map<ConvexGroup, BoolVar> chosen = new HashMap<>();
    List<List<Literal>> covering =
        Stream.<List<Literal>>generate(ArrayList::new).limit(ops).toList();
    BoolVar[] choices = new BoolVar[admitted.size()];
    long[] costs = new long[choices.length];
    for (int k = 0; k < choices.length; k++) {
      ConvexGroup group = admitted.get(k);
      choices[k] = model.newBoolVar("");
      chosen.put(group, choices[k]);
      costs[k] = (long) Math.floor(cost.applyAsDouble(group) * PARTS);
      for (int member : group.members) {
        covering.get(member).add(choices[k]);
      }
    }
    covering.forEach(model::addExactlyOne);
    for (List<ConvexGroup> circle : circles) {
      if (circle.stream().allMatch(chosen::containsKey)) {
        model.addBoolOr(
            circle.stream().map(group -> chosen.get(group).not()).toArray(Literal[]::new));
      }
    }
    LinearExpr total = LinearExpr.weightedSum(choices, costs);
    model.addLessOrEqual(total, (long) Math.ceil(below * PARTS) - 1);
    model.minimize(total);
    CpSatRun.Result result = CpSatRun.solve(model, control, Double.MAX_VALUE);
    if (!result.hasSolution()) {
      return new Whole(null, result.isInfeasible() ? below : 0);
    }
    List<ConvexGroup> groups =
        IntStream.range(0, choices.length)
            .filter(k -> result.solver().booleanValue(choices[k]))
            .mapToObj(k -> admitted.get(k))
            .toList();
    return new Whole(groups, result.bound(0) / PARTS);
  }
}

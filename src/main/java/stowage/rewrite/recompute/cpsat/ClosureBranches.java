package stowage.rewrite.recompute.cpsat;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.model.BranchCertificate;
import stowage.rewrite.recompute.model.BranchCertificate.Branch;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.FractionalSplits;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * Branch and bound on how often ops run again within periods of {@link ClosureRows}, with the
 * linear programme for bounds, warm started with the last basis. The search branches in the open
 * case with the smallest bound, on the most fractional number of runs, weighted by cost. Many
 * stretches of periods have such a number: where one period is asked for, a part of a run may move
 * to another one; where all are, it may stay in parts. So the shortest and the longest stretch are
 * tried, and the one of which more is proven is kept.
 */
public final class ClosureBranches {
  /** Scores below this one are none, and so much apart the same. */
  private static final double LITTLE = 1e-6;

  /** Each case begins at a basis that is feasible for the dual. */
  private static final String SIMPLEX = "use_dual_simplex: true use_preprocessing: false";

  /** Splits that are added where the linear programme finds nothing missing. */
  private static final int MORE = 2;

  /** A case, its linear programme's value and what may be asked next. */
  private static final class Node {
    private final List<Branch> path;
    private final double value;
    private final double[] multipliers;
    private final double[] variables;
    private final List<Branch> next;
    private Branch asked;
    private List<Node> cases = List.of();

    private Node(
        List<Branch> path,
        double value,
        double[] multipliers,
        double[] variables,
        List<Branch> next) {
      this.path = path;
      this.value = value;
      this.multipliers = multipliers;
      this.variables = variables;
      this.next = next;
    }
  }

  private final RecomputeProblem problem;
  private final long below;
  private final ClosureLinear linear;

  /** The open case that proves least. */
  private Node least;

  private final Map<Branch, MPConstraint> rows = new HashMap<>();

  private ClosureBranches(
      RecomputeProblem problem, long limit, long below, int[] marks, int[] splits) {
    this.problem = problem;
    this.below = below;
    this.linear = new ClosureLinear(problem, true, true);
    ClosureRows.visit(problem, limit, marks, splits, linear);
  }

  /**
   * A proof.
   *
   * @param splits those it was made with and more, chosen by the case that proves least
   */
  public record Found(BranchCertificate certificate, int[] splits) {}

  /**
   * A proof by cases; null when the solver found no multipliers in time.
   *
   * @param below only sequences with less extra cost are asked for
   * @param marks ops, ascending
   * @param splits ops, ascending
   */
  public static Found solve(
      RecomputeProblem problem,
      long limit,
      long below,
      int[] marks,
      int[] splits,
      RunControl control,
      double seconds) {
    ClosureBranches search = new ClosureBranches(problem.below(below), limit, below, marks, splits);
    Node root = search.run(control.within(seconds));
    search.linear.solver.delete();
    if (root == null) {
      return null;
    }
    Node least = search.least;
    ClosureCertificate rows = new ClosureCertificate(marks, splits, new double[0], below);
    int[] more = FractionalSplits.more(problem, limit, rows, least.variables);
    if (more.length == splits.length) {
      int[] sequence = ClosureRows.sequence(search.problem, splits, k -> least.variables[k] > 0.5);
      more = ClosureRows.splits(search.problem, splits, sequence, MORE);
    }
    return new Found(new BranchCertificate(marks, splits, below, search.tree(root)), more);
  }

  private BranchCertificate.Case tree(Node node) {
    if (node.cases.isEmpty()) {
      int rows = linear.size() + node.path.size();
      return BranchCertificate.Case.leaf(Arrays.copyOf(node.multipliers, rows));
    }
    Branch asked = node.asked;
    List<BranchCertificate.Case> cases = node.cases.stream().map(one -> tree(one)).toList();
    return new BranchCertificate.Case(null, asked.first(), asked.count(), asked.most(), cases);
  }

  private Node run(RunControl time) {
    PriorityQueue<Node> open =
        new PriorityQueue<>(Comparator.comparingDouble((Node node) -> node.value));
    Node root = solve(List.of(), time);
    least = root;
    for (Node node = root; node != null && node.value * linear.price < below; ) {
      least = node;
      for (Branch branch : node.next) {
        List<Node> cases = cases(node, branch, time);
        if (!cases.isEmpty() && (node.cases.isEmpty() || least(cases) > least(node.cases))) {
          node.asked = branch;
          node.cases = cases;
        }
      }
      open.addAll(node.cases);
      node = node.cases.isEmpty() || time.isStopped() ? null : open.remove();
    }
    return root;
  }

  /** Both cases of a branch; none where one proves no more than both of an earlier branch. */
  private List<Node> cases(Node node, Branch branch, RunControl time) {
    List<Node> known = node.cases;
    boolean manyFirst = !known.isEmpty() && known.get(1).value < known.get(0).value;
    Node first = solve(path(node, branch, manyFirst), time);
    if (first == null
        || (!known.isEmpty() && first.value < known.get(manyFirst ? 1 : 0).value + LITTLE)) {
      return List.of();
    }
    Node second = solve(path(node, branch, !manyFirst), time);
    if (second == null) {
      return List.of();
    }
    return manyFirst ? List.of(second, first) : List.of(first, second);
  }

  private static List<Branch> path(Node node, Branch branch, boolean more) {
    List<Branch> path = new ArrayList<>(node.path);
    path.add(new Branch(branch.first(), branch.count(), branch.most(), more));
    return path;
  }

  /** What both cases prove, and a little of the better one. */
  private static double least(List<Node> cases) {
    double few = cases.get(0).value;
    double many = cases.get(1).value;
    return Math.min(few, many) + LITTLE * Math.max(few, many);
  }

  /** The linear programme of a case; null where it is not solved in time. */
  private Node solve(List<Branch> path, RunControl time) {
    rows.values().forEach(row -> row.setBounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
    for (Branch branch : path) {
      rows.computeIfAbsent(branch, this::row).setLb(branch.least());
    }
    MPSolver.ResultStatus status = Glop.solve(linear.solver, time, 1e6, SIMPLEX);
    if (status == MPSolver.ResultStatus.ABNORMAL) {
      status = Glop.solve(linear.solver, time, 1e6, "");
    }
    if (status != MPSolver.ResultStatus.OPTIMAL) {
      return null;
    }
    double value = linear.solver.objective().value();
    double[] variables = linear.values();
    return new Node(path, value, multipliers(path), variables, branches(variables));
  }

  private MPConstraint row(Branch branch) {
    MPConstraint row = linear.solver.makeConstraint();
    for (int k = 0; k < branch.count(); k++) {
      row.setCoefficient(linear.variables.get(branch.first() + k), branch.weight());
    }
    return row;
  }

  private double[] multipliers(List<Branch> path) {
    double[] all = linear.multipliers();
    double[] both = Arrays.copyOf(all, all.length + path.size());
    for (int k = 0; k < path.size(); k++) {
      both[all.length + k] = Math.max(0, rows.get(path.get(k)).dualValue()) * linear.price;
    }
    return both;
  }

  /** What may be asked next: the shortest stretch of the largest score and the longest. */
  private List<Branch> branches(double[] solution) {
    Branch shortest = null;
    Branch longest = null;
    double most = LITTLE;
    for (int v = 0; v < problem.ops; v++) {
      for (int from = linear.firstRun[v]; from < linear.firstRun[v + 1]; from++) {
        double sum = 0;
        for (int to = from; to < linear.firstRun[v + 1]; to++) {
          sum += solution[to];
          double score = Math.abs(sum - Math.rint(sum)) * problem.cost[v] / linear.price;
          Branch one = new Branch(from, to + 1 - from, (int) Math.floor(sum), false);
          if (score > most + LITTLE) {
            most = score;
            shortest = one;
            longest = one;
          } else if (score > most - LITTLE && shortest != null) {
            shortest = one.count() < shortest.count() ? one : shortest;
            longest = one.count() > longest.count() ? one : longest;
          }
        }
      }
    }
    if (shortest == null) {
      return List.of();
    }
    return shortest.equals(longest) ? List.of(shortest) : List.of(shortest, longest);
  }
}

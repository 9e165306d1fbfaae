package stowage.rewrite.recompute.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A proof of a least extra cost by cases. Each node of a tree asks how many of some variables of
 * {@link ClosureRows} that follow each other are 1, such as how often an op runs again within some
 * periods: at most so many, or more. A choice of 0 and 1 that satisfies all rows satisfies the row
 * of one of these two cases as well. A leaf has multipliers of the rows, then of the cases that
 * lead to it, and proves what a {@link ClosureCertificate} of all these rows proves.
 *
 * @param marks the ops of which rows are taken, ascending
 * @param splits the ops that split the times of runs, ascending
 * @param below as in {@link ClosureCertificate}
 */
public record BranchCertificate(int[] marks, int[] splits, long below, Case root)
    implements ExtraCertificate {

  /**
   * A node of the tree.
   *
   * @param multipliers of a leaf; null where there are cases
   * @param first the first variable asked for
   * @param count how many of them are
   * @param most the largest number of them in the first case
   * @param cases that of at most so many and that of more; none of a leaf
   */
  public record Case(double[] multipliers, int first, int count, int most, List<Case> cases) {
    public static Case leaf(double[] multipliers) {
      return new Case(multipliers, 0, 0, 0, List.of());
    }

    private Map<String, Object> fields() {
      if (cases.isEmpty()) {
        return Map.of("multipliers", ClosureCertificate.fields(multipliers));
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("first", first);
      fields.put("count", count);
      fields.put("most", most);
      fields.put("cases", cases.stream().map(Case::fields).toList());
      return fields;
    }
  }

  /**
   * A row that holds in a case.
   *
   * @param more whether more than {@code most} of the variables are 1, not as many or fewer
   */
  public record Branch(int first, int count, int most, boolean more) {
    /** The least weighted sum that the row asks for. */
    public int least() {
      return more ? most + 1 : -most;
    }

    public int weight() {
      return more ? 1 : -1;
    }

    private ClosureRows.Row row() {
      int[] variables = new int[count];
      Arrays.setAll(variables, k -> first + k);
      long[] weights = new long[count];
      Arrays.fill(weights, weight());
      return new ClosureRows.Row(least(), variables, weights);
    }
  }

  /**
   * The least that is proven of a leaf. O(leaves * marks * reads) operations on big numbers.
   *
   * @throws IllegalArgumentException when a leaf has not the form of a proof, or a node has not two
   *     cases of variables that there are
   */
  @Override
  public long bound(RecomputeProblem problem, long limit) {
    return bound(root, List.of(), problem, limit);
  }

  private long bound(Case at, List<ClosureRows.Row> path, RecomputeProblem problem, long limit) {
    if (at.cases.isEmpty()) {
      return new ClosureCertificate(marks, splits, at.multipliers, below)
          .bound(problem, limit, path);
    }
    if (at.cases.size() != 2 || at.first < 0 || at.count < 1) {
      throw new IllegalArgumentException(at.cases.size() + " cases of " + at.count + " variables");
    }
    List<ClosureRows.Row> longer = new ArrayList<>(path);
    longer.add(new Branch(at.first, at.count, at.most, false).row());
    long few = bound(at.cases.get(0), longer, problem, limit);
    longer.set(path.size(), new Branch(at.first, at.count, at.most, true).row());
    return Math.min(few, bound(at.cases.get(1), longer, problem, limit));
  }

  @Override
  public Map<String, Object> fields(RecomputeProblem problem, List<String> ops) {
    Map<String, Object> fields = ClosureCertificate.fields(below, marks, splits, ops);
    fields.put("root", root.fields());
    return fields;
  }
}

package stowage.rewrite.recompute.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Splits for the periods of {@link ClosureRows}, chosen by a solution of the linear programme. An
 * op that has to run again before a split, and again after it in the same period, pays for two
 * runs; without the split one run, or parts of it, pay for both. The split for which the solution
 * has most cost missing is the next one.
 */
public final class FractionalSplits implements ClosureRows.Sink {
  /** Variables below this much are taken to be 0. */
  private static final double LITTLE = 1e-6;

  private final RecomputeProblem problem;
  private final double[] solution;

  /** The first variable of runs of each op, and the times at which its periods begin. */
  private final int[] firstRun;

  private final int[][] begins;
  private final List<Integer> valueOf = new ArrayList<>();

  /** What has to run of each op before each split, within the period that it splits; and after. */
  private final double[][] before;

  private final double[][] after;
  private int mark;
  private boolean gathering;
  private int runs;

  private FractionalSplits(RecomputeProblem problem, double[] solution) {
    this.problem = problem;
    this.solution = solution;
    this.firstRun = new int[problem.ops];
    this.begins = new int[problem.ops][0];
    this.before = new double[problem.ops][problem.ops];
    this.after = new double[problem.ops][problem.ops];
  }

  /**
   * Splits with one more op than a certificate; the same where nothing is missing. O(marks * ops *
   * reads).
   *
   * @param solution a value for each variable of the certificate's rows; null for none
   */
  public static int[] more(
      RecomputeProblem problem, long limit, ClosureCertificate certificate, double[] solution) {
    int[] splits = certificate.splits();
    if (solution == null) {
      return splits;
    }
    FractionalSplits found = new FractionalSplits(problem, solution);
    ClosureRows.visit(
        problem.below(certificate.below()), limit, certificate.marks(), splits, found);
    double most = LITTLE;
    int best = -1;
    for (int d = 0; d < problem.ops; d++) {
      double missing = 0;
      for (int v = 0; v < d && Arrays.binarySearch(splits, d) < 0; v++) {
        double both = found.before[d][v] + found.after[d][v] - found.runs(v, found.period(v, d));
        boolean twice = Math.min(found.before[d][v], found.after[d][v]) > LITTLE;
        missing += twice ? problem.cost[v] * Math.max(0, both) : 0;
      }
      best = missing > most ? d : best;
      most = Math.max(most, missing);
    }
    IntStream added = best < 0 ? IntStream.empty() : IntStream.of(best);
    return IntStream.concat(Arrays.stream(splits), added).sorted().toArray();
  }

  @Override
  public void run(int op, int from) {
    firstRun[op] = begins[op].length == 0 ? runs : firstRun[op];
    begins[op] = Arrays.copyOf(begins[op], begins[op].length + 1);
    begins[op][begins[op].length - 1] = from;
    runs++;
  }

  @Override
  public void variable(long price, int value) {
    valueOf.add(value);
  }

  @Override
  public void mark(int op, boolean gathers) {
    mark = op;
    gathering = gathers;
  }

  @Override
  public void row(boolean ofBytes, long least, int[] variables, long[] weights, int terms) {
    if (!ofBytes || gathering) {
      return;
    }
    double[] absent = new double[problem.values];
    double[] there = new double[problem.values];
    for (int k = 0; k < terms; k++) {
      (weights[k] > 0 ? absent : there)[valueOf.get(variables[k])] = solution[variables[k]];
    }
    for (int d = mark + 1; d < problem.ops; d++) {
      before(d, absent, there);
    }
    for (int v = 0; v <= mark; v++) {
      double needed = 0;
      for (int i : problem.writes[v]) {
        needed = Math.max(needed, absent[i]);
      }
      int period = period(v, mark);
      int from = needed > LITTLE && period >= 0 ? begins[v][period] / 2 : mark;
      for (int d = from + 1; d <= mark; d++) {
        after[d][v] = Math.max(after[d][v], needed);
      }
    }
  }

  /** What has to run again between the mark and a split. */
  private void before(int d, double[] absent, double[] there) {
    double[] needs = new double[mark + 1];
    for (int v = mark; v >= 0; v--) {
      for (int i : problem.writes[v]) {
        int next = problem.nextUse(i, mark);
        needs[v] = next > mark && next <= d ? Math.max(needs[v], absent[i]) : needs[v];
      }
      if (needs[v] <= LITTLE) {
        continue;
      }
      for (int i : problem.reads[v]) {
        int next = problem.nextUse(i, mark);
        int maker = problem.maker[i];
        if (maker >= 0 && next != mark) {
          double own = next < 0 ? needs[v] - there[i] : next > d ? needs[v] + absent[i] - 1 : 0;
          needs[maker] = Math.max(needs[maker], own);
        }
      }
      int last = period(v, d);
      double rest = needs[v];
      for (int k = Math.max(0, period(v, mark)); k < last; k++) {
        rest -= runs(v, k);
      }
      before[d][v] = Math.max(before[d][v], rest);
    }
  }

  /** The period of an op that a split at an op divides or begins in; -1 for none. */
  private int period(int op, int split) {
    int at = Arrays.binarySearch(begins[op], 2 * split);
    return at < 0 ? -at - 2 : at;
  }

  private double runs(int op, int period) {
    return period < 0 ? 0 : solution[firstRun[op] + period];
  }
}

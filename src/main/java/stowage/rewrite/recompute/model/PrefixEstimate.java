package stowage.rewrite.recompute.model;

import java.util.Arrays;
import java.util.List;

/**
 * What a certificate of {@link ClosureRows} says of the beginning of a sequence, up to a number of
 * first computations, when some values are needed after it. The rows of marks before it hold for
 * the beginning alone. A value that is touched later and is not needed may be absent for nothing:
 * its rows are left out, and its absence counts in full in the marks' rows of bytes. So each number
 * of first computations has a sum, and one more for each value that is needed. Multipliers are
 * rounded to fractions of a power of two and sums are exact.
 */
public final class PrefixEstimate {
  private final int shift;
  private final long all;

  /** What is proven of so many first computations where no value is needed. */
  private final long[] base;

  /** How much more is proven where a value is needed. */
  private final long[][] needed;

  /** An estimate by a certificate of the problem. O(rows * their terms + ops * values). */
  public PrefixEstimate(RecomputeProblem problem, long limit, ClosureCertificate certificate) {
    ClosureTerms terms = new ClosureTerms(problem, limit, certificate);
    this.shift = Math.max(0, terms.shift);
    this.all = terms.price.stream().mapToLong(cost -> cost).sum();
    this.base = new long[problem.ops + 1];
    this.needed = new long[problem.ops + 1][];
    if (terms.shift >= 0) {
      sum(problem, terms);
    }
  }

  private void sum(RecomputeProblem problem, ClosureTerms terms) {
    long[] surplus = new long[terms.price.size()];
    long[] own = new long[problem.values];
    long asked = 0;
    int mark = 0;
    for (int done = 1; done <= problem.ops; done++) {
      for (int[] touched : List.of(problem.reads[done - 1], problem.writes[done - 1])) {
        for (int i : touched) {
          own[i] = 0;
        }
      }
      for (; mark < terms.rows.size() && terms.rows.get(mark).op() == done - 1; mark++) {
        List<ClosureTerms.Row> ofMark = terms.rows.get(mark).rows();
        asked += mark(terms, ofMark, surplus, own);
        long factor = ofMark.get(ofMark.size() - 1).scaled(shift);
        for (int i = 0; i < problem.values; i++) {
          own[i] += staysAfter(problem, i, done - 1) ? factor * problem.bytes[i] : 0;
        }
      }
      long paid = 0;
      for (int one = 0; one < terms.runs.size(); one++) {
        long more = surplus[one] - (terms.price.get(one) << shift);
        paid += terms.runs.get(one)[1] <= 2 * done ? Math.max(0, more) : 0;
      }
      needed[done] = own.clone();
      base[done] = asked - paid - Arrays.stream(own).sum();
    }
  }

  /** Whether a value is touched after an op, not by it, and cannot return: it has no variable. */
  private static boolean staysAfter(RecomputeProblem problem, int value, int op) {
    int[] users = problem.users[value];
    boolean later = problem.kept[value] || users.length > 0 && users[users.length - 1] > op;
    boolean now =
        problem.maker[value] == op
            || problem.maker[value] < 0 && op == 0
            || Arrays.binarySearch(users, op) >= 0;
    return problem.maker[value] < op && later && !now && !problem.returns(value, op);
  }

  /** Adds a mark's rows; what they ask for, less what variables of the mark alone have above 0. */
  private long mark(ClosureTerms terms, List<ClosureTerms.Row> ofMark, long[] surplus, long[] own) {
    long asked = 0;
    for (ClosureTerms.Row one : ofMark) {
      long multiplier = one.scaled(shift);
      for (int t = 0; t < one.variables().length; t++) {
        surplus[one.variables()[t]] += multiplier * one.weights()[t];
      }
      asked += multiplier * one.least();
    }
    ClosureTerms.Row bytes = ofMark.get(ofMark.size() - 1);
    for (int t = 0; t < bytes.variables().length; t++) {
      if (bytes.weights()[t] > 0) {
        long whole = bytes.scaled(shift) * bytes.weights()[t];
        int variable = bytes.variables()[t];
        own[terms.valueOf.get(variable)] += whole - Math.max(0, surplus[variable]);
      }
    }
    for (ClosureTerms.Row one : ofMark) {
      for (int variable : one.variables()) {
        if (variable >= terms.runs.size()) {
          asked -= Math.max(0, surplus[variable]);
          surplus[variable] = 0;
        }
      }
    }
    return asked;
  }

  /**
   * The least extra cost of so many first computations, with values (a bit for each) there after
   * them; {@link Long#MAX_VALUE} where it is proven that there is no way.
   */
  public long cost(int done, long[] values) {
    long sum = base[done];
    long[] more = needed[done];
    for (int w = 0; w < values.length && more != null; w++) {
      for (long rest = values[w]; rest != 0; rest &= rest - 1) {
        sum += more[w * 64 + Long.numberOfTrailingZeros(rest)];
      }
    }
    long cost = sum <= 0 ? 0 : ((sum - 1) >> shift) + 1;
    return cost > all ? Long.MAX_VALUE : cost;
  }
}

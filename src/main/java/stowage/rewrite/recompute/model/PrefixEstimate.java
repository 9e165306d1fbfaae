package stowage.rewrite.recompute.model;

import java.util.ArrayList;
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
public final class PrefixEstimate implements ClosureRows.Sink {
  /** Bits of the sums. */
  private static final int BITS = 60;

  private record Row(boolean ofBytes, long least, int[] variables, long[] weights, double factor) {}

  private final ClosureCertificate certificate;
  private final List<Long> price = new ArrayList<>();
  private final List<Integer> valueOf = new ArrayList<>();
  private final List<Integer> begins = new ArrayList<>();
  private List<List<Row>> rows = new ArrayList<>(List.of(new ArrayList<>()));
  private int row;
  private int shift;
  private long all;

  /** What is proven of so many first computations where no value is needed. */
  private final long[] base;

  /** How much more is proven where a value is needed. */
  private final long[][] needed;

  /**
   * An estimate for a problem and limit. O(rows * their terms + ops * values).
   *
   * @param certificate of this problem
   */
  public PrefixEstimate(RecomputeProblem problem, long limit, ClosureCertificate certificate) {
    this.certificate = certificate;
    this.base = new long[problem.ops + 1];
    this.needed = new long[problem.ops + 1][];
    ClosureRows.visit(problem, limit, certificate.marks(), certificate.splits(), this);
    sum(problem);
    rows = null;
  }

  @Override
  public void run(int op, int begin) {
    begins.add(begin);
  }

  @Override
  public void variable(long cost, int value) {
    price.add(cost);
    all += cost;
    valueOf.add(value);
  }

  @Override
  public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
    double factor = certificate.multipliers()[row++];
    if (factor > 0 || ofBytes) {
      int[] variables = Arrays.copyOf(listed, terms);
      rows.get(rows.size() - 1)
          .add(new Row(ofBytes, least, variables, Arrays.copyOf(weights, terms), factor));
    }
    if (ofBytes) {
      rows.add(new ArrayList<>());
    }
  }

  private void sum(RecomputeProblem problem) {
    double size = price.stream().mapToDouble(cost -> cost).sum() + 1;
    for (List<Row> ofMark : rows) {
      for (Row one : ofMark) {
        double weights = Arrays.stream(one.weights).mapToDouble(Math::abs).sum();
        size += one.factor * (Math.abs(one.least) + weights);
      }
    }
    shift = BITS - Math.getExponent(size) - 1;
    int[] marks = certificate.marks();
    long[] surplus = new long[price.size()];
    long[] own = new long[problem.values];
    long asked = 0;
    int mark = 0;
    for (int done = 1; shift >= 0 && done <= problem.ops; done++) {
      for (int[] touched : List.of(problem.reads[done - 1], problem.writes[done - 1])) {
        for (int i : touched) {
          own[i] = 0;
        }
      }
      if (mark < marks.length && marks[mark] == done - 1) {
        asked += mark(rows.get(mark), surplus, own);
        long factor =
            (long) Math.scalb(rows.get(mark).get(rows.get(mark).size() - 1).factor, shift);
        for (int i = 0; i < problem.values; i++) {
          own[i] += staysAfter(problem, i, done - 1) ? factor * problem.bytes[i] : 0;
        }
        mark++;
      }
      long paid = 0;
      for (int one = 0; one < begins.size(); one++) {
        long more = surplus[one] - (price.get(one) << shift);
        paid += begins.get(one) < done ? Math.max(0, more) : 0;
      }
      needed[done] = own.clone();
      base[done] = asked - paid - Arrays.stream(own).sum();
    }
    shift = Math.max(0, shift);
  }

  /**
   * Whether a value is touched after an op, not by it, and cannot come back: it has no variable.
   */
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
  private long mark(List<Row> ofMark, long[] surplus, long[] own) {
    long asked = 0;
    for (Row one : ofMark) {
      long multiplier = (long) Math.scalb(one.factor, shift);
      for (int t = 0; t < one.variables.length; t++) {
        surplus[one.variables[t]] += multiplier * one.weights[t];
      }
      asked += multiplier * one.least;
    }
    Row bytes = ofMark.get(ofMark.size() - 1);
    for (int t = 0; t < bytes.variables.length; t++) {
      if (bytes.weights[t] > 0) {
        long whole = (long) Math.scalb(bytes.factor, shift) * bytes.weights[t];
        own[valueOf.get(bytes.variables[t])] += whole - Math.max(0, surplus[bytes.variables[t]]);
      }
    }
    for (Row one : ofMark) {
      for (int variable : one.variables) {
        if (variable >= begins.size()) {
          asked -= Math.max(0, surplus[variable]);
          surplus[variable] = 0;
        }
      }
    }
    return asked;
  }

  /**
   * The least extra cost of so many first computations, with values there after them; {@link
   * Long#MAX_VALUE} where more is proven than all runs cost together, so that there is no way.
   *
   * @param values a bit for each
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

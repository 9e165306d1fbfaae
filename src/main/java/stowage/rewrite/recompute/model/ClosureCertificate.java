package stowage.rewrite.recompute.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A proof by multipliers of {@link ClosureRows} that every sequence within a limit whose first
 * computations keep the order costs at least so much extra: with multipliers of 0 or more, extra
 * &gt;= sum of multiplier * what the row asks for - sum over variables of max(0, sum of multiplier
 * * weight - price), since variables are at most 1. Any multipliers are valid. They are taken as
 * the fractions that they are, so nothing is rounded.
 *
 * @param marks the ops of which rows are taken, ascending
 * @param splits the ops that split the times of runs, ascending
 * @param multipliers one for each row, in the order of the rows
 * @param below sequences that cost so much more or above are left aside: in the others no op of
 *     that cost runs again; {@link Long#MAX_VALUE} for none
 */
public record ClosureCertificate(int[] marks, int[] splits, double[] multipliers, long below)
    implements ExtraCertificate {

  /**
   * The extra cost that is proven, 0 at least, rounded up to a multiple of what all costs are
   * multiples of; {@code below} at most. More than all variables cost together proves that no
   * sequence is within the limit. O(marks * reads) operations on big numbers.
   *
   * @throws IllegalArgumentException when a multiplier is below 0 or no number, marks or splits do
   *     not ascend or there are more or fewer multipliers than rows
   */
  @Override
  public long bound(RecomputeProblem given, long limit) {
    return bound(given, limit, List.of());
  }

  /** The same of sequences that satisfy more rows, whose multipliers follow those of the rows. */
  long bound(RecomputeProblem given, long limit, List<ClosureRows.Row> more) {
    check(marks, given.ops);
    check(splits, given.ops);
    RecomputeProblem problem = given.below(below);
    Sum sum = new Sum();
    ClosureRows.visit(problem, limit, marks, splits, sum);
    try {
      for (ClosureRows.Row row : more) {
        sum.row(false, row.least(), row.variables(), row.weights(), row.variables().length);
      }
    } catch (IndexOutOfBoundsException outside) {
      throw new IllegalArgumentException("a case of no variables", outside);
    }
    if (sum.row != multipliers.length) {
      throw new IllegalArgumentException(
          multipliers.length + " multipliers for " + sum.row + " rows");
    }
    BigDecimal proven = sum.proven();
    if (proven.signum() <= 0) {
      return 0;
    }
    if (proven.compareTo(sum.all) > 0) {
      return below;
    }
    BigInteger least = proven.setScale(0, RoundingMode.CEILING).toBigInteger();
    return ExtraCertificate.rounded(least, problem, below);
  }

  /**
   * The ops of some that are marks whose bytes count in the proof, or next to one: rows of the
   * other marks say nothing without theirs. O(marks * reads).
   */
  public int[] binding(RecomputeProblem given, long limit, int[] some) {
    boolean[] counted = new boolean[given.ops + 2];
    ClosureRows.Sink rows =
        new ClosureRows.Sink() {
          private int op;
          private int row;

          @Override
          public void mark(int mark, boolean gathering) {
            op = mark;
          }

          @Override
          public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
            if (multipliers[row++] > 0 && ofBytes) {
              Arrays.fill(counted, op, op + 3, true);
            }
          }
        };
    ClosureRows.visit(given.below(below), limit, marks, splits, rows);
    return Arrays.stream(some).filter(mark -> counted[mark + 1]).toArray();
  }

  private static void check(int[] chosen, int ops) {
    for (int k = 0; k < chosen.length; k++) {
      if (chosen[k] <= (k == 0 ? -1 : chosen[k - 1]) || chosen[k] >= ops) {
        throw new IllegalArgumentException("ops " + Arrays.toString(chosen));
      }
    }
  }

  @Override
  public Map<String, Object> fields(RecomputeProblem problem, List<String> ops) {
    Map<String, Object> fields = fields(below, marks, splits, ops);
    fields.put("multipliers", fields(multipliers));
    return fields;
  }

  static Map<String, Object> fields(long below, int[] marks, int[] splits, List<String> ops) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("orders", "given");
    fields.put("below", below);
    fields.put("marks", Arrays.stream(marks).mapToObj(ops::get).toList());
    fields.put("splits", Arrays.stream(splits).mapToObj(ops::get).toList());
    return fields;
  }

  static List<Map<String, Object>> fields(double[] multipliers) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int row = 0; row < multipliers.length; row++) {
      if (multipliers[row] > 0) {
        rows.add(new TreeMap<>(Map.of("row", row, "multiplier", multipliers[row])));
      }
    }
    return rows;
  }

  /** Weighted sum of the rows. */
  private final class Sum implements ClosureRows.Sink {
    private BigDecimal asked = BigDecimal.ZERO;
    private BigDecimal all = BigDecimal.ZERO;
    private final List<BigDecimal> surplus = new ArrayList<>();
    private int row;

    @Override
    public void variable(long price, int value) {
      surplus.add(BigDecimal.valueOf(-price));
      all = all.add(BigDecimal.valueOf(price));
    }

    @Override
    public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
      double multiplier = row < multipliers.length ? multipliers[row] : 0;
      row++;
      if (!(multiplier >= 0) || Double.isInfinite(multiplier)) {
        throw new IllegalArgumentException("multiplier " + multiplier + " should be 0 or more");
      }
      if (multiplier == 0) {
        return;
      }
      BigDecimal exact = new BigDecimal(multiplier);
      asked = asked.add(exact.multiply(BigDecimal.valueOf(least)));
      for (int k = 0; k < terms; k++) {
        BigDecimal weighed = exact.multiply(BigDecimal.valueOf(weights[k]));
        surplus.set(listed[k], surplus.get(listed[k]).add(weighed));
      }
    }

    private BigDecimal proven() {
      Stream<BigDecimal> above = surplus.stream().map(one -> one.max(BigDecimal.ZERO));
      return asked.subtract(above.reduce(BigDecimal.ZERO, BigDecimal::add));
    }
  }
}

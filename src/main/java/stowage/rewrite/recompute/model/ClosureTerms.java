package stowage.rewrite.recompute.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a certificate's marks whose multipliers count, with the costs of their variables:
 * what estimates of a part of a sequence are summed from. O(rows * their terms).
 */
public final class ClosureTerms implements ClosureRows.Sink {
  private static final int BITS = 60;

  /** Costs of the variables, those of runs first. */
  public final List<Long> price = new ArrayList<>();

  /** The value of each variable; below 0 for runs. */
  public final List<Integer> valueOf = new ArrayList<>();

  /** The op of each variable of runs, and the time from which on it runs. */
  public final List<int[]> runs = new ArrayList<>();

  /** The rows of each mark, or of gathering for it, that of bytes last. */
  public final List<OfMark> rows = new ArrayList<>();

  /**
   * The power of two that multipliers are rounded to fractions of; below 0 where sums would be too
   * large.
   */
  public final int shift;

  private final double[] multipliers;
  private int row;

  /** The rows of an op, while it is computed or gathered for. */
  public record OfMark(int op, boolean gathering, List<Row> rows) {}

  /** A row with its multiplier. */
  public record Row(long least, int[] variables, long[] weights, double multiplier) {
    /** The multiplier times a power of two. */
    public long scaled(int shift) {
      return (long) Math.scalb(multiplier, shift);
    }
  }

  public ClosureTerms(RecomputeProblem problem, long limit, ClosureCertificate certificate) {
    multipliers = certificate.multipliers();
    ClosureRows.visit(problem, limit, certificate.marks(), certificate.splits(), this);
    double size = price.stream().mapToDouble(cost -> cost).sum() + 1;
    for (OfMark mark : rows) {
      for (Row one : mark.rows) {
        double weights = Arrays.stream(one.weights).mapToDouble(Math::abs).sum();
        size += one.multiplier * (Math.abs(one.least) + weights);
      }
    }
    shift = BITS - Math.getExponent(size) - 1;
  }

  @Override
  public void run(int op, int begin) {
    runs.add(new int[] {op, begin});
  }

  @Override
  public void mark(int op, boolean gathering) {
    rows.add(new OfMark(op, gathering, new ArrayList<>()));
  }

  @Override
  public void variable(long cost, int value) {
    price.add(cost);
    valueOf.add(value);
  }

  @Override
  public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
    double multiplier = multipliers[row++];
    if (multiplier > 0 || ofBytes) {
      int[] variables = Arrays.copyOf(listed, terms);
      rows.get(rows.size() - 1)
          .rows
          .add(new Row(least, variables, Arrays.copyOf(weights, terms), multiplier));
    }
  }
}

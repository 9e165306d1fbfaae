package stowage.rewrite.recompute.cpsat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.Cover;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * Lifted covers that a solution of the linear programme violates. A cover is a set of values that
 * does not fit at a mark, so at least one of them is not held. It is found greedily, by the parts
 * of values that the solution does not hold, each and by the byte; what is not needed is taken out
 * again, and the other values of the row are lifted one after the other: each counts as much as
 * what can be held next to it is less than what can be held without it.
 */
final class CoverCuts implements ClosureRows.Sink {
  /** By how much a solution has to violate a cover. */
  private static final double LEAST = 0.01;

  final List<Cover> covers = new ArrayList<>();

  private final List<ClosureRows.Row> rows = new ArrayList<>();

  /** Covers of the rows for these marks and splits. */
  CoverCuts(RecomputeProblem problem, long limit, int[] marks, int[] splits) {
    ClosureRows.visit(problem, limit, marks, splits, this);
  }

  @Override
  public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
    if (ofBytes) {
      int[] variables = Arrays.copyOf(listed, terms);
      rows.add(new ClosureRows.Row(least, variables, Arrays.copyOf(weights, terms)));
    }
  }

  /** Finds at most one more cover of each row, of which the inequalities are returned. */
  List<ClosureRows.Row> add(double[] solution) {
    List<ClosureRows.Row> added = new ArrayList<>();
    for (int k = 0; k < rows.size(); k++) {
      ClosureRows.Row row = rows.get(k);
      double[] held = new double[row.variables().length];
      Arrays.setAll(
          held,
          n -> {
            double value = solution[row.variables()[n]];
            return row.weights()[n] > 0 ? 1 - value : value;
          });
      Cover each = cover(k, held, n -> 1 - held[n]);
      Cover byBytes = cover(k, held, n -> (1 - held[n]) / Math.abs(row.weights()[n]));
      Cover best = excess(each, k, held) > excess(byBytes, k, held) ? each : byBytes;
      if (excess(best, k, held) > LEAST) {
        covers.add(best);
        added.add(best.of(row.least(), row.variables(), row.weights(), held.length));
      }
    }
    return added;
  }

  private double excess(Cover cover, int row, double[] held) {
    if (cover == null) {
      return Double.NEGATIVE_INFINITY;
    }
    int[] listed = rows.get(row).variables();
    double sum = -cover.most();
    for (int n = 0; n < listed.length; n++) {
      for (int k = 0; k < cover.variables().length; k++) {
        sum += cover.variables()[k] == listed[n] ? cover.counts()[k] * held[n] : 0;
      }
    }
    return sum;
  }

  /** A lifted cover, begun with the values of the least loss; null where all values fit. */
  private Cover cover(int number, double[] held, IntToDoubleFunction loss) {
    ClosureRows.Row row = rows.get(number);
    long[] bytes = Arrays.stream(row.weights()).map(Math::abs).toArray();
    long room = Arrays.stream(row.weights()).filter(one -> one > 0).sum() - row.least();
    int[] byLoss = sorted(held.length, loss);
    boolean[] covers = new boolean[held.length];
    long sum = 0;
    for (int k = 0; k < byLoss.length && sum <= room; k++) {
      covers[byLoss[k]] = true;
      sum += bytes[byLoss[k]];
    }
    if (room < 0 || sum <= room) {
      return null;
    }
    int[] byHeld = sorted(held.length, n -> held[n]);
    for (int n : byHeld) {
      if (covers[n] && sum - bytes[n] > room) {
        covers[n] = false;
        sum -= bytes[n];
      }
    }
    int[] listed = IntStream.range(0, held.length).filter(n -> covers[n]).toArray();
    int most = listed.length - 1;
    long[] fewest = new long[most + 1];
    long[] least = Arrays.stream(listed).mapToLong(n -> bytes[n]).sorted().toArray();
    for (int count = 1; count <= most; count++) {
      fewest[count] = fewest[count - 1] + least[count - 1];
    }
    int[] counts = new int[held.length];
    for (int k = byHeld.length - 1; k >= 0; k--) {
      int n = byHeld[k];
      counts[n] = covers[n] ? 1 : lift(fewest, room - bytes[n], bytes[n]);
    }
    int[] some = IntStream.range(0, held.length).filter(n -> counts[n] > 0).toArray();
    return new Cover(
        number,
        Arrays.stream(some).map(n -> row.variables()[n]).toArray(),
        Arrays.stream(some).map(n -> counts[n]).toArray(),
        most);
  }

  /** What a value counts next to those in the table, to which it is added. */
  private static int lift(long[] fewest, long room, long bytes) {
    int most = fewest.length - 1;
    int fits = most;
    while (fits >= 0 && fewest[fits] > room) {
      fits--;
    }
    int count = most - fits;
    for (int sum = most; count > 0 && sum > 0; sum--) {
      fewest[sum] = Math.min(fewest[sum], fewest[Math.max(0, sum - count)] + bytes);
    }
    return count;
  }

  private static int[] sorted(int count, IntToDoubleFunction key) {
    return IndexOrder.of(IntStream.range(0, count), Comparator.comparingDouble(key::applyAsDouble));
  }
}

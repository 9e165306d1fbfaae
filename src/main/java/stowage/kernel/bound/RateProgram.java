package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Linear program over rates of caches, by which {@link MomentTraffic} prices what is live: the
 * rates of sum 1 for which the least load, the sum over caches of rate x part of the capacity that
 * is live, is largest over the cuts given.
 *
 * <p>Solved from its dual, the mixture of cuts (weights of sum 1) whose fullest cache is least
 * full, by the primal simplex method on a dense tableau of one row a cache and one for the sum. The
 * mixture shows where to branch. Numbers are doubles: any rates give a valid bound, which is
 * computed from them in whole numbers. Not thread-safe.
 */
final class RateProgram {
  private static final int MOST_PIVOTS = 400;
  private static final double EPSILON = 1e-10;

  private final int caches;
  private final List<double[]> loads = new ArrayList<>();

  /** The rates found by the last {@link #solve}. */
  double[] rates;

  /** The weight of each cut in the mixture, in the order they were added. */
  double[] mixture;

  /** How full the fullest cache is in the mixture: no rates bound the cuts given by more. */
  double value;

  RateProgram(int caches) {
    this.caches = caches;
  }

  void clear() {
    loads.clear();
  }

  /** Adds a cut by the part of each cache's capacity that is live in it. */
  void add(double[] load) {
    loads.add(load);
  }

  /** Solves for the cuts given, of which there is one at least. */
  void solve() {
    int cuts = loads.size();
    int fullest = cuts; // column of how full the fullest cache is; then the room of each
    int columns = cuts + 1 + caches;
    double[][] table = new double[caches + 1][columns + 1];
    double[] cost = new double[columns + 1];
    cost[fullest] = 1;
    int[] basis = new int[caches + 1];
    double[] first = loads.get(0);
    int most = 0;
    for (int c = 0; c < caches; c++) {
      for (int j = 0; j < cuts; j++) {
        table[c][j] = loads.get(j)[c] - first[c]; // less the first cut's times the last row
      }
      table[c][fullest] = -1;
      table[c][fullest + 1 + c] = 1;
      table[c][columns] = -first[c];
      basis[c] = fullest + 1 + c;
      most = first[c] > first[most] ? c : most;
    }
    Arrays.fill(table[caches], 0, cuts, 1);
    table[caches][columns] = 1;
    basis[caches] = 0;
    pivot(table, cost, basis, most, fullest);
    for (int step = 0; step < MOST_PIVOTS; step++) {
      int in = entering(cost, columns, step > MOST_PIVOTS / 4);
      int out = in < 0 ? -1 : leaving(table, basis, in, columns);
      if (out < 0) {
        break;
      }
      pivot(table, cost, basis, out, in);
    }
    rates = new double[caches];
    for (int c = 0; c < caches; c++) {
      rates[c] = Math.max(0, Math.min(1, cost[fullest + 1 + c]));
    }
    mixture = new double[cuts];
    for (int r = 0; r <= caches; r++) {
      if (basis[r] < cuts) {
        mixture[basis[r]] = table[r][columns];
      }
    }
    value = -cost[columns];
  }

  private static int entering(double[] cost, int columns, boolean first) {
    int in = -1;
    double least = -EPSILON;
    for (int j = 0; j < columns; j++) {
      if (cost[j] < least) {
        in = j;
        least = cost[j];
        if (first) { // Bland's rule: no cycle
          return in;
        }
      }
    }
    return in;
  }

  private static int leaving(double[][] table, int[] basis, int in, int columns) {
    int out = -1;
    double least = Double.MAX_VALUE;
    for (int r = 0; r < table.length; r++) {
      if (table[r][in] > EPSILON) {
        double ratio = table[r][columns] / table[r][in];
        if (ratio < least - 1e-13 || ratio <= least && out >= 0 && basis[r] < basis[out]) {
          out = r;
          least = ratio;
        }
      }
    }
    return out;
  }

  private static void pivot(double[][] table, double[] cost, int[] basis, int out, int in) {
    double[] row = table[out];
    double scale = 1 / row[in];
    for (int j = 0; j < row.length; j++) {
      row[j] *= scale;
    }
    for (int r = 0; r < table.length; r++) {
      if (r != out) {
        subtract(table[r], row, table[r][in]);
      }
    }
    subtract(cost, row, cost[in]);
    basis[out] = in;
  }

  private static void subtract(double[] from, double[] row, double times) {
    if (times != 0) {
      for (int j = 0; j < from.length; j++) {
        from[j] -= times * row[j];
      }
    }
  }
}

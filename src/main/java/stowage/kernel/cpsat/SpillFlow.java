package stowage.kernel.cpsat;

import com.google.ortools.graph.MinCostFlow;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.exact.cpsat.NativeLibraries;
import stowage.kernel.spill.SpillProblem;
import stowage.packing.IndexOrder;

/**
 * The relaxation of a {@link SpillProblem} in which gaps are kept in part, as a minimum-cost flow.
 *
 * <p>Capacity flows along the rows; where a gap is kept, part of it takes the gap's arc past the
 * rows that the gap covers. With nodes 0 to rows (node r before row r), room C_r, and arcs r to r +
 * 1 of cost 0 for what stays idle, node r receives C_r - C_(r-1); a gap's arc from node from + 1 to
 * node to has the gap's cells as capacity and minus its rate as cost. The constraint matrix has
 * consecutive ones, so this is the linear relaxation exactly, and with equal sizes the flow is the
 * optimum itself (Belady's problem with prices).
 *
 * <p>The prices of the rows are read off the flow's potentials and checked by {@link
 * SpillProblem#bound}; gaps that are kept in part are dropped and then filled in greedily.
 */
public final class SpillFlow {
  private SpillFlow() {}

  /** Solves the relaxation and rounds it. */
  public static SpillProblem.GapAnswer solve(SpillProblem problem) {
    int gaps = problem.gaps();
    int rows = problem.rows();
    if (gaps == 0) {
      return new SpillProblem.GapAnswer(new boolean[0], 0, 0);
    }
    NativeLibraries.load();
    MinCostFlow flow = new MinCostFlow();
    long most = Arrays.stream(problem.room()).max().orElse(0);
    for (int r = 0; r < rows; r++) {
      flow.addArcWithCapacityAndUnitCost(r, r + 1, most, 0);
    }
    for (int g = 0; g < gaps; g++) {
      flow.addArcWithCapacityAndUnitCost(
          problem.from()[g] + 1, problem.to()[g], problem.cells(g), -problem.rate(g));
    }
    for (int r = 0; r <= rows; r++) {
      long here = r < rows ? problem.room()[r] : 0;
      long before = r > 0 ? problem.room()[r - 1] : 0;
      flow.setNodeSupply(r, here - before);
    }
    boolean[] kept = new boolean[gaps];
    if (flow.solve() != MinCostFlow.Status.OPTIMAL) {
      problem.fill(kept);
      return new SpillProblem.GapAnswer(kept, problem.traffic(kept), 0);
    }
    for (int g = 0; g < gaps; g++) {
      kept[g] = flow.getFlow(rows + g) == problem.cells(g);
    }
    problem.fill(kept);
    long bound = problem.bound(prices(problem, flow));
    return new SpillProblem.GapAnswer(kept, problem.traffic(kept), bound);
  }

  /** Row prices from shortest paths in what the flow leaves free, by sweeps to and fro. */
  private static int[] prices(SpillProblem problem, MinCostFlow flow) {
    int rows = problem.rows();
    int gaps = problem.gaps();
    int[] distance = new int[rows + 1];
    IntStream all = IntStream.range(0, gaps);
    int[] byStart = IndexOrder.of(all, Comparator.comparingInt(g -> problem.from()[g]));
    all = IntStream.range(0, gaps);
    int[] byEnd = IndexOrder.of(all, Comparator.comparingInt(g -> problem.to()[g]));
    boolean changed = true;
    for (int sweep = 0; changed && sweep < 4 * rows + 4; sweep++) {
      changed = false;
      int at = 0;
      for (int r = 0; r < rows; r++) {
        for (; at < gaps && problem.from()[byStart[at]] + 1 <= r; at++) {
          int g = byStart[at];
          changed |= relax(problem, flow, distance, g, rows, true);
        }
        if (distance[r + 1] > distance[r]) {
          distance[r + 1] = distance[r];
          changed = true;
        }
      }
      at = gaps - 1;
      for (int r = rows; r > 0; r--) {
        for (; at >= 0 && problem.to()[byEnd[at]] >= r; at--) {
          changed |= relax(problem, flow, distance, byEnd[at], rows, false);
        }
        if (flow.getFlow(r - 1) > 0 && distance[r - 1] > distance[r]) {
          distance[r - 1] = distance[r];
          changed = true;
        }
      }
    }
    int[] lambda = new int[rows];
    Arrays.setAll(lambda, r -> Math.max(0, distance[r] - distance[r + 1]));
    return lambda;
  }

  private static boolean relax(
      SpillProblem problem, MinCostFlow flow, int[] distance, int g, int rows, boolean forward) {
    int from = problem.from()[g] + 1;
    int to = problem.to()[g];
    long through = flow.getFlow(rows + g);
    if (forward) {
      if (through < problem.cells(g) && distance[to] > distance[from] - problem.rate(g)) {
        distance[to] = distance[from] - problem.rate(g);
        return true;
      }
    } else if (through > 0 && distance[from] > distance[to] + problem.rate(g)) {
      distance[from] = distance[to] + problem.rate(g);
      return true;
    }
    return false;
  }
}

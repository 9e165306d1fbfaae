package stowage.compiler.tflite;

import java.util.Arrays;
import java.util.Comparator;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.compiler.core.ReusedObjects;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * TensorFlow Lite GPU's shared objects by a flow of least cost.
 *
 * <p>Each tensor either starts an object, at the cost of its size, or follows a tensor that is over
 * before it starts in that one's object, at the cost of what it is larger by; each tensor is
 * followed by at most one. The cheapest choice is an assignment of n tensors to n + n places, found
 * here by augmenting along shortest paths with potentials (Hungarian method, Kuhn 1955, doi
 * 10.1002/nav.3800020109), where the original sends flow along shortest paths found by a queue:
 * both give least cost, ties may fall otherwise. The cost is an estimate: growth counts from the
 * tensor before, not from the object.
 *
 * <p>O(n³) time at worst; refused beyond {@value #LARGEST} buffers.
 *
 * @see <a
 *     href="https://github.com/tensorflow/tensorflow/blob/7cccfef75a7c9f1f2325c074667799f67bc99a1b/tensorflow/lite/delegates/gpu/common/memory_management/min_cost_flow_assignment.cc">tensorflow/tensorflow@7cccfef7:min_cost_flow_assignment.cc</a>
 */
public final class TfliteGpuMinCostFlow extends ListRule {
  private static final int LARGEST = 1_200;

  public TfliteGpuMinCostFlow() {
    super(
        "tflite-gpu-min-cost-flow",
        Planner.Kind.OBJECTS,
        "as of 2025",
        "TensorFlow Lite GPU: shared objects by a flow of least growth");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int n = all.count();
    if (n > LARGEST) {
      throw new NotPlannableException(
          name() + " takes the cube of the buffers' number; " + n + " are more than " + LARGEST);
    }
    int[] follows = assignment(all);
    int[] order = all.sorted(Comparator.comparingInt(r -> all.start[r]));
    ReusedObjects objects = new ReusedObjects(all);
    for (int r : order) {
      objects.assign(r, follows[r] >= 0 ? objects.of(follows[r]) : objects.add(all.size[r]));
    }
    return objects.endToEnd();
  }

  /** For each tensor the one it follows, or -1. Columns 0..n-1 are tensors, n+r a new object. */
  private static int[] assignment(HullList all) {
    int n = all.count();
    int columns = 2 * n;
    long[] rowPotential = new long[n + 1];
    long[] columnPotential = new long[columns + 1];
    int[] rowOf = new int[columns + 1];
    int[] way = new int[columns + 1];
    for (int row = 1; row <= n; row++) {
      rowOf[0] = row;
      int column = 0;
      long[] least = new long[columns + 1];
      Arrays.fill(least, Long.MAX_VALUE);
      boolean[] used = new boolean[columns + 1];
      do {
        used[column] = true;
        int current = rowOf[column];
        long delta = Long.MAX_VALUE;
        int next = -1;
        for (int c = 1; c <= columns; c++) {
          if (used[c]) {
            continue;
          }
          long cost = cost(all, current - 1, c - 1);
          if (cost >= 0) {
            long reduced = cost - rowPotential[current] - columnPotential[c];
            if (reduced < least[c]) {
              least[c] = reduced;
              way[c] = column;
            }
          }
          if (least[c] < delta) {
            delta = least[c];
            next = c;
          }
        }
        for (int c = 0; c <= columns; c++) {
          if (used[c]) {
            rowPotential[rowOf[c]] += delta;
            columnPotential[c] -= delta;
          } else if (least[c] != Long.MAX_VALUE) {
            least[c] -= delta;
          }
        }
        column = next;
      } while (rowOf[column] != 0);
      while (column != 0) {
        int previous = way[column];
        rowOf[column] = rowOf[previous];
        column = previous;
      }
    }
    int[] follows = new int[n];
    Arrays.fill(follows, -1);
    for (int c = 1; c <= n; c++) {
      if (rowOf[c] != 0) {
        follows[rowOf[c] - 1] = c - 1;
      }
    }
    return follows;
  }

  /** What it costs that a tensor takes a column; -1 where it may not. */
  private static long cost(HullList all, int tensor, int column) {
    if (column >= all.count()) {
      return column - all.count() == tensor ? all.size[tensor] : -1;
    }
    return all.end[column] <= all.start[tensor]
        ? Math.max(0, all.size[tensor] - all.size[column])
        : -1;
  }
}

package stowage.compiler.tflite;

import java.util.Arrays;
import java.util.Comparator;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.CasePlanner;
import stowage.compiler.core.Rectangles;
import stowage.heuristic.Fit;
import stowage.heuristic.OrderPlacer;
import stowage.liveness.PlanningCase;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * TensorFlow Lite Micro's greedy planner.
 *
 * <p>Source: tensorflow/tflite-micro,
 * tensorflow/lite/micro/memory_planner/greedy_memory_planner.cc. Order: buffers planned offline
 * (fixed offsets) first, as added; the others by size descending, and of equal ones the later added
 * first, for the original fills its array from the tail and sorts it by a stable bubble sort. Rule:
 * the lowest gap among the placed buffers alive at the same time.
 *
 * <p>Example: a [0, 2), b [1, 3), c [2, 4), all of 8 bytes. The order is c, b, a: c at 0, b at 8, a
 * at 0. The other way round a and c would change places, which here costs nothing; ties decide
 * where sizes repeat.
 *
 * <p>Sizes are rounded up to the problem's alignment beforehand; the original's callers round to 16
 * (a guess). O(n log n) and the overlapping pairs, where the original takes O(n²).
 */
public final class TflmGreedy implements CasePlanner {

  @Override
  public String name() {
    return "tflm";
  }

  @Override
  public String summary() {
    return "TensorFlow Lite Micro: largest first, later of equal ones first, lowest gap";
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    Rectangles all = Rectangles.of(name(), planningCase.problem(), Rectangles.Word.FIXED);
    Integer[] order = all.fileOrder();
    Arrays.sort(
        order,
        Comparator.comparingLong((Integer r) -> -all.size[r])
            .thenComparing(Comparator.reverseOrder()));
    int[] sorted = Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    Placement placement = OrderPlacer.inOrder(all.asProblem(), sorted, Fit.FIRST, control);
    return CasePlan.arena(all.placement(placement.offsets()));
  }
}

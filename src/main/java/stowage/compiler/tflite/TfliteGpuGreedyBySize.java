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
 * Pisarchyk and Lee's greedy by size with offsets, as TensorFlow Lite's GPU delegate has it.
 *
 * <p>Source: Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference (2020,
 * arXiv:2001.03288); tensorflow/lite/delegates/gpu/common/memory_management/
 * greedy_by_size_assignment.cc. Order: size descending, ties in file order (an assumption; the
 * original leaves them to std::sort). Rule: the smallest gap between placed tensors alive at the
 * same time that holds it, the lowest of equal ones; else above the last. Ends are aligned, here by
 * rounding the sizes up. O(n log n) and the overlapping pairs.
 */
public final class TfliteGpuGreedyBySize implements CasePlanner {

  @Override
  public String name() {
    return "tflite-gpu-greedy-by-size";
  }

  @Override
  public String summary() {
    return "Pisarchyk and Lee: largest first, tightest gap";
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    Rectangles all = Rectangles.of(name(), planningCase.problem());
    Integer[] order = all.fileOrder();
    Arrays.sort(order, Comparator.comparingLong(r -> -all.size[r]));
    int[] sorted = Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    Placement placement = OrderPlacer.inOrder(all.asProblem(), sorted, Fit.BEST, control);
    return CasePlan.arena(all.placement(placement.offsets()));
  }
}

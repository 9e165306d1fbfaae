package stowage.compiler.tflite;

import java.util.Comparator;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.liveness.PlanningCase;
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
 *
 * @see <a
 *     href="https://github.com/tensorflow/tensorflow/blob/bff4d71358240ea68845c58a937cbef402ef02b4/tensorflow/lite/delegates/gpu/common/memory_management/greedy_by_size_assignment.cc">tensorflow/tensorflow@bff4d713:greedy_by_size_assignment.cc</a>
 */
public final class TfliteGpuGreedyBySize extends ListRule {
  /** The planner. */
  public TfliteGpuGreedyBySize() {
    super(
        "tflite-gpu-greedy-by-size",
        "as of 2025",
        "Pisarchyk and Lee: largest first, tightest gap");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] order = all.sorted(Comparator.comparingLong(r -> -all.size[r]));
    return all.placedInOrder(order, Fit.BEST, control);
  }
}

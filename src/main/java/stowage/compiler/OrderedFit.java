package stowage.compiler;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * Planners of real systems that are an order and a fit: buffers are placed one by one, each into a
 * gap between those placed before it that are alive at the same time, or above them all. A new one
 * is one more constant. O(n log n) and the overlapping pairs.
 */
public final class OrderedFit extends ListRule {
  /**
   * Pisarchyk and Lee's greedy by size with offsets, as TensorFlow Lite's GPU delegate has it.
   *
   * <p>Source: Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference (2020,
   * arXiv:2001.03288); tensorflow/lite/delegates/gpu/common/memory_management/
   * greedy_by_size_assignment.cc. Order: size descending, ties in file order (an assumption; the
   * original leaves them to std::sort). Rule: the smallest gap, the lowest of equal ones. Ends are
   * aligned, here by rounding the sizes up.
   *
   * @see <a
   *     href="https://github.com/tensorflow/tensorflow/blob/bff4d71358240ea68845c58a937cbef402ef02b4/tensorflow/lite/delegates/gpu/common/memory_management/greedy_by_size_assignment.cc">tensorflow/tensorflow@bff4d713:greedy_by_size_assignment.cc</a>
   */
  public static final OrderedFit TFLITE_GPU_GREEDY_BY_SIZE =
      new OrderedFit(
          "tflite-gpu-greedy-by-size",
          "as of 2025",
          "Pisarchyk and Lee: largest first, tightest gap",
          1,
          Fit.BEST,
          (given, all) -> Comparator.comparingLong(r -> -all.size[r]));

  /**
   * The greedy allocator of Vela, the compiler for Arm's Ethos-U.
   *
   * <p>Order: first step ascending, last step descending; ties in file order. Rule: an online
   * allocator. Before each buffer those that ended earlier are freed; the buffer takes the tightest
   * gap between the live ones, by what is from the unaligned end of one to the start of the next,
   * the lowest of equal ones. Of those placed before, the live ones are those alive with it.
   *
   * <p>Example: a 8 bytes [0, 4), b 4 bytes [0, 2), c 4 bytes [2, 4): a comes first for it ends
   * last and is at 0, b above it at 8; b is freed, c takes 8.
   *
   * @see <a
   *     href="https://github.com/nxp-imx/ethos-u-vela/blob/bc6ee58dbbd50fe83adfb1726c868898e5cfb491/ethosu/vela/greedy_allocation.py">nxp-imx/ethos-u-vela@bc6ee58d:greedy_allocation.py</a>
   */
  public static final OrderedFit VELA_GREEDY =
      new OrderedFit(
          "vela-greedy",
          "as of December 2023",
          "Vela's greedy allocator: by start, online, tightest gap",
          1,
          Fit.BEST,
          (given, all) ->
              Comparator.comparingInt((Integer r) -> all.start[r])
                  .thenComparingInt(r -> -all.end[r]));

  /**
   * IREE's layout of slices in a transient allocation.
   *
   * <p>Order: as the slices are in the program, here file order; they are not sorted. Rule:
   * TensorFlow Lite's best fit ({@link stowage.compiler.tflite.TfliteArena}), whose comparison is
   * the usual one here, for sizes and offsets are multiples of 16 bytes, the default of a
   * resource's alignments. Sizes known only at run time, which the original bins by equal symbol,
   * do not occur here.
   *
   * @see <a
   *     href="https://github.com/iree-org/iree/blob/0781072a/compiler/src/iree/compiler/Dialect/Stream/Transforms/LayoutSlices.cpp">iree-org/iree@0781072a:LayoutSlices.cpp</a>
   */
  public static final OrderedFit IREE =
      new OrderedFit(
          "iree",
          "as of February 2025",
          "IREE: in program order, tightest gap",
          16,
          Fit.BEST,
          (given, all) -> Comparator.naturalOrder());

  /**
   * nntrainer's third planner, by gaps between live buffers.
   *
   * <p>Order: first step, then last step, ties in file order (the original's sort is not stable).
   * Rule: what is over is dropped; the <em>lowest</em> gap between the live buffers that holds the
   * buffer takes it. Of those placed before, the live ones are those alive with it.
   *
   * <p>Example: with live buffers at [4, 8) and [10, 12) a buffer of 2 bytes goes to 0, not to the
   * tighter gap at 8.
   *
   * @see <a
   *     href="https://github.com/nnstreamer/nntrainer/blob/65dccdec/nntrainer/tensor/optimized_v3_planner.cpp">nnstreamer/nntrainer@65dccdec:optimized_v3_planner.cpp</a>
   */
  public static final OrderedFit NNTRAINER_V3 =
      new OrderedFit(
          "nntrainer-v3",
          "as of December 2025",
          "nntrainer's third planner: by start, lowest gap between live buffers",
          1,
          Fit.FIRST,
          (given, all) ->
              Comparator.comparingInt((Integer r) -> all.start[r])
                  .thenComparingInt(r -> all.end[r]));

  /**
   * ONNX Simplifier's plan of activations, which it writes for code generators.
   *
   * <p>Order: size descending, then name as text, so that "10" is before "2"; values that share
   * memory in place go by the name of the last of them. Rule: the smallest gap from 0 on, the
   * lowest of equal ones. No alignment of its own. What is in place, and whether inputs are kept to
   * the end, is what the case says.
   *
   * <p>Example: "b" and "a" of 4 bytes in the file's order, alive together: "a" is at 0, "b" at 4.
   *
   * @see <a
   *     href="https://github.com/take-cheeze/onnx-simplifier/blob/6a0b405781efb60309c8ff6a5be10f038fb78838/onnxsim/memory_planning.cpp">take-cheeze/onnx-simplifier@6a0b4057:memory_planning.cpp</a>
   */
  public static final OrderedFit ONNXSIM =
      new OrderedFit(
          "onnxsim",
          "since September 2026",
          "ONNX Simplifier: largest first, equal ones by name, tightest gap",
          1,
          Fit.BEST,
          (given, all) ->
              Comparator.comparingLong((Integer r) -> -all.size[r])
                  .thenComparing(r -> lastName(given, all, r)));

  private final long granule;
  private final Fit fit;
  private final BiFunction<PlanningCase, HullList, Comparator<Integer>> order;

  private OrderedFit(
      String name,
      String version,
      String summary,
      long granule,
      Fit fit,
      BiFunction<PlanningCase, HullList, Comparator<Integer>> order) {
    super(name, version, summary);
    this.granule = granule;
    this.fit = fit;
    this.order = order;
  }

  /** The name of the last value in a buffer, the buffer's own where no network says. */
  private static String lastName(PlanningCase given, HullList all, int rectangle) {
    List<String> tensors = given.tensors(all.index(rectangle));
    return tensors.isEmpty() ? all.buffer(rectangle).id() : tensors.get(tensors.size() - 1);
  }

  @Override
  protected long granule(boolean network) {
    return granule;
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    return all.placedInOrder(all.sorted(order.apply(planningCase, all)), fit, control);
  }
}

package stowage.compiler.tflite;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * TensorFlow Lite Micro's greedy planner.
 *
 * <p>Order: buffers planned offline (fixed offsets) first, as added; the others by size descending,
 * and of equal ones the later added first, for the original fills its array from the tail and sorts
 * it by a stable bubble sort. Rule: the lowest gap among the placed buffers alive at the same time.
 *
 * <p>Example: a [0, 2), b [1, 3), c [2, 4), all of 8 bytes. The order is c, b, a: c at 0, b at 8, a
 * at 0. The other way round a and c would change places, which here costs nothing; ties decide
 * where sizes repeat.
 *
 * <p>A network's buffers are added as TFLite Micro adds them: by the index of their tensors, in the
 * order of a network's {@linkplain stowage.network.Network#tensors tensors}, and after those the
 * scratch memory. A list's are added in file order.
 *
 * <p>Sizes are rounded up to the problem's alignment beforehand, as the original's callers round
 * them to 16. O(n log n) and the overlapping pairs, where the original takes O(n²).
 *
 * @see <a
 *     href="https://github.com/tensorflow/tflite-micro/blob/90b983c2/tensorflow/lite/micro/memory_planner/greedy_memory_planner.cc">tensorflow/tflite-micro@90b983c2:greedy_memory_planner.cc</a>
 */
public final class TflmGreedy extends ListRule {

  public TflmGreedy() {
    super(
        "tflm",
        "as of August 2026",
        "TensorFlow Lite Micro: largest first, later of equal ones first, lowest gap");
  }

  @Override
  protected HullList.ConstraintKind[] known() {
    return new HullList.ConstraintKind[] {HullList.ConstraintKind.FIXED};
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] added = added(planningCase, all);
    int[] order =
        all.sorted(
            Comparator.comparingLong((Integer r) -> -all.size[r])
                .thenComparing(Comparator.comparingInt((Integer r) -> added[r]).reversed()));
    return all.placedInOrder(order, Fit.FIRST, control);
  }

  /** When each rectangle's buffer is added: a number that rises in that order. */
  private static int[] added(PlanningCase planningCase, HullList all) {
    int[] added = new int[all.count()];
    Arrays.setAll(added, r -> r);
    if (planningCase.hasNetwork()) {
      Map<String, Integer> index = new HashMap<>();
      planningCase.network().tensors().keySet().forEach(tensor -> index.put(tensor, index.size()));
      for (int r = 0; r < added.length; r++) {
        added[r] =
            planningCase.parts(all.index(r)).stream()
                .mapToInt(part -> index.get(part.tensor()))
                .min()
                .orElse(index.size() + r);
      }
    }
    return added;
  }
}

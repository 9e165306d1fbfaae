package stowage.compiler;

import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * ONNX Simplifier's plan of activations, which it writes for code generators.
 *
 * <p>Order: size descending, then name as text, so that "10" is before "2"; values that share
 * memory in place go by the name of the last of them. Rule: the smallest gap between placed buffers
 * that are alive at the same time, from 0 on, the lowest of equal ones; else above them all. No
 * alignment of its own.
 *
 * <p>Example: "b" and "a" of 4 bytes in the file's order, alive together: "a" is at 0, "b" at 4.
 *
 * <p>What is in place, and whether inputs are kept to the end, is what the case says. O(n log n)
 * and the overlapping pairs.
 *
 * @see <a
 *     href="https://github.com/take-cheeze/onnx-simplifier/blob/6a0b405781efb60309c8ff6a5be10f038fb78838/onnxsim/memory_planning.cpp">take-cheeze/onnx-simplifier@6a0b4057:memory_planning.cpp</a>
 */
public final class Onnxsim extends ListRule {
  /** The planner. */
  public Onnxsim() {
    super(
        "onnxsim",
        "since September 2026",
        "ONNX Simplifier: largest first, equal ones by name, tightest gap");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    Comparator<Integer> largest = Comparator.comparingLong(r -> -all.size[r]);
    int[] order = all.sorted(largest.thenComparing(r -> name(planningCase, all, r)));
    return all.placedInOrder(order, Fit.BEST, control);
  }

  /** The name of the last value in a buffer, the buffer's own where no network says. */
  private static String name(PlanningCase planningCase, HullList all, int rectangle) {
    List<PlanningCase.Part> parts = planningCase.parts(all.index(rectangle));
    return parts.isEmpty() ? all.buffer(rectangle).id() : parts.get(parts.size() - 1).tensor();
  }
}

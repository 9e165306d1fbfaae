package stowage.compiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * nntrainer's first optimised planner, which it uses in every mode: a stack of buffers.
 *
 * <p>Order: first step, then last step, ties in file order (the original's sort is not stable).
 * Rule: buffers on the top of the stack that are over leave it. Then, from the top downwards, the
 * first one that is over and has <em>exactly</em> the size gives its place; without one the buffer
 * goes on top.
 *
 * <p>Example: a 100 bytes [0, 2), b 80 bytes [1, 3), c 60 bytes [2, 4): a is over, but under b and
 * of another size, so c goes to 180.
 *
 * <p>The second planner is the same except for gradients of weights, which no case marks. O(n k)
 * for k on the stack.
 *
 * @see <a
 *     href="https://github.com/nnstreamer/nntrainer/blob/65dccdec/nntrainer/tensor/optimized_v1_planner.cpp">nnstreamer/nntrainer@65dccdec:optimized_v1_planner.cpp</a>
 */
public final class NntrainerV1 extends ListRule {
  public NntrainerV1() {
    super(
        "nntrainer-v1",
        "since October 2021",
        "nntrainer: by start, the place of a dead buffer of the same size, else on top of a stack");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] order =
        all.sorted(
            Comparator.comparingInt((Integer r) -> all.start[r]).thenComparingInt(r -> all.end[r]));
    long[] offsets = new long[order.length];
    List<Integer> stack = new ArrayList<>();
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int own = order[k];
      int top = stack.size() - 1;
      while (top >= 0 && all.end[stack.get(top)] <= all.start[own]) {
        stack.remove(top--);
      }
      int at = top;
      while (at >= 0
          && (all.end[stack.get(at)] > all.start[own]
              || all.size[stack.get(at)] != all.size[own])) {
        at--;
      }
      if (at >= 0) {
        offsets[own] = offsets[stack.set(at, own)];
      } else {
        offsets[own] = top < 0 ? 0 : offsets[stack.get(top)] + all.size[stack.get(top)];
        stack.add(own);
      }
    }
    return CasePlan.arena(all.placement(offsets));
  }
}

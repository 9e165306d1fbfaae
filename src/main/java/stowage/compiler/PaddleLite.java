package stowage.compiler;

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
 * Paddle-Lite's memory optimisation: variables in clusters that never live at the same time.
 *
 * <p>Order: names as text. Rule: the first cluster none of whose members is alive with the variable
 * takes it, else it opens one. Sizes play no part; a cluster has the bytes of its largest member,
 * and clusters are end to end. (The original lets each cluster collect its members before the next
 * is opened, which gives the same clusters.)
 *
 * <p>Example: "a" [0, 5), "b" [1, 3), "c" [5, 7): "a" and "c" are one cluster, "b" is another.
 *
 * <p>Variables of feed, fetch, casts and bodies of loops, which the original leaves out, are
 * planned like others. O(n c) for c clusters.
 *
 * @see <a
 *     href="https://github.com/PaddlePaddle/Paddle-Lite/blob/3d329c95/lite/core/optimizer/mir/memory_optimize_pass.cc">PaddlePaddle/Paddle-Lite@3d329c95:memory_optimize_pass.cc</a>
 */
public final class PaddleLite extends ListRule {
  public PaddleLite() {
    super(
        "paddle-lite",
        Planner.Kind.OBJECTS,
        "as of March 2024",
        "Paddle-Lite: by name, the first cluster that is never alive with it");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] order = all.sorted(Comparator.comparing(r -> all.buffer(r).id()));
    ReusedObjects clusters = new ReusedObjects(all);
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int own = order[k];
      int chosen = 0;
      while (chosen < clusters.count() && !clusters.isFree(chosen, own)) {
        chosen++;
      }
      clusters.assign(own, chosen < clusters.count() ? chosen : clusters.add(0));
    }
    return clusters.endToEnd();
  }
}

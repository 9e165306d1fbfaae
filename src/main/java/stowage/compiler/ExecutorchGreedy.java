package stowage.compiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.ReusedObjects;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * ExecuTorch's greedy memory planning.
 *
 * <p>Source: pytorch/executorch, exir/memory_planning.py (greedy, pick_shared_obj). Order: size
 * descending; the original inserts by bisection and reverses, so that of equal sizes the last in
 * the file comes first (its own order of the file is that of a set). Rule: the first object none of
 * whose members is alive at the same time takes the buffer at its start; else, if overlapping is
 * allowed, the first object in which the buffer fits above the highest end of the members it
 * overlaps; else a new object of the buffer's size. Objects are end to end.
 *
 * <p>Example, sizes 10, 4, 4, all alive together: the first makes an object of 10; the second finds
 * no object free, none with 14 bytes: a new object of 4, and so on. Had the first been alive with
 * the second alone, the third would start at 0 in the first object.
 *
 * <p>O(n²) at worst.
 *
 * @see <a
 *     href="https://github.com/pytorch/executorch/blob/45993dbf11de852731f07c63ac92092f6dbf3469/exir/memory_planning.py">pytorch/executorch@45993dbf:memory_planning.py</a>
 */
public final class ExecutorchGreedy extends ListRule {
  private final boolean overlap;

  /**
   * @param overlap whether members of an object that are alive together may be above each other in
   *     it, as is the default of the original
   */
  public ExecutorchGreedy(boolean overlap) {
    super(
        overlap ? "executorch" : "executorch-shared",
        Planner.Kind.OBJECTS,
        "as of 2025",
        overlap
            ? "ExecuTorch: largest first into shared objects, side by side where they fit"
            : "ExecuTorch: largest first into shared objects, one buffer at a time in each");
    this.overlap = overlap;
  }

  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    return overlap ? PlannerRules.of(planningCase.problem()) : super.rules(planningCase);
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int[] order =
        all.sorted(
            Comparator.comparingLong((Integer r) -> -all.size[r])
                .thenComparing(Comparator.reverseOrder()));
    ReusedObjects objects = new ReusedObjects(all);
    List<List<Integer>> members = new ArrayList<>();
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      put(order[k], all, objects, members);
    }
    return objects.endToEnd();
  }

  private void put(
      int rectangle, HullList all, ReusedObjects objects, List<List<Integer>> members) {
    int free = -1;
    int roomy = -1;
    long above = 0;
    for (int object = 0; object < objects.count() && free < 0; object++) {
      if (objects.isFree(object, rectangle)) {
        free = object;
      } else if (overlap && roomy < 0) {
        long top = 0;
        for (int other : members.get(object)) {
          if (all.overlap(rectangle, other)) {
            top = Math.max(top, objects.offset(other) + all.size[other]);
          }
        }
        if (top + all.size[rectangle] <= objects.size(object)) {
          roomy = object;
          above = top;
        }
      }
    }
    int chosen = free;
    long offset = 0;
    if (free < 0 && roomy >= 0) {
      chosen = roomy;
      offset = above;
    } else if (free < 0) {
      chosen = objects.add(all.size[rectangle]);
      members.add(new ArrayList<>());
    }
    objects.assign(rectangle, chosen, offset);
    members.get(chosen).add(rectangle);
  }
}

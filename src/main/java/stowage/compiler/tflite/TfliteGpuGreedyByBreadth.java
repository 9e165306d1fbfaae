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
import stowage.packing.LoadProfile;
import stowage.packing.RunControl;

/**
 * Pisarchyk and Lee's greedy by breadth over shared objects.
 *
 * <p>Source: Pisarchyk and Lee (2020, arXiv:2001.03288), section 4.3;
 * tensorflow/lite/delegates/gpu/common/memory_management/greedy_by_breadth_assignment.cc. A task's
 * breadth is the sum of the sizes of all tensors alive while it runs. Order: tasks by breadth
 * descending, ties by time; within a task its tensors that have no object yet, by size descending,
 * ties in file order. Rule: of the objects whose tensors are never alive with the new one, the
 * smallest that is large enough; if none is, the largest, which grows; without any a new object.
 * Ties between objects go to the older (an assumption).
 *
 * <p>On a list of buffers a task is a step at which the set of live buffers changes. O(n²).
 *
 * @see <a
 *     href="https://github.com/tensorflow/tensorflow/blob/e4f2b44a7aa560808606e8b661a0337cc5913709/tensorflow/lite/delegates/gpu/common/memory_management/greedy_by_breadth_assignment.cc">tensorflow/tensorflow@e4f2b44a:greedy_by_breadth_assignment.cc</a>
 */
public final class TfliteGpuGreedyByBreadth extends ListRule {
  public TfliteGpuGreedyByBreadth() {
    super(
        "tflite-gpu-greedy-by-breadth",
        Planner.Kind.OBJECTS,
        "as of 2025",
        "Pisarchyk and Lee: broadest task first, its largest tensors into shared objects");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    // A tensor is first met in the broadest of its tasks, so tensors sort by that task.
    long[] breadth = new long[all.count()];
    int[] task = new int[all.count()];
    int[] times = Arrays.stream(all.start).sorted().distinct().toArray();
    LoadProfile profile = LoadProfile.of(all.asProblem());
    long[] load = Arrays.stream(times).mapToLong(profile::loadAt).toArray();
    for (int r = 0; r < all.count(); r++) {
      int from = Arrays.binarySearch(times, all.start[r]);
      for (int t = from; t < times.length && times[t] < all.end[r]; t++) {
        if (t == from || load[t] > breadth[r]) {
          breadth[r] = load[t];
          task[r] = t;
        }
      }
    }
    int[] order =
        all.sorted(
            Comparator.comparingLong((Integer r) -> -breadth[r])
                .thenComparingInt(r -> task[r])
                .thenComparingLong(r -> -all.size[r]));
    ReusedObjects objects = new ReusedObjects(all);
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      int r = order[k];
      int best = -1;
      for (int object = 0; object < objects.count(); object++) {
        if ((best < 0 || better(objects.size(object), objects.size(best), all.size[r]))
            && objects.isFree(object, r)) {
          best = object;
        }
      }
      objects.assign(r, best < 0 ? objects.add(all.size[r]) : best);
    }
    return objects.endToEnd();
  }

  private static boolean better(long candidate, long best, long wanted) {
    return best < wanted ? candidate > best : candidate >= wanted && candidate < best;
  }
}

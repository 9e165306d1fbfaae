package stowage.compiler.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.compiler.core.ReusedObjects;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * TensorFlow Lite GPU's greedy by size with priority by distance, over shared objects.
 *
 * <p>Source: tensorflow/lite/delegates/gpu/common/memory_management/ greedy_by_size_assignment.cc
 * (GreedyBySizeDistPriorityAssignment), after Pisarchyk and Lee (2020, arXiv:2001.03288).
 * <b>Position.</b> The tensors alive at a task, by size descending, have positions 0, 1, ...; the
 * positional maximum of a position is the largest size that is there at any task. A tensor's
 * position is the last whose maximum is at least its size. <b>Choice.</b> Repeatedly the tensor of
 * the least position is taken, of these the one with the least distance in tasks to a tensor of an
 * object that is never alive with it, of these the largest, of these the first in the file. It goes
 * into the nearest such object, which grows if need be, the older of equally near ones; if there is
 * none it makes an object. No object at all counts as infinitely far. How ties fall is an
 * assumption.
 *
 * <p>n rounds of O(n) each, O(n²) in all except for searches again, and O(n · objects) memory.
 *
 * @see <a
 *     href="https://github.com/tensorflow/tensorflow/blob/bff4d71358240ea68845c58a937cbef402ef02b4/tensorflow/lite/delegates/gpu/common/memory_management/greedy_by_size_assignment.cc">tensorflow/tensorflow@bff4d713:greedy_by_size_assignment.cc</a>
 */
public final class TfliteGpuSizeDistance extends ListRule {
  private static final int LARGEST = 8_000;

  public TfliteGpuSizeDistance() {
    super(
        "tflite-gpu-size-distance",
        Planner.Kind.OBJECTS,
        "as of 2025",
        "TensorFlow Lite GPU: by positional size, nearest in time into shared objects");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    int n = all.count();
    if (n > LARGEST) {
      throw new NotPlannableException(
          name() + " looks at all pairs of buffers repeatedly; " + n + " are more than " + LARGEST);
    }
    int[] position = positions(all);
    int[] times = Arrays.stream(all.start).sorted().distinct().toArray();
    List<long[]> distances = new ArrayList<>();
    long[] nearest = new long[n];
    int[] best = new int[n];
    Arrays.fill(nearest, Long.MAX_VALUE);
    Arrays.fill(best, -1);
    boolean[] done = new boolean[n];
    ReusedObjects objects = new ReusedObjects(all);
    for (int round = 0; round < n; round++) {
      NotPlannableException.throwIfStopped(control, round, n);
      int chosen = -1;
      for (int r = 0; r < n; r++) {
        if (!done[r] && (chosen < 0 || before(r, chosen, position, nearest, all))) {
          chosen = r;
        }
      }
      done[chosen] = true;
      int object = best[chosen];
      if (object < 0) {
        object = objects.add(all.size[chosen]);
        long[] far = new long[n];
        Arrays.fill(far, Long.MAX_VALUE);
        distances.add(far);
      }
      objects.assign(chosen, object);
      long[] toObject = distances.get(object);
      for (int r = 0; r < n; r++) {
        if (done[r] || toObject[r] < 0) {
          continue;
        }
        toObject[r] =
            all.overlap(r, chosen) ? -1 : Math.min(toObject[r], distance(all, times, r, chosen));
        boolean olderAsNear = toObject[r] == nearest[r] && object < best[r];
        if (toObject[r] >= 0 && (toObject[r] < nearest[r] || olderAsNear)) {
          nearest[r] = toObject[r];
          best[r] = object;
        } else if (best[r] == object) {
          recompute(r, distances, nearest, best);
        }
      }
    }
    return objects.endToEnd();
  }

  private static void recompute(int r, List<long[]> distances, long[] nearest, int[] best) {
    nearest[r] = Long.MAX_VALUE;
    best[r] = -1;
    for (int object = 0; object < distances.size(); object++) {
      long distance = distances.get(object)[r];
      if (distance >= 0 && distance < nearest[r]) {
        nearest[r] = distance;
        best[r] = object;
      }
    }
  }

  private static boolean before(int a, int b, int[] position, long[] nearest, HullList all) {
    if (position[a] != position[b]) {
      return position[a] < position[b];
    }
    return nearest[a] != nearest[b] ? nearest[a] < nearest[b] : all.size[a] > all.size[b];
  }

  /** Tasks between the end of one tensor and the start of the other. */
  private static long distance(HullList all, int[] times, int a, int b) {
    int earlier = all.start[a] < all.start[b] ? a : b;
    int later = earlier == a ? b : a;
    int last = Arrays.binarySearch(times, all.end[earlier]);
    int lastTask = (last >= 0 ? last : -last - 1) - 1;
    return Arrays.binarySearch(times, all.start[later]) - lastTask;
  }

  private static int[] positions(HullList all) {
    int[] byStart = all.sorted(Comparator.comparingInt(r -> all.start[r]));
    List<Long> maxima = new ArrayList<>();
    List<Integer> live = new ArrayList<>();
    for (int k = 0; k < byStart.length; k++) {
      int now = all.start[byStart[k]];
      live.removeIf(r -> all.end[r] <= now);
      live.add(byStart[k]);
      if (k + 1 < byStart.length && all.start[byStart[k + 1]] == now) {
        continue;
      }
      List<Integer> profile = new ArrayList<>(live);
      profile.sort(Comparator.comparingLong(r -> -all.size[r]));
      for (int p = 0; p < profile.size(); p++) {
        if (p == maxima.size()) {
          maxima.add(0L);
        }
        maxima.set(p, Math.max(maxima.get(p), all.size[profile.get(p)]));
      }
    }
    int[] position = new int[all.count()];
    for (int r = 0; r < position.length; r++) {
      while (position[r] + 1 < maxima.size() && maxima.get(position[r] + 1) >= all.size[r]) {
        position[r]++;
      }
    }
    return position;
  }
}

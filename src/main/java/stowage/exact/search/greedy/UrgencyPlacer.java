package stowage.exact.search.greedy;

import java.util.Arrays;
import java.util.SplittableRandom;
import stowage.exact.presolve.Component;
import stowage.exact.search.model.PrimitiveSort;
import stowage.packing.RangeMaximum;
import stowage.packing.RunControl;

/**
 * First fit in the order of urgency: buffers whose live range meets the largest load come first,
 * larger ones before smaller. What ends above the target is bumped towards the front of the order
 * by a random factor, and all is placed again.
 *
 * <p>Traces of real networks have few sections that are truly full, and once those are packed first
 * the rest falls into place: a few rounds often reach the max load exactly. A round is quadratic at
 * worst, with a small constant. Honours every kind of constraint, windows as full pieces.
 *
 * <p>Where not one but several sections are all but full, what is live in most of them must come
 * first: it then is without holes in each of them, while size alone would put the short live ranges
 * of one section between those of another, at heights that odd sizes keep from ever being equal.
 * Example: x of 48 bytes is live in two sections of load 100, with a of 50 and c of 2 bytes in the
 * first, b of 49 and d of 3 in the second. By size x comes to be on a, one byte is lost between it
 * and b, and d ends at 101; with x first both sections end at 100. How many sections count as all
 * but full is for the caller to vary: {@link #restart}.
 */
final class UrgencyPlacer {
  private final Component problem;
  private final SplittableRandom random;
  private final AddressList placed;
  private final int[] order;
  private final int[] bestOrder;
  private final long[] offsets;
  private long bestPeak = Long.MAX_VALUE;

  UrgencyPlacer(Component problem, long seed) {
    this.problem = problem;
    this.random = new SplittableRandom(seed);
    this.placed = new AddressList(problem);
    this.order = byUrgency(problem, 0);
    this.bestOrder = order.clone();
    this.offsets = new long[problem.count()];
  }

  /**
   * Places all in the present order, then changes the order for the next round.
   *
   * @param target the peak above which buffers are bumped
   * @return the offsets, valid until the next round, or null where the control ended it first or
   *     some buffer has no allowed offset
   */
  long[] round(long target, RunControl control) {
    placed.clear();
    Arrays.fill(offsets, -1);
    for (int buffer = 0; buffer < problem.count(); buffer++) {
      if (problem.fixedOffsets()[buffer] >= 0) {
        offsets[buffer] = placed.firstFit(buffer);
        if (offsets[buffer] < 0) {
          return null;
        }
        placed.insert(buffer, offsets[buffer]);
      }
    }
    int steps = 0;
    for (int buffer : order) {
      if ((++steps & 31) == 0 && control.isStopped()) {
        return null;
      }
      if (offsets[buffer] < 0) {
        offsets[buffer] = placed.firstFit(buffer);
        if (offsets[buffer] < 0) {
          return null;
        }
        placed.insert(buffer, offsets[buffer]);
      }
    }
    long peak = problem.peak(offsets);
    if (peak <= bestPeak) {
      bestPeak = peak;
      System.arraycopy(order, 0, bestOrder, 0, order.length);
    } else if (random.nextInt(3) == 0) {
      System.arraycopy(bestOrder, 0, order, 0, order.length);
    }
    bump(target);
    return offsets;
  }

  /** Goes on from a placement: first fit in the order of its offsets moves nothing up. */
  void adopt(long[] known) {
    Arrays.setAll(order, buffer -> buffer);
    PrimitiveSort.byKey(order, order.length, known);
    System.arraycopy(order, 0, bestOrder, 0, order.length);
    bestPeak = problem.peak(known);
  }

  /**
   * Begins with a fresh order, of those first that live through most of the fullest sections; the
   * best order so far stays known.
   *
   * @param fullest how many sections count as the fullest, at least 1
   */
  void restart(int fullest) {
    System.arraycopy(byUrgency(problem, fullest), 0, order, 0, order.length);
  }

  private void bump(long target) {
    long[] priority = new long[problem.count()];
    for (int place = 0; place < order.length; place++) {
      int buffer = order[place];
      boolean above = offsets[buffer] + problem.sizes()[buffer] > target;
      priority[buffer] = above ? (long) (place * random.nextDouble()) : place;
    }
    PrimitiveSort.byKey(order, order.length, priority);
  }

  private static int[] byUrgency(Component problem, int fullest) {
    int count = problem.count();
    long[] sectionLoads = problem.loads();
    int[] covered = fullestBefore(sectionLoads, fullest);
    RangeMaximum loads = new RangeMaximum(sectionLoads);
    int[] order = new int[count];
    long[] key = new long[count];
    Arrays.setAll(order, buffer -> buffer);
    Arrays.setAll(key, buffer -> -problem.sizes()[buffer]);
    PrimitiveSort.byKey(order, count, key);
    for (int buffer = 0; buffer < count; buffer++) {
      long largest = 0;
      for (int p = problem.firstSpans()[buffer]; p < problem.firstSpans()[buffer + 1]; p++) {
        largest = Math.max(largest, loads.max(problem.spanStarts()[p], problem.spanEnds()[p]));
      }
      key[buffer] = -largest;
    }
    PrimitiveSort.byKey(order, count, key);
    for (int buffer = 0; buffer < count; buffer++) {
      key[buffer] = 0;
      for (int p = problem.firstSpans()[buffer]; p < problem.firstSpans()[buffer + 1]; p++) {
        key[buffer] -= covered[problem.spanEnds()[p]] - covered[problem.spanStarts()[p]];
      }
    }
    PrimitiveSort.byKey(order, count, key);
    return order;
  }

  /** How many of the fullest sections are before each section. */
  private static int[] fullestBefore(long[] loads, int fullest) {
    int[] sections = new int[loads.length];
    long[] key = new long[loads.length];
    Arrays.setAll(sections, section -> section);
    Arrays.setAll(key, section -> -loads[section]);
    PrimitiveSort.byKey(sections, sections.length, key);
    int[] before = new int[loads.length + 1];
    for (int k = 0; k < Math.min(fullest, sections.length); k++) {
      before[sections[k] + 1] = 1;
    }
    for (int section = 0; section < loads.length; section++) {
      before[section + 1] += before[section];
    }
    return before;
  }
}

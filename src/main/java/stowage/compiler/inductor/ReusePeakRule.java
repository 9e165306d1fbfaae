package stowage.compiler.inductor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import stowage.compiler.core.HullList;
import stowage.packing.ConflictPairs;

/**
 * Which buffers of one kind PyTorch Inductor's rule on the peak keeps apart, whatever else is
 * reused: an object may not stay idle at a step where its bytes on top of the load exceed the peak.
 *
 * <p>Call such a step hot for a size. Reuse adds bytes to the estimated loads and never takes any
 * away, so a step that is hot by the loads alone stays hot. Let p and q share an object and p be
 * over before q starts, with a hot step t between them. Some buffer of the object must be alive at
 * t, or the one that comes after t would have been refused; it is of their kind and is between
 * them. So p and q are apart when every buffer of their kind that is alive at t, made after p's
 * end, ends only after q's start.
 *
 * <p>Example, loads 4, 8, 4, all buffers of 4 bytes: step 1 is hot. p in step 0 and q in step 2 are
 * apart if the two buffers of step 1 started earlier or end later than that step.
 *
 * <p>O(n m + pairs) for n buffers and m moments at which the load changes; beyond {@value
 * #LARGEST_WORK} the rule is left out.
 */
final class ReusePeakRule {
  private static final long LARGEST_WORK = 20_000_000;

  private final HullList all;
  private final int[] moments;
  private final long[] loads;
  private final long peak;
  private final List<int[]> pairs = new ArrayList<>();

  private ReusePeakRule(HullList all) {
    this.all = all;
    this.moments = all.moments();
    this.loads = new long[moments.length];
    for (int r = 0; r < all.count(); r++) {
      loads[Arrays.binarySearch(moments, all.start[r])] += all.size[r];
      loads[Arrays.binarySearch(moments, all.end[r])] -= all.size[r];
    }
    Arrays.parallelPrefix(loads, Long::sum);
    this.peak = Arrays.stream(loads).max().orElse(0);
  }

  /** The pairs kept apart, by index in a problem, as are kinds; buffers of a kind have one size. */
  static ConflictPairs of(HullList all, int buffers, int[] kinds) {
    ReusePeakRule rule = new ReusePeakRule(all);
    if ((long) all.count() * rule.moments.length > LARGEST_WORK) {
      return ConflictPairs.none();
    }
    Map<Integer, List<Integer>> members = new HashMap<>();
    for (int r = 0; r < all.count(); r++) {
      members.computeIfAbsent(kinds[all.index(r)], kind -> new ArrayList<>()).add(r);
    }
    for (List<Integer> kind : members.values()) {
      kind.sort(Comparator.comparingInt(r -> all.start[r]));
      kind.forEach(p -> rule.keepApart(p, kind));
    }
    return ConflictPairs.of(buffers, rule.pairs);
  }

  /** Adds the pairs of a buffer and those of its kind, by first step, that start after its end. */
  private void keepApart(int p, List<Integer> kind) {
    PriorityQueue<Integer> alive = new PriorityQueue<>(Comparator.comparingInt(r -> all.end[r]));
    int next = 0;
    int apart = 0;
    for (int k = Arrays.binarySearch(moments, all.end[p]); k < moments.length - 1; k++) {
      while (next < kind.size() && all.start[kind.get(next)] <= moments[k]) {
        if (all.start[kind.get(next)] >= all.end[p]) {
          alive.add(kind.get(next));
        }
        next++;
      }
      while (!alive.isEmpty() && all.end[alive.peek()] <= moments[k]) {
        alive.remove();
      }
      if (loads[k] + all.size[p] > peak) {
        // Those that start after this step, but before any that bridges it is over.
        int bridged = alive.isEmpty() ? Integer.MAX_VALUE : all.end[alive.peek()];
        for (apart = Math.max(apart, next);
            apart < kind.size() && all.start[kind.get(apart)] < bridged;
            apart++) {
          pairs.add(new int[] {all.index(p), all.index(kind.get(apart))});
        }
      }
    }
  }
}

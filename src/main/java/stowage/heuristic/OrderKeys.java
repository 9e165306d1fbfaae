package stowage.heuristic;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.IndexOrder;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RangeMaximum;

/** Figures of buffers that orders are made from, and the orders themselves. */
final class OrderKeys {
  private OrderKeys() {}

  /** All buffers sorted by a rule; equal ones keep the order of the file. */
  static int[] sorted(PackingProblem problem, Comparator<Integer> rule) {
    return IndexOrder.of(IntStream.range(0, problem.size()), rule);
  }

  static Comparator<Integer> bySize(PackingProblem problem) {
    return (i, j) -> Long.compare(problem.buffer(j).size(), problem.buffer(i).size());
  }

  static Comparator<Integer> byLifetime(PackingProblem problem) {
    return (i, j) ->
        Long.compare(problem.buffer(j).live().length(), problem.buffer(i).live().length());
  }

  /** Bytes times steps of what is really needed, gaps taken off. */
  static double area(Buffer buffer) {
    double area = 0;
    for (Buffer.Span span : buffer.spans()) {
      area += (double) (span.high() - span.low()) * ((double) span.end() - span.start());
    }
    return area;
  }

  /** How many others each cannot share with, by hulls and extra pairs. O(n log n + pairs). */
  static int[] conflictCounts(PackingProblem problem) {
    long[] starts = new long[problem.size()];
    long[] ends = new long[problem.size()];
    int live = 0;
    for (Buffer buffer : problem.buffers()) {
      if (buffer.needsMemory()) {
        starts[live] = buffer.live().start();
        ends[live++] = buffer.live().end();
      }
    }
    Arrays.sort(starts, 0, live);
    Arrays.sort(ends, 0, live);
    int[] counts = new int[problem.size()];
    for (int i = 0; i < counts.length; i++) {
      Buffer buffer = problem.buffer(i);
      if (!buffer.needsMemory()) {
        continue;
      }
      int begun = lowerBound(starts, live, buffer.live().end());
      int over = lowerBound(ends, live, buffer.live().start() + 1L);
      counts[i] = begun - over - 1 + extraConflicts(problem, i);
    }
    return counts;
  }

  private static int extraConflicts(PackingProblem problem, int buffer) {
    return (int)
        Arrays.stream(problem.conflicts().of(buffer))
            .mapToObj(problem::buffer)
            .filter(that -> that.needsMemory())
            .filter(that -> !that.live().overlaps(problem.buffer(buffer).live()))
            .count();
  }

  /** The first of so many sorted numbers that is no lower than a bound, by its index. O(log n). */
  static int lowerBound(long[] sorted, int count, long bound) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < bound) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The largest load, in bytes, at any step of each buffer's live range. O(n log n). */
  static long[] largestLoads(PackingProblem problem) {
    LoadProfile profile = LoadProfile.of(problem);
    int segments = profile.segments();
    long[] figures = new long[segments];
    long[] starts = new long[segments];
    for (int s = 0; s < segments; s++) {
      figures[s] = profile.load(s);
      starts[s] = profile.start(s);
    }
    RangeMaximum largest = new RangeMaximum(figures);
    long[] loads = new long[problem.size()];
    for (int i = 0; i < loads.length; i++) {
      Buffer buffer = problem.buffer(i);
      if (buffer.needsMemory()) {
        int first = Math.max(0, lowerBound(starts, segments, buffer.live().start() + 1L) - 1);
        int last = lowerBound(starts, segments, buffer.live().end());
        loads[i] = last <= first ? 0 : largest.max(first, last);
      }
    }
    return loads;
  }
}

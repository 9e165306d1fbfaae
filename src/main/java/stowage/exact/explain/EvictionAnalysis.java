package stowage.exact.explain;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.exact.search.local.StepProfile;
import stowage.packing.Buffer;
import stowage.packing.IndexOrder;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * A plan's order, settled again with one buffer left out: every buffer, from the lowest up, at the
 * lowest offset that is above all those in its way that come before it. Nothing rises by that, so
 * it says what a buffer costs: how far the peak falls when it is evicted, or when it is moved to
 * where it fits best and the others come down.
 *
 * <p>The highest ends so far are kept as a {@link StepProfile} over the compressed steps, so that
 * settling n buffers takes O(n) words of that at most. Buffers that need mere windows of their
 * bytes at times may be above another at one step and below it at the next; plans with such buffers
 * have no order of this kind.
 */
public final class EvictionAnalysis {
  private final PackingProblem problem;
  private final Placement placement;
  private final int memory;
  private final int[] order;
  private final int[] steps;
  private final StepProfile heights;
  private final long[] offsets;

  /** A valid plan of a plain problem without windows of bytes, and the memory whose peak counts. */
  public EvictionAnalysis(PackingProblem problem, Placement placement, int memory) {
    this.problem = problem;
    this.placement = placement;
    this.memory = memory;
    this.order =
        IndexOrder.of(
            IntStream.range(0, problem.size())
                .filter(i -> placement.memory(i) == memory && problem.buffer(i).needsMemory()),
            Comparator.comparingLong(placement::offset));
    this.steps =
        Arrays.stream(order)
            .mapToObj(problem::buffer)
            .flatMap(buffer -> buffer.spans().stream())
            .flatMapToInt(span -> IntStream.of(span.start(), span.end()))
            .sorted()
            .distinct()
            .toArray();
    this.heights = new StepProfile(steps.length);
    this.offsets = new long[problem.size()];
  }

  /** The peak once all is settled, with one buffer left out, or none for -1. */
  public long peak(int without) {
    heights.clear();
    long peak = 0;
    for (int i : order) {
      if (i != without) {
        Buffer buffer = problem.buffer(i);
        offsets[i] =
            buffer.isFixed() ? buffer.fixedOffset() : problem.roundUp(i, memory, floor(i, without));
        peak = Math.max(peak, offsets[i] + buffer.size());
        for (Buffer.Span span : buffer.spans()) {
          heights.set(at(span.start()), at(span.end()), offsets[i] + buffer.size());
        }
      }
    }
    return peak;
  }

  /** The offset of a buffer as it was settled last. */
  public long offset(int buffer) {
    return offsets[buffer];
  }

  /** After settling without a buffer: the lowest end between the others, by whole extents. */
  public long lowestEnd(int buffer) {
    Buffer moved = problem.buffer(buffer);
    int[] others =
        IndexOrder.of(
            Arrays.stream(order)
                .filter(i -> i != buffer)
                .filter(
                    i -> problem.conflicts().contains(i, buffer) || problem.aliveAtOnce(i, buffer)),
            Comparator.comparingLong(i -> offsets[i]));
    long at = problem.roundUp(buffer, memory, 0);
    for (int i : others) {
      if (at + moved.size() > offsets[i] && at < offsets[i] + problem.buffer(i).size()) {
        at = problem.roundUp(buffer, memory, offsets[i] + problem.buffer(i).size());
      }
    }
    return at + moved.size();
  }

  /** The highest end, among those settled, of what is in a buffer's way. */
  private long floor(int buffer, int without) {
    long floor = 0;
    for (Buffer.Span span : problem.buffer(buffer).spans()) {
      floor = Math.max(floor, heights.highest(at(span.start()), at(span.end())));
    }
    for (int other : problem.conflicts().of(buffer)) {
      boolean before =
          other != without
              && placement.memory(other) == memory
              && problem.buffer(other).needsMemory()
              && placement.offset(other) < placement.offset(buffer);
      if (before) {
        floor = Math.max(floor, offsets[other] + problem.buffer(other).size());
      }
    }
    return floor;
  }

  private int at(int step) {
    return Arrays.binarySearch(steps, step);
  }
}
